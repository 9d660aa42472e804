package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
)

// chatChunk is a typical payload of an OpenAI chat completion stream.
const chatChunk = `{"id":"chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012","object":"chat.completion.chunk","created":1731628800,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_1bb46167f9","choices":[{"index":0,"delta":{"content":" streaming"},"logprobs":null,"finish_reason":null}],"usage":null}`

var escapedChunk = strings.Replace(chatChunk, `" streaming"`, `"{\"path\": \"a.go\",\n\t\"x\": \"\u00e9\"}"`, 1)

var spacedChunk = strings.NewReplacer(`":`, `": `, `,"`, `, "`).Replace(chatChunk)

// chunk is what a gateway takes from a payload.
type chunk struct {
	id, model, content []byte
	index              int64
	usage              []byte
	buf                []byte
}

// walk reads a chat chunk the way a decoder does.
func walk(s *Scanner, data []byte, c *chunk) error {
	s.Reset(data)
	c.buf = c.buf[:0]
	if !s.Object() {
		s.Skip()
		return s.End()
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "id":
			if c.id, ok = s.Str(&c.buf); !ok {
				s.Skip()
			}
		case "model":
			if c.model, ok = s.Str(&c.buf); !ok {
				s.Skip()
			}
		case "usage":
			c.usage = s.Raw()
		case "choices":
			if !s.Array() {
				s.Skip()
				continue
			}
			for s.Elem() {
				walkChoice(s, c)
			}
		default:
			s.Skip()
		}
	}
	return s.End()
}

func walkChoice(s *Scanner, c *chunk) {
	if !s.Object() {
		s.Skip()
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		switch string(key) {
		case "index":
			if c.index, ok = s.Int(); !ok {
				s.Skip()
			}
		case "delta":
			if !s.Object() {
				s.Skip()
				continue
			}
			for key, ok := s.Key(); ok; key, ok = s.Key() {
				if string(key) == "content" {
					if c.content, ok = s.Str(&c.buf); ok {
						continue
					}
				}
				s.Skip()
			}
		default:
			s.Skip()
		}
	}
}

func benchWalk(b *testing.B, text string) {
	data := []byte(text)
	var s Scanner
	var c chunk
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := walk(&s, data, &c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWalkChunk(b *testing.B)        { benchWalk(b, chatChunk) }
func BenchmarkWalkChunkEscaped(b *testing.B) { benchWalk(b, escapedChunk) }
func BenchmarkWalkChunkSpaced(b *testing.B)  { benchWalk(b, spacedChunk) }

func BenchmarkValid(b *testing.B) {
	data := []byte(chatChunk)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if Valid(data) != nil {
			b.Fatal("invalid")
		}
	}
}

// BenchmarkStandardValid puts BenchmarkValid in relation.
func BenchmarkStandardValid(b *testing.B) {
	data := []byte(chatChunk)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		json.Valid(data)
	}
}

func BenchmarkValidDeep(b *testing.B) {
	data := []byte(strings.Repeat(`{"a":[`, 256) + strings.Repeat(`]}`, 256))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if Valid(data) != nil {
			b.Fatal("invalid")
		}
	}
}

func BenchmarkSkipLongString(b *testing.B) {
	data := []byte(`"` + strings.Repeat("lorem ipsum ", 400) + `"`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if Valid(data) != nil {
			b.Fatal("invalid")
		}
	}
}

func BenchmarkUnquoteDense(b *testing.B) {
	data := []byte(`"` + strings.Repeat(`{\"key\": \"value\"},\n\t`, 40) + `"`)
	var buf []byte
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = Unquote(buf[:0], data)
	}
}

func BenchmarkGet(b *testing.B) {
	data := []byte(chatChunk)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := Get(data, "usage"); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	for name, text := range map[string]string{
		"Plain":   strings.Repeat("plain text ", 20),
		"Escapes": strings.Repeat("line \"of\" code\n\t", 14),
		"Chinese": strings.Repeat("流式网关", 18),
	} {
		b.Run(name, func(b *testing.B) {
			var buf []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				buf = AppendString(buf[:0], text)
			}
		})
	}
}

func BenchmarkClassify(b *testing.B) {
	data := []byte(`{"path":"internal/jsonscan/scanner.go","edits":[{"old":"a\nb","new":"c"},{"old":"d","new":"e"}],"dry_run":false,"limit":100}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if Classify(data) != ShapeObject {
			b.Fatal("not an object")
		}
	}
}
