package main

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/sluice-project/sluice/agent/memory"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/stream"
)

// scriptedName is the model that needs no key.
const scriptedName = "scripted"

// tryThese are questions that the script can answer.
var tryThese = []string{"My name is Ada", "Which files are here?", "Read README.md", "What time is it?", "Show me a secret", "Who am I?"}

// script is a model that follows a script. It understands nothing: it looks for a few
// words in the last question, and all it knows of the conversation so far is in the
// request, where the memory put it.
type script struct{}

// Stream plays the round that fits the request.
func (script) Stream(ctx context.Context, req *llm.Request) iter.Seq2[stream.Event, error] {
	round := reply(req)
	var asked int64
	for _, m := range req.Messages {
		asked += int64(memory.EstimateTokens(m))
	}
	round = append(round, scripted.Usage(asked, 20)) // nobody counts here
	return scripted.New(round).Stream(ctx, req)
}

// reply is the script's answer to a request.
func reply(req *llm.Request) scripted.Round {
	if results := resultsOf(req); len(results) > 0 {
		return scripted.Round{scripted.Text(report(results))}
	}
	question := req.UserText()
	for _, scene := range scenes {
		if found := scene.words.FindStringSubmatch(question); found != nil {
			return scene.play(req, found)
		}
	}
	return scripted.Round{scripted.Text("I follow a script and understand nothing of that. I know: " + strings.Join(tryThese, " | "))}
}

// scene is what is played when a question contains certain words.
type scene struct {
	words *regexp.Regexp
	play  func(req *llm.Request, found []string) scripted.Round
}

var (
	tellsName = regexp.MustCompile(`(?i)\b(?:my name is|i am|i'm)\s+([\p{L}-]{1,40})`)

	scenes = []scene{
		{regexp.MustCompile(`(?i)who am i|what is my name|what's my name`), func(req *llm.Request, _ []string) scripted.Round {
			if name := nameIn(req); name != "" {
				return says("You are %s. You told me before, and the memory has kept it.", name)
			}
			return says("You have not told me in this conversation.")
		}},
		{tellsName, func(_ *llm.Request, found []string) scripted.Round {
			return says("Hello %s! I only follow a script, but the memory keeps your name: ask me who you are.", found[1])
		}},
		{regexp.MustCompile(`(?i)\bsecret|password|\bkey\b`), func(req *llm.Request, _ []string) scripted.Round {
			return scripted.Round{
				scripted.Thinking("The script wants me to look where I should not."),
				scripted.Text("Let me look around, and into a private key."),
				call(req, 1, "list_files", `{}`),
				call(req, 2, "read_file", `{"path":"~/.ssh/id_ed25519"}`),
			}
		}},
		{regexp.MustCompile(`(?i)\bread\s+(\S+)`), func(req *llm.Request, found []string) scripted.Round {
			return scripted.Round{scripted.Text("I read it."), call(req, 1, "read_file", fmt.Sprintf(`{"path":%q}`, found[1]))}
		}},
		{regexp.MustCompile(`(?i)\bfiles?\b|\bdirectory\b`), func(req *llm.Request, _ []string) scripted.Round {
			return scripted.Round{scripted.Thinking("There is a tool for that."), scripted.Text("Let me look."), call(req, 1, "list_files", `{}`)}
		}},
		{regexp.MustCompile(`(?i)\btime\b|\bdate\b|\btoday\b`), func(req *llm.Request, _ []string) scripted.Round {
			return scripted.Round{call(req, 1, "now", `{}`)}
		}},
		{regexp.MustCompile(`(?i)^run\s+(.+)`), func(req *llm.Request, found []string) scripted.Round {
			for _, t := range req.Tools {
				if t.Name == shellName {
					return scripted.Round{scripted.Text("I would like to run that."), call(req, 1, shellName, fmt.Sprintf(`{"command":%q}`, found[1]))}
				}
			}
			return says("I have no tool for commands. Start me with -shell.")
		}},
	}
)

func says(format string, arguments ...any) scripted.Round {
	return scripted.Round{scripted.Text(fmt.Sprintf(format, arguments...))}
}

// call calls a tool with an id that is unique in the conversation.
func call(req *llm.Request, n int, name, arguments string) scripted.Step {
	return scripted.CallID(fmt.Sprintf("call_%d_%d", len(req.Messages), n), name, arguments)
}

// nameIn finds the last name that the user gave in the part of the conversation
// that the model is shown.
func nameIn(req *llm.Request) (name string) {
	for _, m := range req.Messages {
		if m.Role != llm.User {
			continue
		}
		for i := range m.Blocks {
			if found := tellsName.FindStringSubmatch(m.Blocks[i].Text); found != nil {
				name = found[1]
			}
		}
	}
	return name
}

// resultsOf returns the results at the end of the request.
func resultsOf(req *llm.Request) []llm.Block {
	if len(req.Messages) == 0 {
		return nil
	}
	var results []llm.Block
	for _, b := range req.Messages[len(req.Messages)-1].Blocks {
		if b.Kind == llm.ToolResult {
			results = append(results, b)
		}
	}
	return results
}

// report is what the script says about results.
func report(results []llm.Block) string {
	var said []string
	for i := range results {
		r := &results[i]
		lines := strings.Split(r.Text, "\n")
		switch {
		case r.Failed && strings.Contains(r.Text, "denied"):
			said = append(said, "I was not allowed to use "+r.Name+", and I do not try another way: a policy denied it.")
		case r.Failed:
			said = append(said, r.Name+" did not work: "+lines[0])
		case r.Name == "list_files":
			said = append(said, fmt.Sprintf("I see %d entries, the first is %s.", len(lines), lines[0]))
		case r.Name == "now":
			said = append(said, "It is "+r.Text+".")
		default:
			said = append(said, fmt.Sprintf("%s told me %d bytes that begin with: %s", r.Name, len(r.Text), lines[0]))
		}
	}
	return strings.Join(said, "\n")
}
