package gateway_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// What arrived before an answer ended too early reaches the client before the
// error, even if all of it arrived at once.
func TestWhatCameAtOnceIsNotTakenBack(t *testing.T) {
	for _, format := range wire.Formats() {
		whole := reply(format, true, []llm.Block{{Kind: llm.Content, Text: "some words, and more of them"}}, sluicetest.BuildOptions{MaxPiece: 8})
		whole.Stream = false
		words := eventWith(whole, "some")
		whole.Body = whole.Body[:whole.Event(words)]
		b := newBench(t, nil, whole)
		got := b.ask(format, true)
		if got.status != http.StatusOK || !bytes.HasPrefix(got.body, whole.Body) {
			t.Errorf("%s: status %d, %s", format, got.status, got.body)
		}
		failedStream(t, format, got)
	}
}

// A client that knows no chunks gets all of a long answer: no end is written after
// it with which its last piece could leave.
func TestOldClientsGetAllOfIt(t *testing.T) {
	text := strings.Repeat("some words that come all at once ", 500)
	sent := reply(wire.OpenAIChat, true, []llm.Block{{Kind: llm.Content, Text: text}}, sluicetest.BuildOptions{MaxPiece: 40})
	sent.Stream = false // its end comes with its last bytes
	b := newBench(t, nil, sent, sent)
	for _, version := range []string{"1.0", "1.1"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		body := question(wire.OpenAIChat, true)
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/%s\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
			target(wire.OpenAIChat, true), version, strings.TrimPrefix(b.url, "http://"), len(body), body); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		_ = conn.Close()
		if err != nil || !bytes.Equal(got, sent.Body) {
			t.Errorf("HTTP/%s: got %d bytes of %d: %v", version, len(got), len(sent.Body), err)
		}
	}
}
