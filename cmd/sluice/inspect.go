package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	plainerr "github.com/sluice-project/sluice/internal/plain"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

//go:embed sample.sse
var sample []byte

const sampleName = "sample.sse"

func newInspect() *cobra.Command {
	var format, colour string
	var asJSON, useSample bool
	cmd := &cobra.Command{
		Use:   "inspect [flags] FILE...",
		Short: "List the blocks of recorded answers",
		Long: `Inspect reads recorded answers and lists their blocks, how they ended, their usage,
and what was unusual about them. "-" is standard input.

A recording can be a raw event stream (SSE), one JSON payload per line, a JSON
array of payloads, or one non-streaming response. Container and wire format are
detected. In a recording with one payload per line, a line that is not JSON is
skipped with a warning that names it, and the answer does not count as complete.

Exit codes: 0 every answer is complete; 1 an answer was truncated or failed; 2 an
input cannot be read.`,
		Example: `  sluice inspect --sample
  sluice inspect answer.sse other.jsonl
  sluice inspect --json answer.sse | jq '.choices[].blocks[] | select(.kind == "tool_call")'
  curl -N ... | sluice inspect --format openai-chat -`,
		RunE: func(cmd *cobra.Command, files []string) error {
			opts := recording.Options{}
			if format != "auto" {
				f, err := wire.ParseFormat(format)
				if err != nil {
					return fmt.Errorf("--format: %w, or auto", err)
				}
				opts.Format = f
			}
			if len(files) == 0 && !useSample {
				return errors.New("inspect: name a FILE, or - for standard input, or try --sample")
			}
			paint, err := newPainter(colour, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return inspect(cmd, files, useSample, opts, func(w io.Writer, r *recording.Report) error {
				if asJSON {
					return showJSON(w, r)
				}
				return show(w, paint, r)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&format, "format", "auto", "wire format: auto, "+wire.Names())
	flags.BoolVar(&asJSON, "json", false, "print one JSON object per file")
	flags.BoolVar(&useSample, "sample", false, "inspect a sample that comes with the program")
	flags.StringVar(&colour, "color", "auto", "colour the list: auto, always, never")
	return cmd
}

// inspect reports on each file in turn. One that cannot be read does not keep
// the others from being shown; the worst outcome is the exit code.
func inspect(cmd *cobra.Command, files []string, useSample bool, opts recording.Options,
	write func(io.Writer, *recording.Report) error,
) error {
	worst := exitOK
	one := func(name string, open func() (io.ReadCloser, error), live bool) error {
		code, err := inspectOne(cmd, name, open, live, opts, write)
		worst = max(worst, code)
		return err
	}
	if useSample {
		err := one(sampleName, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(sample)), nil }, false)
		if err != nil {
			return err
		}
	}
	for _, name := range files {
		open, live := func() (io.ReadCloser, error) { return os.Open(name) }, false //nolint:gosec // reading the named file is the job
		if name == "-" {
			open, live = func() (io.ReadCloser, error) { return io.NopCloser(cmd.InOrStdin()), nil }, true
		}
		if err := one(name, open, live); err != nil {
			return err
		}
	}
	if worst != exitOK {
		return exitError(worst)
	}
	return nil
}

func inspectOne(cmd *cobra.Command, name string, open func() (io.ReadCloser, error), live bool,
	opts recording.Options, write func(io.Writer, *recording.Report) error,
) (int, error) {
	in, err := open()
	if err != nil {
		cmd.PrintErrln("sluice:", oneLine(plainerr.Error(err), 600))
		return exitUnreadable, nil
	}
	defer func() { _ = in.Close() }() // it was only read
	opts.Live, opts.SkipBroken = live, true
	var begin beginning
	report, err := recording.Inspect(io.TeeReader(in, &begin), opts)
	if err != nil {
		_, _ = io.Copy(&begin, io.LimitReader(in, maxRequest)) // on failure nothing is found in it, and the first error stands
		why := plainerr.Error(err)
		if errors.Is(err, syscall.EISDIR) {
			why = "it is a directory: name a file"
		}
		if request := aboutRequest(name, begin.data); request != "" {
			why = request
		}
		cmd.PrintErrf("sluice: %s: %s\n", oneLine(name, 200), oneLine(why, 600))
		return exitUnreadable, nil
	}
	report.File = name
	if err := write(cmd.OutOrStdout(), report); err != nil {
		return exitUnreadable, fmt.Errorf("print the report: %w", err)
	}
	if !report.Complete {
		return exitIncomplete, nil
	}
	return exitOK, nil
}
