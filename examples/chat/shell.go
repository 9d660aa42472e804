package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/sluice-project/sluice/agent"
)

// shellName is a name that policies know as a shell.
const shellName = "shell"

// longest is how long a command may take.
const longest = time.Minute

type command struct {
	Command string `json:"command" jsonschema:"for sh -c, in the directory of the chat"`
}

// shell runs commands. It is sequential: two concurrent commands could conflict over
// the same files, and two questions over the same terminal.
func shell(dir string) *agent.Tool {
	t := agent.NewTool(shellName, "Runs a shell command and returns its output. The person is asked first.",
		func(ctx context.Context, in command) (string, error) {
			cmd := exec.CommandContext(ctx, "sh", "-c", in.Command) //nolint:gosec // a person has seen it and said yes
			inGroup(cmd)
			cmd.Dir = dir
			cmd.Env = environment()
			cmd.WaitDelay = time.Second // its children may hold its output open
			out := &bounded{}
			cmd.Stdout, cmd.Stderr = out, out
			if err := cmd.Run(); err != nil {
				if ctx.Err() != nil {
					return "", context.Cause(ctx)
				}
				return "", errors.New(strings.TrimSpace(err.Error() + "\n" + out.String()))
			}
			return out.String(), nil
		})
	t.Sequential, t.Timeout = true, longest
	return t
}

// confirm asks the person at the terminal. It says no when ctx is done.
type confirm func(ctx context.Context, question string) bool

// confirmed runs shell calls only after the person says yes. What the policies deny
// does not get this far.
func confirmed(confirm confirm) agent.Around {
	return func(ctx context.Context, tool *agent.Tool, call agent.Call, run func(context.Context, agent.Call) (agent.Output, error)) (agent.Output, error) {
		if tool.Name != shellName {
			return run(ctx, call)
		}
		var in command
		if json.Unmarshal(call.Arguments, &in) != nil {
			return run(ctx, call) // it tells the model what is wrong
		}
		if !confirm(ctx, "run "+oneLine(in.Command, 500)+" ?") {
			if ctx.Err() != nil {
				return agent.Output{}, agent.Decline(agent.NotRun, "not run: the turn was cancelled")
			}
			return agent.Output{}, agent.Decline(agent.Refused, "not run: the person said no")
		}
		return run(ctx, call)
	}
}

// environment is what commands need, without the keys that may be in the rest.
func environment() []string {
	var list []string
	for _, name := range []string{"HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"} {
		if value, ok := os.LookupEnv(name); ok {
			list = append(list, name+"="+value)
		}
	}
	return list
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	kept    []byte
	dropped int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), mostBytes-len(b.kept))
	b.kept = append(b.kept, p[:n]...)
	b.dropped += len(p) - n
	return len(p), nil
}

func (b *bounded) String() string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(b.kept), "\uFFFD"))
	if b.dropped > 0 {
		text += fmt.Sprintf("\n… and %d bytes more", b.dropped)
	}
	return text
}
