package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	plainerr "github.com/sluice-project/sluice/internal/plain"
)

// The exit codes, as the help texts promise them.
const (
	exitOK         = 0
	exitIncomplete = 1
	exitUnreadable = 2
	exitBlocked    = 3
)

func main() {
	// net/http logs what upstreams send unasked, verbatim, to the standard logger.
	// The gateway has a log of its own.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exitError carries the exit code of a command that has already printed its
// errors.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// run is the program without the process: tests call it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot() //nolint:contextcheck // policy files are read without a context: they are small and local
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if code, ok := errors.AsType[exitError](err); ok {
		return int(code)
	}
	root.PrintErrln("sluice:", oneLine(plainerr.Error(plainUsage(root, args, err)), 600))
	return exitUnreadable
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sluice",
		Short: "Stands between language models and the programs that act on them",
		Long: `Sluice reads the answer of a language model, streamed or whole, as a sequence of
blocks: content, thinking, refusals, tool calls. Policies decide about each block
before a client can act on it. As a gateway it stands between agents and their
providers: OpenAI Chat Completions and Responses, Anthropic Messages, Gemini.

Exit codes: 0 success; 1 an answer is incomplete, or a check or a service failed;
2 wrong usage, or something cannot be read; 3 a call would be blocked (policy try);
4 nothing was protected (run). The help of each command gives the details.`,
		Example: `  sluice demo                        see it work, without a key
  sluice run -- claude               an agent behind a gateway of its own
  sluice serve                       the gateway, for a machine or a team
  sluice inspect --sample            look at a stream that comes with the program
  sluice policy try --sample         see what policies make of an answer
  sluice policy check policies.yaml  check policy files and run their examples`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.AddCommand(newInspect(), newRecode(), newPolicy(), newHook(), newDemo(), newRun(), newConnect(), newDoctor(), newService())
	root.AddCommand(newServe(), newConfig(), newRecord(), newKeys(), newVersion(), newCompletion(), newMan())
	return root
}
