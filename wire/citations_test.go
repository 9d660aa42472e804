package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// cited are answers whose text "ab" has two sources, streamed and whole, as each
// provider sends them.
var cited = []struct {
	format   wire.Format
	name     string
	payloads []string
	// sources are what is kept, returns whether they are sent back.
	sources []string
	returns string
}{
	{
		wire.Anthropic, "streamed", []string{
			`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null}}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":[]}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"type":"char_location","cited_text":"<1>"}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}`,
			`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation": {"type":"web_search_result_location", "encrypted_index":"x"}}}`,
			`{"type":"content_block_stop","index":0}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`,
			`{"type":"message_stop"}`,
		},
		[]string{`{"type":"char_location","cited_text":"<1>"}`, `{"type":"web_search_result_location", "encrypted_index":"x"}`}, "citations",
	},
	{
		wire.Anthropic, "whole", []string{
			`{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"ab","citations":[{"type":"char_location","cited_text":"<1>"},{"type":"page_location"}]}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`,
		},
		[]string{`{"type":"char_location","cited_text":"<1>"}`, `{"type":"page_location"}`}, "citations",
	},
	{
		wire.OpenAIChat, "streamed", []string{
			`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"b","annotations":[{"type":"url_citation","url_citation":{"url":"u"}}]},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"annotations":[{"type":"url_citation","url_citation":{"url":"v"}}]},"finish_reason":null}]}`,
			`{"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`[DONE]`,
		},
		[]string{`{"type":"url_citation","url_citation":{"url":"u"}}`, `{"type":"url_citation","url_citation":{"url":"v"}}`}, "",
	},
	{
		wire.OpenAIChat, "whole", []string{
			`{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","annotations":[{"type":"url_citation","url_citation":{"url":"u"}}],"content":"ab"},"finish_reason":"stop"}]}`,
		},
		[]string{`{"type":"url_citation","url_citation":{"url":"u"}}`}, "",
	},
	{
		wire.OpenAIResponses, "streamed", []string{
			`{"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","status":"in_progress","model":"m","output":[]}}`,
			`{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"in_progress","content":[]}}`,
			`{"type":"response.output_text.delta","sequence_number":2,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"ab"}`,
			`{"type":"response.output_text.annotation.added","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"url_citation","url":"u"}}`,
			`{"type":"response.output_text.annotation.added","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"annotation_index":1,"annotation":{"type":"file_citation","file_id":"f"}}`,
			`{"type":"response.output_item.done","sequence_number":5,"output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"u"},{"type":"file_citation","file_id":"f"}]}]}}`,
			`{"type":"response.completed","sequence_number":6,"response":{"id":"r","object":"response","status":"completed","model":"m","output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"ab","annotations":[{"type":"url_citation","url":"u"},{"type":"file_citation","file_id":"f"}]}]}]}}`,
		},
		[]string{`{"type":"url_citation","url":"u"}`, `{"type":"file_citation","file_id":"f"}`}, "annotations",
	},
	{
		wire.OpenAIResponses, "whole, in two parts", []string{
			`{"id":"r","object":"response","status":"completed","model":"m","output":[{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation","url":"u"}]},{"type":"output_text","text":"b","annotations":[{"type":"file_path","file_id":"f"}]}]}]}`,
		},
		[]string{`{"type":"url_citation","url":"u"}`, `{"type":"file_path","file_id":"f"}`}, "annotations",
	},
	{
		wire.Gemini, "streamed", []string{
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]},"groundingMetadata":{}}],"modelVersion":"m"}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":"b"}]},"citationMetadata":{"citationSources":[{"uri":"u"}]}}],"modelVersion":"m"}`,
			`{"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"v"}}]}}],"modelVersion":"m"}`,
		},
		[]string{`{"citationSources":[{"uri":"u"}]}`, `{"groundingChunks":[{"web":{"uri":"v"}}]}`}, "",
	},
}

// read reads payloads and returns the response, and what passes a writer.
func readCited(t *testing.T, format wire.Format, payloads []string, force bool) (llm.Response, []byte) {
	t.Helper()
	var sent []byte
	whole := len(payloads) == 1
	out := stream.NewOutput(format.NewWriter(stream.WriterOptions{Force: force, Whole: whole}), func(p []byte) error {
		sent = append(sent, p...)
		return nil
	})
	p := stream.NewProcessor(format.NewDecoder(), stream.Limits{}, nil, out)
	for _, payload := range payloads {
		if err := p.Feed(t.Context(), "", []byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.End(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p.State().Response(), sent
}

func asStrings(sources []json.RawMessage) (all []string) {
	for _, source := range sources {
		all = append(all, string(source))
	}
	return all
}

func TestSourcesOfATextAreKept(t *testing.T) {
	for _, c := range cited {
		t.Run(string(c.format)+" "+c.name, func(t *testing.T) {
			r, _ := readCited(t, c.format, c.payloads, false)
			if r.Text() != "ab" || len(r.Choices[0].Blocks) != 1 {
				t.Fatalf("the answer is %+v", r.Choices)
			}
			if got := asStrings(r.Choices[0].Blocks[0].Citations); fmt.Sprint(got) != fmt.Sprint(c.sources) {
				t.Errorf("kept %s, want %s", got, c.sources)
			}
		})
	}
}

// Sources leave inside the payloads that they arrived in, even if everything is
// rewritten.
func TestSourcesStayInWhatIsWritten(t *testing.T) {
	for _, c := range cited {
		if c.format == wire.Gemini {
			continue // joined parts are written under the last one's metadata
		}
		_, sent := readCited(t, c.format, c.payloads, true)
		for _, source := range c.sources {
			if !bytes.Contains(sent, []byte(source)) {
				t.Errorf("%s, %s: %s is not in %s", c.format, c.name, source, sent)
			}
		}
	}
}

// A provider that takes sources back gets those of its own dialect with the text,
// whether the block still has its Raw or not; others get the text alone.
func TestSourcesAreSentBackToWhoTakesThem(t *testing.T) {
	for _, c := range cited {
		r, _ := readCited(t, c.format, c.payloads, false)
		bare := r.Choices[0].Blocks[0]
		bare.Raw, bare.ID = nil, ""
		for _, to := range wire.Formats() {
			for _, b := range []llm.Block{r.Choices[0].Blocks[0], bare} {
				body, err := to.AppendRequest(nil, &llm.Request{Model: "m", Messages: []llm.Message{
					{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: "q"}}}, {Role: llm.Assistant, Blocks: []llm.Block{b}},
				}})
				if err != nil {
					t.Fatalf("%s, %s to %s: %v", c.format, c.name, to, err)
				}
				if !json.Valid(body) {
					t.Fatalf("not JSON: %s", body)
				}
				wants := to == c.format && c.returns != ""
				for _, source := range c.sources {
					if strings.Contains(string(body), source) != wants {
						t.Errorf("%s, %s to %s: sent %v, want %v: %s", c.format, c.name, to, !wants, wants, body)
					}
				}
				if b.Raw == nil && wants && !strings.Contains(string(body), `"`+c.returns+`":[`+strings.Join(c.sources, ",")+`]`) {
					t.Errorf("%s, %s: %s", c.format, c.name, body)
				}
			}
		}
	}
}

// Deltas without sources cost what they cost before there were any.
func TestDeltasWithoutSourcesHaveNoCitations(t *testing.T) {
	for _, c := range cited {
		d := c.format.NewDecoder()
		var chunk stream.Chunk
		for _, payload := range c.payloads {
			chunk.Raw, chunk.Name = []byte(payload), ""
			if err := d.Decode(&chunk); err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(payload, `"annotation`) || strings.Contains(payload, "citation") || strings.Contains(payload, "grounding"); !has && len(chunk.Citations) > 0 {
				t.Errorf("%s, %s: %d citations of %s", c.format, c.name, len(chunk.Citations), payload)
			}
			chunk.Citations = append(chunk.Citations, stream.Event{Type: stream.EventCitation}) // as if of the payload before
		}
	}
}
