package recording

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Report is the content of a recording. Its JSON form is the output of `sluice inspect
// --json`.
type Report struct {
	File    string      `json:"file"`
	Format  wire.Format `json:"format"`
	Choices []Choice    `json:"choices"`
	// Usage is the provider's own final usage object, null if it sent none.
	Usage json.RawMessage `json:"usage"`
	// Error is the provider's error object, null if it reported none.
	Error json.RawMessage `json:"error"`
	// Complete is true when the answer ended without an error.
	Complete bool     `json:"complete"`
	Warnings []string `json:"warnings"`

	// The fields below are for people and not part of the JSON form.

	Container Container `json:"-"`
	Payloads  int       `json:"-"`
	Bytes     int       `json:"-"`
	ID        string    `json:"-"`
	Model     string    `json:"-"`
	Tokens    llm.Usage `json:"-"`
	// Failure is why the recording is not complete, or nil.
	Failure error `json:"-"`
	// Skipped is a *BrokenLinesError if lines were left out, or nil. It is the
	// Failure if nothing else is wrong.
	Skipped error `json:"-"`
	// Took is the time from the first payload to the last, 0 if the recording
	// was not read as it arrived.
	Took time.Duration `json:"-"`
}

// Choice is one alternative of the answer.
type Choice struct {
	Index int `json:"index"`
	// FinishReason is the provider's own word, null if it sent none.
	FinishReason *string `json:"finish_reason"`
	Blocks       []Block `json:"blocks"`
}

// Block is one block of a choice. Fields that a block does not have are empty.
type Block struct {
	Kind      llm.Kind   `json:"kind"`
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Status    llm.Status `json:"status"`
	Text      string     `json:"text"`
	Arguments string     `json:"arguments"`
	Signature string     `json:"signature"`
	ToolUseID string     `json:"tool_use_id"`
	Type      string     `json:"type"`

	// Began and Ended are relative to the first payload, 0 if unknown.
	Began, Ended time.Duration `json:"-"`
}

// blockOf converts a block of the state for the report. An opaque block without text
// shows its JSON.
func blockOf(b *stream.Block) Block {
	v := b.Value()
	out := Block{
		Kind: v.Kind, ID: v.ID, Name: v.Name, Status: v.Status, Text: v.Text,
		Arguments: v.Arguments, Signature: v.Signature, ToolUseID: v.ToolUseID, Type: v.Type,
	}
	if out.Text == "" && (v.Kind == llm.Opaque || v.Kind == llm.ToolResult) {
		out.Text = string(v.Raw)
	}
	return out
}

// fill copies the state into the report.
func (r *Report) fill(s *stream.State, clock *clock) {
	r.ID, r.Model = s.ID(), s.Model()
	r.Complete = s.Complete() && r.Failure == nil
	if usage, ok := s.Usage(); ok {
		r.Usage = append(json.RawMessage(nil), usage.Raw...)
		r.Tokens = usage
	}
	if err := s.Err(); err != nil {
		r.Error = errorObject(err)
	}
	r.Choices = []Choice{}
	for _, c := range s.Choices() {
		choice := Choice{Index: c.Index(), Blocks: []Block{}}
		if word := c.FinishReason(); word != "" {
			choice.FinishReason = &word
		}
		for _, b := range c.Blocks() {
			block := blockOf(b)
			block.Began, block.Ended = clock.of(b)
			choice.Blocks = append(choice.Blocks, block)
			if _, differs := b.Other(); differs {
				r.Warnings = append(r.Warnings, fmt.Sprintf(
					"block-told-twice: the provider sent two versions of %s block %d; one of them is shown", block.Kind, b.Position()))
			}
		}
		r.Choices = append(r.Choices, choice)
	}
}

func errorObject(err *stream.ProviderError) json.RawMessage {
	if json.Valid(err.Raw) {
		return append(json.RawMessage(nil), err.Raw...)
	}
	raw := jsonscan.AppendString([]byte(`{"type":`), err.Type)
	raw = jsonscan.AppendString(append(raw, `,"code":`...), err.Code)
	raw = jsonscan.AppendString(append(raw, `,"message":`...), err.Message)
	return append(raw, '}')
}

func (r *Report) warn(list []stream.Deviation) {
	for _, d := range list {
		text := fmt.Sprintf("%s: %s", d.Code, d.Text)
		if d.Count > 1 {
			text += fmt.Sprintf(" (%d times, first in payload %d)", d.Count, d.Seq)
		} else {
			text += fmt.Sprintf(" (payload %d)", d.Seq)
		}
		r.Warnings = append(r.Warnings, text)
	}
}
