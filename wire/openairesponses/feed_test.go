package openairesponses_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// answer is what came of decoding payloads.
type answer struct {
	state      *stream.State
	chunks     []*stream.Chunk
	deviations []stream.Deviation
	err        error // of Decode or Apply
	end        error // of End
}

// decode reads payloads. One that begins with "event: " has a name before it.
func decode(payloads ...string) *answer {
	a := &answer{state: stream.NewState(stream.Limits{})}
	d := openairesponses.NewDecoder()
	var c stream.Chunk
	for _, p := range payloads {
		c.Raw, c.Name = []byte(p), ""
		if event, ok := strings.CutPrefix(p, "event: "); ok {
			name, data, _ := strings.Cut(event, " ")
			c.Raw, c.Name = []byte(data), name
		}
		if a.err = d.Decode(&c); a.err == nil {
			a.err = a.state.Apply(&c)
		}
		if a.err != nil {
			break
		}
		a.chunks = append(a.chunks, c.Clone())
	}
	if a.err == nil {
		c.Raw, c.Name = nil, ""
		a.end = d.End(&c)
	}
	a.deviations = d.Deviations()
	return a
}

// must decodes payloads that are a good answer.
func must(t *testing.T, payloads ...string) *answer {
	t.Helper()
	a := decode(payloads...)
	if a.err != nil {
		t.Fatalf("decode: %v", a.err)
	}
	return a
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

// say describes the blocks in one line each.
func (a *answer) say() string {
	var b strings.Builder
	for _, block := range a.state.Blocks() {
		fmt.Fprintf(&b, "%s %s", block.Kind(), block.Type())
		for _, word := range []struct{ name, value string }{
			{"id", block.ID()}, {"name", block.Name()}, {"for", block.ToolUseID()}, {"sig", block.Signature()},
		} {
			if word.value != "" {
				fmt.Fprintf(&b, " %s=%s", word.name, word.value)
			}
		}
		fmt.Fprintf(&b, " %q", block.Text())
		if other, diverged := block.Other(); diverged {
			fmt.Fprintf(&b, " other=%q", other)
		}
		if block.Status() != llm.Complete {
			fmt.Fprintf(&b, " %s", block.Status())
		}
		b.WriteByte('\n')
	}
	if word := a.state.FinishReason(); word != "" {
		fmt.Fprintf(&b, "finish %s %s\n", word, a.state.Choice(0).Finish())
	}
	if err := a.state.Err(); err != nil {
		fmt.Fprintf(&b, "error %s %s %s\n", err.Type, err.Code, err.Message)
	}
	for _, d := range a.deviations {
		fmt.Fprintf(&b, "noted %s\n", d.Code)
	}
	return b.String()
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got, want := strings.TrimSpace(got), strings.TrimSpace(want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// payloadsOf splits written events.
func payloadsOf(out []byte) [][]byte {
	var payloads [][]byte
	for line := range bytes.SplitSeq(out, []byte("\n")) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			payloads = append(payloads, data)
		}
	}
	return payloads
}

func read(t *testing.T, out []byte) *answer {
	t.Helper()
	var payloads []string
	for _, p := range payloadsOf(out) {
		payloads = append(payloads, string(p))
	}
	return decode(payloads...)
}

const (
	created   = `{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"m","output":[],"usage":null}}`
	completed = `{"type":"response.completed","sequence_number":99,"response":{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[],"usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":3},"total_tokens":17}}}`
)

// answered puts payloads between a beginning and an end.
func answered(text string) []string {
	return append(append([]string{created}, lines(text)...), completed)
}

// message is a message item in the usual events.
func message(index int, id, text string) string {
	half := len(text) / 2
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%[1]d,"item":{"id":%[2]q,"type":"message","status":"in_progress","role":"assistant","content":[]}}
{"type":"response.content_part.added","item_id":%[2]q,"output_index":%[1]d,"content_index":0,"part":{"type":"output_text","annotations":[],"text":""}}
{"type":"response.output_text.delta","item_id":%[2]q,"output_index":%[1]d,"content_index":0,"delta":%[4]q}
{"type":"response.output_text.delta","item_id":%[2]q,"output_index":%[1]d,"content_index":0,"delta":%[5]q}
{"type":"response.output_text.done","item_id":%[2]q,"output_index":%[1]d,"content_index":0,"text":%[3]q}
{"type":"response.content_part.done","item_id":%[2]q,"output_index":%[1]d,"content_index":0,"part":{"type":"output_text","annotations":[],"text":%[3]q}}
{"type":"response.output_item.done","output_index":%[1]d,"item":{"id":%[2]q,"type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"text":%[3]q}]}}
`, index, id, text, text[:half], text[half:])
}

// call is a function call in the usual events.
func call(index int, id, callID, name, arguments string) string {
	half := len(arguments) / 2
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%[1]d,"item":{"id":%[2]q,"type":"function_call","status":"in_progress","call_id":%[3]q,"name":%[4]q,"arguments":"","namespace":"ns"}}
{"type":"response.function_call_arguments.delta","item_id":%[2]q,"output_index":%[1]d,"delta":%[6]q}
{"type":"response.function_call_arguments.delta","item_id":%[2]q,"output_index":%[1]d,"delta":%[7]q}
{"type":"response.function_call_arguments.done","item_id":%[2]q,"output_index":%[1]d,"arguments":%[5]q}
{"type":"response.output_item.done","output_index":%[1]d,"item":{"id":%[2]q,"type":"function_call","status":"completed","call_id":%[3]q,"name":%[4]q,"arguments":%[5]q,"namespace":"ns"}}
`, index, id, callID, name, arguments, arguments[:half], arguments[half:])
}

// reasoning is a reasoning item in the usual events.
func reasoning(index int, id, text, proof string) string {
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%[1]d,"item":{"id":%[2]q,"type":"reasoning","summary":[]}}
{"type":"response.reasoning_summary_part.added","item_id":%[2]q,"output_index":%[1]d,"summary_index":0,"part":{"type":"summary_text","text":""}}
{"type":"response.reasoning_summary_text.delta","item_id":%[2]q,"output_index":%[1]d,"summary_index":0,"delta":%[3]q}
{"type":"response.reasoning_summary_text.done","item_id":%[2]q,"output_index":%[1]d,"summary_index":0,"text":%[3]q}
{"type":"response.reasoning_summary_part.done","item_id":%[2]q,"output_index":%[1]d,"summary_index":0,"part":{"type":"summary_text","text":%[3]q}}
{"type":"response.output_item.done","output_index":%[1]d,"item":{"id":%[2]q,"type":"reasoning","summary":[{"type":"summary_text","text":%[3]q}],"encrypted_content":%[4]q}}
`, index, id, text, proof)
}
