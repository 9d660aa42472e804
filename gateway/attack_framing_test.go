package gateway_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/wire"
)

// written is what a compressor makes of bytes.
func written(p []byte, open func(io.Writer) io.WriteCloser) []byte {
	var b bytes.Buffer
	w := open(&b)
	_, _ = w.Write(p)
	_ = w.Close()
	return b.Bytes()
}

func gzipped(p []byte) []byte {
	return written(p, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func brotlied(p []byte) []byte {
	return written(p, func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })
}

func deflated(p []byte) []byte {
	return written(p, func(w io.Writer) io.WriteCloser {
		f, _ := flate.NewWriter(w, flate.BestSpeed)
		return f
	})
}

// framings are what an upstream can put on the wire around an answer with a call that
// is blocked, and around one without.
func framings(evil, fine []byte) map[string]string {
	sized := func(status, header string, body []byte) string {
		return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s", status, header, len(body), body)
	}
	chunk := func(body []byte) string { return fmt.Sprintf("%x\r\n%s\r\n", len(body), body) }
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
	end := "0\r\n\r\n"
	all := map[string]string{
		"trailers":                       chunked + "Trailer: X-Call\r\n\r\n" + chunk(fine) + "0\r\nX-Call: " + harmfulMark + "\r\n\r\n",
		"trailers that are not declared": chunked + "\r\n" + chunk(fine) + "0\r\ndata: " + harmfulMark + "\r\n\r\n",
		"an extension of a chunk":        chunked + "\r\n" + fmt.Sprintf("%x;x=%s\r\n%s\r\n", len(fine), harmfulMark, fine) + end,
		"bytes after the last chunk":     chunked + "\r\n" + chunk(fine) + end + string(evil),
		"bytes after the length":         sized("200 OK", "", fine) + string(evil),
		"a second response":              sized("200 OK", "", fine) + sized("200 OK", "", evil),
		"a second answer":                sized("200 OK", "", bytes.Join([][]byte{fine, evil}, []byte("\n\n"))),
		"an answer in front":             sized("200 OK", "", bytes.Join([][]byte{evil, fine}, []byte("\n\n"))),
		"a length and chunks":            chunked + "Content-Length: 3\r\n\r\n" + chunk(evil) + end,
		"a length and no chunks":         chunked + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(evil), evil),
		"two lengths":                    fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: %d\r\n\r\n%s", len(evil), evil),
		"a length with a sign":           fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: +%d\r\n\r\n%s", len(evil), evil),
		"an unknown transfer encoding":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n" + chunk(evil) + end,
		"compressed in transfer":         "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + chunk(gzipped(evil)) + end,
		"no length":                      "HTTP/1.1 200 OK\r\n\r\n" + string(evil),
		"HTTP/1.0":                       "HTTP/1.0 200 OK\r\n\r\n" + string(evil),
		"no status line":                 string(evil),
		"line feeds":                     fmt.Sprintf("HTTP/1.1 200 OK\nContent-Length: %d\n\n%s", len(evil), evil),
		"a multipart body":               sized("200 OK", "Content-Type: multipart/mixed; boundary=x\r\n", []byte("--x\r\nContent-Type: application/json\r\n\r\n"+string(evil)+"\r\n--x--\r\n")),
		"a byte order mark":              sized("200 OK", "", append([]byte("\xef\xbb\xbf"), evil...)),
		"a list":                         sized("200 OK", "", []byte("["+string(evil)+"]")),
		"text in front":                  sized("200 OK", "", append([]byte("hello\n\n"), evil...)),
		"carriage returns":               sized("200 OK", "", bytes.ReplaceAll(evil, []byte("\n"), []byte("\r"))),
		"members of gzip":                sized("200 OK", "Content-Encoding: gzip\r\n", append(gzipped(fine), gzipped(evil)...)),
		"bytes after gzip":               sized("200 OK", "Content-Encoding: gzip\r\n", append(gzipped(fine), evil...)),
		"no gzip":                        sized("200 OK", "Content-Encoding: gzip\r\n", evil),
		"gzip that is not told":          sized("200 OK", "", gzipped(evil)),
	}
	for _, status := range []string{"100 Continue", "102 Processing", "103 Early Hints", "199 X", "101 Switching Protocols"} {
		head := "HTTP/1.1 " + status + "\r\nX-Call: " + harmfulMark + "\r\n"
		all["a body of "+status] = head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(evil), evil) + sized("200 OK", "", fine)
		all["headers of "+status] = head + "\r\n" + sized("200 OK", "", fine)
	}
	for _, kind := range []string{"text/event-stream", "application/json", "application/x-ndjson", "multipart/mixed; boundary=x", "text/plain; charset=utf-16", "text/html", "application/vnd.amazon.eventstream"} {
		for _, status := range []string{"200 OK", "204 No Content", "206 Partial Content", "299 X", "304 Not Modified", "400 Bad Request", "529 X", "600 X", "099 X"} {
			all[kind+" with "+status] = sized(status, "Content-Type: "+kind+"\r\n", evil)
		}
	}
	for encoding, body := range map[string][]byte{
		"gzip, gzip": gzipped(gzipped(evil)), "gzip, br": brotlied(gzipped(evil)), "deflate, br": brotlied(deflated(evil)), "gzip, gzip, gzip": gzipped(gzipped(gzipped(evil))),
		"identity, gzip": gzipped(evil), "gzip;q=1": gzipped(evil), "gzip\r\nContent-Encoding: br": brotlied(gzipped(evil)), "br": brotlied(evil), "dcb": evil, "identity": evil, ",": evil,
	} {
		for _, status := range []string{"200 OK", "400 Bad Request"} {
			all[fmt.Sprintf("%q with %s", encoding, status)] = sized(status, "Content-Encoding: "+encoding+"\r\n", body)
		}
	}
	return all
}

// harmfulMark is in the call that is blocked, and in nothing that a client may get.
const harmfulMark = "no-preserve-root"

// However an upstream frames an answer, what reaches the client of it was judged: no
// interim answer, trailer, encoding, second answer or lie about any of them carries a
// blocked call. Everything on the client's connection is read.
func TestAttackFramingOfAnswers(t *testing.T) {
	t.Parallel()
	var raw atomic.Pointer[string]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					_, _ = io.WriteString(conn, *raw.Load())
				}
			}()
		}
	}()
	tried := every(3)
	for _, format := range wire.Formats() {
		b := newBench(t, func(c *gateway.Config) {
			up := gateway.Upstream{URL: "http://" + listener.Addr().String()}
			c.Upstreams = gateway.Upstreams{Anthropic: up, OpenAI: up, Gemini: up, ChatGPT: up}
		})
		for _, streamed := range []bool{true, false} {
			evil, fine := reply(format, streamed, said("x", harmful)).Body, reply(format, streamed, said("fine")).Body
			for name, sent := range framings(evil, fine) {
				raw.Store(&sent)
				for _, asks := range []bool{true, false} {
					if !tried() {
						continue
					}
					got := everything(t, b, format, asks)
					if got == "" || strings.Contains(got, harmfulMark) || strings.Contains(got, string(gzipped(evil)[10:40])) || strings.Contains(got, string(brotlied(evil))) {
						t.Errorf("%s, %s, streamed %t, asked for a stream %t: the client gets\n%.2000s", format, name, streamed, asks, got)
					}
				}
			}
		}
	}
}

// everything is all bytes that a client gets on its connection.
func everything(t *testing.T, b *bench, format wire.Format, stream bool) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // only if something is broken
	body := question(format, stream)
	if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTE: trailers\r\nAccept-Encoding: gzip, br\r\nContent-Length: %d\r\n\r\n%s",
		target(format, stream), len(body), body); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Errorf("the answer cannot be read: %v", err)
	}
	return string(got)
}
