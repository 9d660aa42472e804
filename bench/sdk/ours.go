package sdk

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// reading is what Sluice's own reader made of an event stream.
type reading struct {
	state *stream.State
	// err is nil if the answer is complete: stream.ErrIncomplete, a
	// *stream.ProviderError, or what made the stream unreadable.
	err error
}

// read reads an event stream with Sluice's decoder. Each chunk is shown to
// take, if that is not nil, as a host would hand it to a writer.
func read(format wire.Format, body []byte, take func(*stream.Chunk) error) reading {
	decoder := format.NewDecoder()
	r := reading{state: stream.NewState(stream.Limits{})}
	r.err = feed(decoder, r.state, body, take)
	if r.err == nil && r.state.Err() != nil {
		r.err = r.state.Err()
	}
	if r.err != nil {
		r.state.Cut()
	}
	return r
}

func feed(decoder stream.Decoder, state *stream.State, body []byte, take func(*stream.Chunk) error) error {
	events := sse.NewReader(bytes.NewReader(body), sse.Options{})
	var c stream.Chunk
	step := func() error {
		if err := state.Apply(&c); err != nil {
			return err
		}
		if take == nil {
			return nil
		}
		return take(&c)
	}
	for {
		ev, err := events.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		c.Raw, c.Name = ev.Data, wire.EventName(ev.Name)
		if err := decoder.Decode(&c); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	c.Raw, c.Name = nil, ""
	cut := decoder.End(&c)
	if err := step(); err != nil {
		return err
	}
	return cut
}

// recode reads an event stream and rewrites it, every payload through the
// writer. An incomplete stream is failed, as a host does.
func recode(format wire.Format, body []byte) (written []byte, r reading, err error) {
	minted := 0
	writer := format.NewWriter(stream.WriterOptions{Force: true, NewID: func() string {
		minted++
		return fmt.Sprintf("minted%04d", minted)
	}})
	var writeErr error
	r = read(format, body, func(c *stream.Chunk) error {
		written, writeErr = writer.Write(written, c)
		return writeErr
	})
	if writeErr != nil {
		return written, r, fmt.Errorf("write: %w", writeErr)
	}
	if r.err != nil {
		written, err = writer.Fail(written, r.err)
		if errors.Is(err, stream.ErrTerminated) { // the provider's own error has ended it
			err = nil
		}
	}
	return written, r, err
}

// facts says what Sluice understood, in the words that the official readers of
// the format can be asked for.
func (r reading) facts(format wire.Format) Facts {
	f := Facts{}
	switch {
	case errors.Is(r.err, stream.ErrIncomplete):
		f["error"] = ErrorCut
	case r.err != nil:
		f["error"] = ErrorSaid
	}
	f.setf(r.state.ID(), "id")
	f.setf(r.state.Model(), "model")
	usage, _ := r.state.Usage()
	f.setNumberf(usage.Input, "usage/input")
	f.setNumberf(usage.Output, "usage/output")
	for _, choice := range r.state.Choices() {
		f.setf(choice.FinishReason(), "choice/%d/finish", choice.Index())
		switch format {
		case wire.OpenAIChat:
			f.chat(choice)
		case wire.Anthropic:
			f.anthropic(choice)
		case wire.OpenAIResponses:
			for _, copyOf := range []string{"items", "final"} {
				f.responses(copyOf, choice)
			}
			f.deltas(choice)
		case wire.Gemini:
		}
	}
	return f
}

// chat flattens a choice to the one message that openai-go makes of it.
func (f Facts) chat(choice *stream.Choice) {
	i, calls := choice.Index(), 0
	for _, b := range choice.Blocks() {
		switch b.Kind() {
		case llm.Content:
			f.addf(b.Text(), "choice/%d/text", i)
		case llm.Refusal:
			f.addf(b.Text(), "choice/%d/refusal", i)
		case llm.Thinking:
			f.addf(b.Text(), "choice/%d/thinking", i)
		case llm.ToolCall:
			f.setf(b.ID(), "choice/%d/call/%d/id", i, calls)
			f.setf(b.Name(), "choice/%d/call/%d/name", i, calls)
			f.setf(b.Arguments(), "choice/%d/call/%d/arguments", i, calls)
			calls++
		case llm.ServerTool, llm.ToolResult, llm.Opaque:
		}
	}
	f.setNumberf(int64(calls), "choice/%d/calls", i)
}

func (f Facts) anthropic(choice *stream.Choice) {
	for i, b := range choice.Blocks() {
		f.setf(b.Type(), "block/%d/type", i)
		f.setf(b.Name(), "block/%d/name", i)
		f.setf(b.ToolUseID(), "block/%d/tool_use_id", i)
		switch b.Kind() {
		case llm.Content, llm.Thinking:
			if b.Type() != "redacted_thinking" {
				f.setf(b.Signature(), "block/%d/signature", i)
				f.setf(b.Text(), "block/%d/text", i)
			}
		case llm.ToolCall, llm.ServerTool:
			f.setf(b.ID(), "block/%d/id", i)
			if b.Arguments() != "{}" {
				f.setf(b.Arguments(), "block/%d/input", i)
			}
		case llm.Refusal, llm.ToolResult, llm.Opaque:
		}
	}
}

// responses says what one copy of the answer must say.
func (f Facts) responses(copyOf string, choice *stream.Choice) {
	calls := 0
	for _, b := range choice.Blocks() {
		switch b.Kind() {
		case llm.Content:
			f.addf(b.Text(), "%s/text", copyOf)
		case llm.Refusal:
			f.addf(b.Text(), "%s/refusal", copyOf)
		case llm.Thinking:
			f.addf(b.Text(), "%s/thinking", copyOf)
		case llm.ToolCall:
			if !isFunctionOrCustom(b) {
				continue
			}
			f.setf(b.ID(), "%s/call/%d/id", copyOf, calls)
			f.setf(b.Name(), "%s/call/%d/name", copyOf, calls)
			f.setf(b.Arguments(), "%s/call/%d/arguments", copyOf, calls)
			calls++
		case llm.ServerTool, llm.ToolResult, llm.Opaque:
		}
	}
}

func (f Facts) deltas(choice *stream.Choice) {
	for _, b := range choice.Blocks() {
		switch b.Kind() {
		case llm.Content:
			f.addf(b.Text(), "deltas/text")
		case llm.Refusal:
			f.addf(b.Text(), "deltas/refusal")
		case llm.Thinking:
			f.addf(b.Text(), "deltas/thinking")
		case llm.ToolCall:
			if isFunctionOrCustom(b) {
				f.addf(b.Arguments(), "deltas/arguments")
			}
		case llm.ServerTool, llm.ToolResult, llm.Opaque:
		}
	}
}

// isFunctionOrCustom reports whether the call is of the two types whose
// arguments openai-go has a field for.
func isFunctionOrCustom(b *stream.Block) bool {
	return b.Type() == "function_call" || b.Type() == "custom_tool_call"
}
