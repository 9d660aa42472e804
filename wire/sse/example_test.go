package sse_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/sluice-project/sluice/wire/sse"
)

func Example() {
	body := ": keep-alive\n\n" +
		"event: greeting\ndata: {\"text\":\"hello\"}\n\n" +
		"data: {\ndata:  \"pretty\": true\ndata: }\n\n" +
		"data: [DONE]\n" // the last empty line is missing, as it often is

	r := sse.NewReader(strings.NewReader(body), sse.Options{})
	for {
		ev, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println("broken stream:", err)
			break
		}
		fmt.Printf("%q %q\n", ev.Name, ev.Data)
	}
	// Output:
	// "greeting" "{\"text\":\"hello\"}"
	// "" "{\n \"pretty\": true\n}"
	// "" "[DONE]"
}

func ExampleReader_Next_truncated() {
	r := sse.NewReader(strings.NewReader("data: {\"text\":\"hel"), sse.Options{})
	_, err := r.Next()
	fmt.Println(err)
	// Output: sse: stream ended inside an event: unexpected EOF
}

func ExampleAppendEvent() {
	b := sse.AppendComment(nil, "keepalive")
	b = sse.AppendEvent(b, "ping", []byte(`{"type":"ping"}`))
	fmt.Printf("%q", b)
	// Output: ": keepalive\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n"
}
