package stream_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/stream"
)

func TestAnOutputGathersUntilItIsToldToHandOn(t *testing.T) {
	var handed []string
	out := stream.NewOutput(plainWriter{}, func(p []byte) error {
		handed = append(handed, string(p))
		return nil
	})
	send := func(payload string) {
		t.Helper()
		if err := out.Send(&stream.Chunk{Raw: []byte(payload)}); err != nil {
			t.Fatal(err)
		}
	}
	send("a")
	out.Gather()
	send("b")
	send("c")
	if want := []string{"a"}; !slices.Equal(handed, want) || out.Sent() != 3 {
		t.Fatalf("handed on %q with %d sent, want %q and 3", handed, out.Sent(), want)
	}
	if err := out.HandOn(); err != nil {
		t.Fatal(err)
	}
	if err := out.HandOn(); err != nil { // nothing is handed on twice
		t.Fatal(err)
	}
	send("d")
	if want := []string{"a", "bc", "d"}; !slices.Equal(handed, want) {
		t.Fatalf("handed on %q, want %q", handed, want)
	}
	// What has become large need not wait, so that a stream that waits keeps little.
	out.Gather()
	large := strings.Repeat("x", 4<<10-1)
	send(large)
	if len(handed) != 3 {
		t.Fatal("less than is worth handing on was handed on")
	}
	send("y")
	if len(handed) != 4 || handed[3] != large+"y" {
		t.Fatalf("%d times handed on, want 4", len(handed))
	}
}

func TestAnOutputHandsOnBeforeAnErrorIsReturned(t *testing.T) {
	var handed []byte
	out := stream.NewOutput(plainWriter{}, func(p []byte) error {
		handed = append(handed, p...)
		return nil
	})
	out.Gather()
	for _, payload := range []string{"a", "fail"} {
		if err := out.Send(&stream.Chunk{Raw: []byte(payload)}); (err != nil) != (payload == "fail") {
			t.Fatalf("%s: %v", payload, err)
		}
	}
	if string(handed) != "a" {
		t.Fatalf("handed on %q, want a", handed)
	}
}

func TestAnOutputNeverKeepsTheEndBack(t *testing.T) {
	for name, end := range map[string]func(*stream.Output) error{
		"terminated": (*stream.Output).Terminate,
		"failed":     func(o *stream.Output) error { return o.Fail(stream.ErrIncomplete) },
	} {
		var handed []byte
		out := stream.NewOutput(plainWriter{}, func(p []byte) error {
			handed = append(handed, p...)
			return nil
		})
		out.Gather()
		if err := out.Send(&stream.Chunk{Raw: []byte("a")}); err != nil {
			t.Fatal(err)
		}
		if err := end(out); err != nil {
			t.Fatal(err)
		}
		if string(handed) != "a." {
			t.Errorf("%s: handed on %q, want what was kept and the end", name, handed)
		}
	}
}

// What is refused was not sent, and what is sent in its place was.
func TestAnOutputCountsWhatLeaves(t *testing.T) {
	var handed []byte
	out := stream.NewOutput(editedWriter{}, func(p []byte) error {
		handed = append(handed, p...)
		return nil
	})
	out.Guard(refusesBad{})
	for _, payload := range []string{"good", "a bad one"} {
		if err := out.Send(&stream.Chunk{Raw: []byte(payload)}); (err != nil) != (payload != "good") {
			t.Fatalf("%s: %v", payload, err)
		}
	}
	if string(handed) != "good, and then stopped" || out.Sent() != int64(len(handed)) {
		t.Errorf("handed on %q and counted %d", handed, out.Sent())
	}
}

// editedWriter is a plainWriter whose bytes an exit looks at.
type editedWriter struct{ plainWriter }

func (editedWriter) Edited() bool { return true }

type refusesBad struct{}

func (refusesBad) Inspect(p []byte) error {
	if strings.Contains(string(p), "bad") {
		return stream.ErrGap
	}
	return nil
}

func (refusesBad) Failure(dst []byte, _ error) []byte { return append(dst, ", and then stopped"...) }

// plainWriter writes payloads without any framing.
type plainWriter struct{ stream.Writer }

func (plainWriter) Write(dst []byte, c *stream.Chunk) ([]byte, error) {
	if string(c.Raw) == "fail" {
		return dst, stream.ErrGap
	}
	return append(dst, c.Raw...), nil
}

func (plainWriter) Terminate(dst []byte) ([]byte, error) { return append(dst, '.'), nil }

func (plainWriter) Fail(dst []byte, _ error) ([]byte, error) { return append(dst, '.'), nil }
