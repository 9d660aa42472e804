package main

import (
	"bytes"
	"errors"
	"io"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
	"github.com/sluice-project/sluice/wire/sse"
)

// prepareSluice is what a gateway does with a stream that no policy changes:
// split the lines, decode, keep the state of every block, and let the writer
// decide that the payload leaves unchanged.
func prepareSluice(format wire.Format) func([]byte) int {
	var src bytes.Reader
	var chunk stream.Chunk // its events are a buffer
	reader := sse.NewReader(&src, sse.Options{})
	out := make([]byte, 0, 64<<10)
	return func(body []byte) int {
		src.Reset(body)
		reader.Reset(&src)
		writer := format.NewWriter(stream.WriterOptions{})
		return sluice(format, reader, &chunk, func(_ *stream.State, c *stream.Chunk) {
			var err error
			out, err = writer.Write(out[:0], c)
			must(err)
		})
	}
}

// prepareSluiceDecide leaves out the writing, as the official clients do: every
// complete block is decided, and the payload may pass.
func prepareSluiceDecide(format wire.Format) func([]byte) int {
	var src bytes.Reader
	var chunk stream.Chunk // its events are a buffer
	reader := sse.NewReader(&src, sse.Options{})
	passed := 0
	return func(body []byte) int {
		src.Reset(body)
		reader.Reset(&src)
		return sluice(format, reader, &chunk, func(state *stream.State, _ *stream.Chunk) {
			for _, b := range state.Completed() {
				if b.Kind() == llm.ToolCall && b.Status() != llm.Complete {
					return
				}
			}
			passed++
		})
	}
}

func sluice(format wire.Format, reader *sse.Reader, c *stream.Chunk, take func(*stream.State, *stream.Chunk)) int {
	decoder := format.NewDecoder()
	state := stream.NewState(stream.Limits{})
	for {
		ev, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(err)
		if c.Raw = ev.Data; string(ev.Name) != c.Name {
			c.Name = wire.EventName(ev.Name)
		}
		must(decoder.Decode(c))
		must(state.Apply(c))
		take(state, c)
	}
	c.Raw, c.Name = nil, ""
	must(decoder.End(c))
	must(state.Apply(c))
	take(state, c)
	return found(state)
}

// found counts the bytes of what all contenders look for.
func found(state *stream.State) int {
	n := 0
	for _, choice := range state.Choices() {
		for _, b := range choice.Blocks() {
			switch b.Kind() {
			case llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall, llm.ServerTool:
				n += b.Len()
			case llm.ToolResult, llm.Opaque:
			}
		}
	}
	return n
}
