package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/recording"
)

// streamTrial is how policies judged a recorded answer. Its JSON form is what
// try --json prints.
type streamTrial struct {
	File    string      `json:"file"`
	Format  wire.Format `json:"format"`
	Set     *trial      `json:"policies"`
	Outcome string      `json:"outcome"`
	// Blocked and Changed count blocks of the answer.
	Blocked int `json:"blocked"`
	Changed int `json:"changed"`
	// Same is true when the client gets the payloads byte for byte as they
	// arrived.
	Same    bool            `json:"unchanged"`
	Records []policy.Record `json:"records"`
	// Why explains the conditions part by part, for each block that the user's
	// own policies apply to.
	Why    []blockWhy        `json:"why"`
	Before *recording.Report `json:"before"`
	// After is what is read in the delivered bytes, null if there are none.
	After *recording.Report `json:"after"`
	// Error is what ended the answer early, empty if nothing did.
	Error string `json:"error,omitempty"`

	delivered []byte
	err       error
	asksWhy   func(policy string) bool
}

// blockWhy explains a block of an answer.
type blockWhy struct {
	Choice int        `json:"choice"`
	Block  int        `json:"block"`
	Why    []file.Why `json:"why"`
}

// explain explains the blocks as they arrived.
func (t *streamTrial) explain(f *tryFlags) {
	t.Why = []blockWhy{}
	for _, c := range t.Before.Choices {
		before := make([]llm.Block, 0, len(c.Blocks))
		for i, b := range c.Blocks {
			block := llm.Block{Kind: b.Kind, Type: b.Type, ID: b.ID, Name: b.Name, ToolUseID: b.ToolUseID, Text: b.Text, Arguments: b.Arguments, Status: b.Status}
			if why := f.why(t.Set, before, block); why != nil {
				t.Why = append(t.Why, blockWhy{c.Index, i, why})
			}
			before = append(before, block)
		}
	}
}

// The outcomes of a trial.
const (
	outcomePassed  = "passed"
	outcomeChanged = "changed"
	outcomeBlocked = "blocked"
	outcomeAborted = "aborted"
	outcomeFailed  = "failed"
)

func tryStream(cmd *cobra.Command, f *tryFlags, name string) error {
	opts := recording.Options{}
	if f.format != "auto" {
		format, err := wire.ParseFormat(f.format)
		if err != nil {
			return fmt.Errorf("--format: %w, or auto", err)
		}
		opts.Format = format
	}
	paint, err := newPainter(f.colour, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	set, err := f.load(cmd)
	if err != nil {
		return err
	}
	t, err := runTrial(cmd, f, name, opts, set)
	if err != nil {
		if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
			return cannotOpen(name, err)
		}
		cmd.PrintErrf("sluice: %s: %s\n", oneLine(name, 200), oneLine(err.Error(), 600))
		return exitError(exitIncomplete)
	}
	if f.output != "" {
		if err := os.WriteFile(f.output, t.delivered, 0o600); err != nil {
			return err
		}
	}
	if f.asJSON {
		err = showJSON(cmd.OutOrStdout(), t)
	} else {
		err = showTrial(cmd.OutOrStdout(), paint, t)
	}
	if err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	switch t.Outcome {
	case outcomeBlocked, outcomeAborted:
		return exitError(exitBlocked)
	case outcomeFailed:
		return exitError(exitIncomplete)
	}
	return nil
}

// cannotOpen says that there is no recording of that name, and what to write if it was to
// be a command.
func cannotOpen(name string, err error) error {
	if strings.ContainsAny(name, " \t") && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no recording %q: to try a command, write --shell before it", oneLine(name, 200))
	}
	return err
}

// runTrial reads a recording three times: as it arrived, through the policies,
// and as it was delivered.
func runTrial(cmd *cobra.Command, f *tryFlags, name string, opts recording.Options, set *trial) (*streamTrial, error) {
	data, err := readRecording(cmd, f, name)
	if err != nil {
		return nil, err
	}
	opts.SkipBroken = true
	before, err := recording.Inspect(bytes.NewReader(data), opts)
	if err != nil {
		return nil, err
	}
	before.File = name
	t := &streamTrial{asksWhy: f.asksWhy, File: name, Format: before.Format, Set: set, Before: before, Records: []policy.Record{}}
	if err := t.enforce(cmd.Context(), f, data); err != nil {
		return nil, err
	}
	t.classify()
	t.explain(f)
	if len(t.delivered) == 0 {
		return t, nil
	}
	opts.Format = t.Format
	if t.After, err = recording.Inspect(bytes.NewReader(t.delivered), opts); err != nil {
		return nil, fmt.Errorf("what the client would get cannot be read: %w", err)
	}
	t.After.File = "delivered"
	return t, nil
}

// enforce lets the policies judge the recording and keeps what is delivered.
func (t *streamTrial) enforce(ctx context.Context, f *tryFlags, data []byte) error {
	src, err := recording.NewSource(bytes.NewReader(data), 0)
	if err != nil {
		return err
	}
	src.SkipBrokenLines()
	// A single value is a response that was not streamed. If it turns out to
	// be a payload of a stream, the writer writes a stream anyway.
	whole := src.Container() == recording.JSONValues && t.Before.Payloads == 1
	engine := policy.NewEngine(t.Set.set, f.exchange(), policy.Options{
		Format: t.Format, Whole: whole,
		Record: func(r *policy.Record) { t.Records = append(t.Records, *r) },
	})
	out := stream.NewOutput(t.Format.NewWriter(engine.WriterOptions()), func(p []byte) error {
		t.delivered = append(t.delivered, p...)
		return nil
	})
	defer t.sort()
	t.err = engine.Run(ctx, payloadsOf{src}, out, policy.RunOptions{Keepalive: -1})
	t.Same = t.err == nil && t.passesThrough(data)
	return ctx.Err()
}

// passesThrough reports whether what is delivered is what arrived, written as
// a stream.
func (t *streamTrial) passesThrough(data []byte) bool {
	var plain bytes.Buffer
	err := recording.Recode(&plain, bytes.NewReader(data), recording.RecodeOptions{
		Options: recording.Options{Format: t.Format}, To: t.Format,
	})
	return err == nil && bytes.Equal(plain.Bytes(), t.delivered)
}

// sort puts the records into the order of the blocks. They arrive in the order
// in which blocks leave.
func (t *streamTrial) sort() {
	slices.SortStableFunc(t.Records, func(a, b policy.Record) int {
		return cmp.Or(cmp.Compare(a.Choice, b.Choice), cmp.Compare(a.Block, b.Block))
	})
}

// classify determines the outcome.
func (t *streamTrial) classify() {
	for i := range t.Records {
		switch r := &t.Records[i]; {
		case withheldByEnd(r):
		case !r.Delivered:
			t.Blocked++
		case r.In != r.Out:
			t.Changed++
		}
	}
	aborted, isAbort := errors.AsType[*policy.AbortError](t.err)
	switch {
	case isAbort:
		t.Outcome, t.Error = outcomeAborted, aborted.Error()
	case t.Blocked > 0:
		t.Outcome = outcomeBlocked
	case t.err != nil || !t.Before.Complete:
		t.Outcome = outcomeFailed
	case t.Changed > 0:
		t.Outcome = outcomeChanged
	default:
		t.Outcome = outcomePassed
	}
	if t.Error == "" && t.err != nil {
		t.Error = t.err.Error()
	}
}

// withheldByEnd reports whether a block was kept back because the recording
// ended in it, and not because of what it says.
func withheldByEnd(r *policy.Record) bool {
	return r.Verdict.Action == policy.Abort && r.Verdict.Cause == policy.CauseTruncated
}

// payloadsOf is a recording as a source of the engine.
type payloadsOf struct{ src *recording.Source }

// Next returns the next payload.
func (p payloadsOf) Next() (string, []byte, error) {
	payload, err := p.src.Next()
	return wire.EventName(payload.Name), payload.Data, err
}
