package openairesponses_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire/openairesponses"
)

// corpusStreams returns the recorded streams of this dialect. They are not part
// of the repository.
func corpusStreams(t *testing.T) []string {
	t.Helper()
	dir := os.Getenv("SLUICE_CORPUS")
	if dir == "" {
		t.Skip("SLUICE_CORPUS is not set: it names the directory with the recorded streams")
	}
	files, err := filepath.Glob(filepath.Join(dir, "openai-responses", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no streams in %s: %v", dir, err)
	}
	return files
}

func TestCorpusForcedOutputSaysTheSame(t *testing.T) {
	for _, file := range corpusStreams(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".jsonl"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := must(t, lines(string(data))...)
			pass, force := newWriter(false), openairesponses.NewWriter(stream.WriterOptions{Force: true})
			var passed, forced []byte
			for _, c := range a.chunks {
				if passed, err = pass.Write(passed, c); err != nil {
					t.Fatal(err)
				}
				if forced, err = force.Write(forced, c); err != nil {
					t.Fatal(err)
				}
			}
			for i, p := range payloadsOf(passed) {
				if !bytes.Equal(p, a.chunks[i].Raw) {
					t.Fatalf("payload %d changed on its way", i)
				}
			}
			got, want := read(t, forced), a
			for i, b := range want.state.Blocks() {
				if i >= len(got.state.Blocks()) {
					t.Fatalf("%d blocks, want %d", len(got.state.Blocks()), len(want.state.Blocks()))
				}
				g := got.state.Blocks()[i]
				if g.Kind() != b.Kind() || g.Text() != b.Text() || g.Name() != b.Name() || g.Signature() != b.Signature() || g.Status() != b.Status() {
					t.Errorf("block %d is %s %q %s, want %s %q %s", i, g.Kind(), g.Text(), g.Status(), b.Kind(), b.Text(), b.Status())
				}
			}
			if got.state.FinishReason() != want.state.FinishReason() {
				t.Errorf("finish %q, want %q", got.state.FinishReason(), want.state.FinishReason())
			}
		})
	}
}
