package jsonscan_test

import (
	"fmt"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

func ExampleScanner() {
	payload := []byte(`{"id": "c1", "choices": [{"index": 0, "delta": {"content": "Hi\n"}}], "usage": null}`)

	var (
		s   jsonscan.Scanner // reuse both for the next payload
		buf []byte
	)
	s.Reset(payload)
	s.Object()
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		if string(key) != "choices" || !s.Array() {
			s.Skip()
			continue
		}
		for s.Elem() {
			start := s.Pos()
			content, _, ok := jsonscan.Get(s.Raw(), "delta", "content")
			if ok {
				buf, _ = jsonscan.Unquote(buf[:0], content)
				fmt.Printf("choice at %d: %q\n", start, buf)
			}
		}
	}
	fmt.Println("error:", s.End())
	// Output:
	// choice at 25: "Hi\n"
	// error: <nil>
}

func ExampleClassify() {
	for _, arguments := range []string{``, `{"a":1}`, `{"a":1,"\u0061":2}`, `{"a":`, `{"a";1}`, `[1]`} {
		fmt.Println(jsonscan.Classify([]byte(arguments)))
	}
	// Output:
	// object
	// object
	// duplicate
	// truncated
	// invalid
	// other
}
