package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

func newRecode() *cobra.Command {
	var to string
	var force bool
	cmd := &cobra.Command{
		Use:   "recode [flags] FILE",
		Short: "Write a recorded answer as an event stream",
		Long: `Recode reads a recorded answer and writes it to standard output as an event
stream (SSE), with event names if the format has them. "-" is standard input.

Without --force every payload is written as the bytes that arrived. With --force
every payload goes through the writer, which normalises what a provider did
unusually: indices, ids, missing ends.

The answer is written in the format that it has; it is not translated. --to is for
scripts that should fail on any format other than the one they name.

In a recording with one payload per line, nothing is written after a line that is
not JSON, and an error names it: a damaged answer must not look complete.

Exit codes: 0 the answer is complete; 1 it was truncated or failed, and was written
as far as it went; 2 the input cannot be read, or cannot be written in that format.`,
		Example: `  sluice recode answer.jsonl > answer.sse
  sluice recode --force answer.sse | sluice inspect -
  sluice recode --to anthropic answer.jsonl > answer.sse`,
		Args: exactlyOne("FILE"),
		RunE: func(cmd *cobra.Command, files []string) error {
			var format wire.Format
			if to != "" {
				var err error
				if format, err = wire.ParseFormat(to); err != nil {
					return fmt.Errorf("--to: %w", err)
				}
			}
			in := io.NopCloser(cmd.InOrStdin())
			if files[0] != "-" {
				file, err := os.Open(files[0])
				if err != nil {
					return err
				}
				in = file
			}
			defer func() { _ = in.Close() }() // it was only read
			out := bufio.NewWriter(cmd.OutOrStdout())
			err := recording.Recode(out, in, recording.RecodeOptions{To: format, Force: force})
			if flushErr := out.Flush(); flushErr != nil && err == nil {
				return fmt.Errorf("write the stream: %w", flushErr)
			}
			if err == nil {
				return nil
			}
			cmd.PrintErrf("sluice: %s: %s\n", oneLine(files[0], 200), oneLine(err.Error(), 600))
			if recording.IsUnreadable(err) {
				return exitError(exitUnreadable)
			}
			return exitError(exitIncomplete)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&to, "to", "", "format that the recording must have: "+wire.Names()+" (default: whichever it has)")
	flags.BoolVar(&force, "force", false, "send every payload through the writer")
	return cmd
}
