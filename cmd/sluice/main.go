package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// The exit codes, as the help texts promise them.
const (
	exitOK         = 0
	exitIncomplete = 1
	exitUnreadable = 2
	exitBlocked    = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// exitError carries the exit code of a command that has said everything itself.
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
	root.PrintErrln("sluice:", oneLine(err.Error(), 600))
	return exitUnreadable
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "sluice",
		Short: "Reads the answers of language models as blocks: content, thinking, tool calls",
		Long: `Sluice reads the answer of a language model, streamed or whole, as a sequence of
blocks: content, thinking, refusals, tool calls. It understands OpenAI Chat
Completions, OpenAI Responses, Anthropic Messages and Gemini generateContent.
Policies decide about each block before a client can act on it.`,
		Example: `  sluice inspect --sample            look at a stream that comes with the program
  sluice inspect answer.sse          list the blocks of a recorded answer
  curl -N ... | sluice inspect -     list the blocks of what a pipe brings
  sluice policy try --sample         see what policies make of an answer
  sluice policy check policies.yaml  check policy files and run their examples`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newInspect(), newRecode(), newPolicy(), newHook(), newDemo(), newRun(), newConnect(), newDoctor())
	root.AddCommand(newServe(), newConfig(), newRecord())
	return root
}
