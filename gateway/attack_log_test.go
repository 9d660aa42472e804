package gateway_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// What an upstream sends where HTTP or the dialect has no place for it is in no log,
// no record and no answer: it may be another's secret, or lines of a log.
func TestAttackUpstreamsThatWriteIntoTheLog(t *testing.T) {
	t.Parallel()
	const mark = "sk-ant-X9ZZY"
	const head = "HTTP/1.1 200 OK\r\n"
	raw := func(text string) sluicetest.Reply { return sluicetest.Reply{Raw: true, Body: []byte(text)} }
	encoded := reply(wire.Anthropic, true, said("ok"))
	encoded.Header.Set("Content-Encoding", mark)
	for name, r := range map[string]sluicetest.Reply{
		"no status line":            raw(mark + "\r\n\r\n"),
		"lines of a log":            raw("level=INFO msg=" + mark + "\n\n"),
		"an odd protocol":           raw("SPDY/9 " + mark + "\r\n\r\n"),
		"an odd status":             raw("HTTP/1.1 " + mark + "\r\n\r\n"),
		"an odd version":            raw("HTTP/" + mark + " 200 OK\r\n\r\n"),
		"a header without a colon":  raw(head + mark + "\r\n\r\n"),
		"a header with a space":     raw(head + mark + " : x\r\n\r\n"),
		"a header that is folded":   raw(head + " " + mark + "\r\n\r\n"),
		"an odd length":             raw(head + "Content-Length: " + mark + "\r\n\r\n"),
		"two lengths":               raw(head + "Content-Length: 1\r\nContent-Length: 2" + mark + "\r\n\r\n"),
		"an odd transfer encoding":  raw(head + "Transfer-Encoding: " + mark + "\r\n\r\n"),
		"an odd chunk":              raw(head + "Transfer-Encoding: chunked\r\n\r\n" + mark + "\r\n"),
		"an odd trailer":            raw(head + "Trailer: Content-Length," + mark + "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		"an odd content encoding":   encoded,
		"a redirect":                {Status: http.StatusFound, Header: headers("Location", "http://"+mark+"/")},
		"a payload that is no JSON": {Stream: true, Header: headers("Content-Type", "text/event-stream"), Body: []byte("data: {\"" + mark + "\n\n")},
		"a payload that is odd":     {Stream: true, Header: headers("Content-Type", "text/event-stream"), Body: []byte("event: message_start\ndata: {\"type\":\"message_start\",\"message\":\"" + mark + "\"}\n\n")},
		"an event with an odd name": {Stream: true, Header: headers("Content-Type", "text/event-stream"), Body: []byte("event: " + mark + "\ndata: {\"type\":\"content_block_delta\",\"index\":7}\n\n")},
		"a body that is no answer":  {Header: headers("Content-Type", "application/json"), Body: []byte(`{"` + mark + `":1}`)},
		"a page":                    {Header: headers("Content-Type", "text/html"), Body: []byte("<p>" + mark)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil, r)
			for _, stream := range []bool{true, false} {
				got := b.ask(wire.Anthropic, stream)
				for _, event := range got.story().json {
					if bytes.Contains(event, []byte(mark)) {
						t.Errorf("it is in a record: %s", event)
					}
				}
				if strings.Contains(string(got.body), mark) {
					t.Errorf("the client got it: %s", got.body)
				}
			}
			if log := b.log.String(); strings.Contains(log, mark) {
				t.Errorf("it is in the log: %s", log)
			}
		})
	}
}
