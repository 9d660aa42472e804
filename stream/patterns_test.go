package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// sections reads a txtar file: a comment, and texts under names ("-- name --").
func sections(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	name := "comment"
	for line := range strings.Lines(string(file)) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "-- ") && strings.HasSuffix(trimmed, " --") {
			name = strings.TrimSuffix(strings.TrimPrefix(trimmed, "-- "), " --")
			continue
		}
		found[name] += line
	}
	return found
}

// lines is a source whose payloads are lines.
type lines struct {
	rest []string
	last []byte
}

func (l *lines) NextPayload() (name, data []byte, err error) {
	if len(l.rest) == 0 {
		return nil, nil, io.EOF
	}
	l.last = []byte(l.rest[0])
	l.rest = l.rest[1:]
	return nil, l.last, nil
}

// spell writes a block as "KEY KIND#INDEX STATUS NAME TEXT", without what it has not.
func spell(b *stream.Block) string {
	if b == nil {
		return "-"
	}
	words := []string{b.Key(), b.Kind().String()}
	if b.Index() >= 0 {
		words[1] += fmt.Sprintf("#%d", b.Index())
	}
	if b.Status() != llm.Open && b.Status() != llm.Complete {
		words = append(words, b.Status().String())
	}
	if b.Name() != "" {
		words = append(words, b.Name())
	}
	if b.Text() != "" {
		words = append(words, b.Text())
	}
	return strings.Join(words, " ")
}

func spellAll(blocks []*stream.Block) string {
	if len(blocks) == 0 {
		return "-"
	}
	var all []string
	for _, b := range blocks {
		all = append(all, spell(b))
	}
	return strings.Join(all, ", ")
}

// What current, hinted, completed and finish are after each chunk, for the patterns
// in which models answer. The files under testdata/patterns are written and checked
// by hand.
func TestPatternsOfAnswersChunkByChunk(t *testing.T) {
	files, err := filepath.Glob("testdata/patterns/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			c := sections(t, path)
			source := &lines{rest: strings.Split(strings.TrimSpace(c["payloads"]), "\n")}
			format, err := wire.ParseFormat(strings.TrimSpace(c["format"]))
			if err != nil {
				t.Fatal(err)
			}
			var table strings.Builder
			fmt.Fprintln(&table, "chunk | current | hinted | completed | finish")
			handler := stream.HandlerFunc(func(_ context.Context, chunk *stream.Chunk, state *stream.State, _ *stream.Output) error {
				row := fmt.Sprint(chunk.Seq + 1)
				if chunk.Raw == nil {
					row = "end"
				} else if !bytes.Equal(chunk.Raw, source.last) {
					t.Errorf("chunk %s is not the payload as it came: %s", row, chunk.Raw)
				}
				finish := state.FinishReason()
				if finish == "" {
					finish = "-"
				}
				fmt.Fprintf(&table, "%s | %s | %s | %s | %s\n", row, spell(state.Current()), spellAll(state.Hinted()), spellAll(state.Completed()), finish)
				return nil
			})
			if _, err := stream.Process(t.Context(), source, format.NewDecoder(), handler, nil); err != nil {
				t.Error(err)
			}
			if want := strings.TrimSpace(c["blocks"]); strings.TrimSpace(table.String()) != want {
				t.Errorf("the chunks give\n%s\nwant\n%s", table.String(), want)
			}
		})
	}
}
