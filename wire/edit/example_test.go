package edit_test

import (
	"fmt"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire/edit"
)

// A text is redacted in a request, and every other byte stays, also the spaces
// that a decoder and an encoder would have lost.
func ExampleEdits_ReplaceString() {
	body := []byte(`{ "model":"m",  "prompt": "my key is sk-123" }`)
	_, at, _ := jsonscan.Get(body, "prompt")

	var e edit.Edits
	e.ReplaceString(llm.Span{Start: at[0], End: at[1]}, "my key is [redacted]")
	edited, err := e.Apply(nil, body)
	fmt.Println(string(edited), err)
	// Output: { "model":"m",  "prompt": "my key is [redacted]" } <nil>
}

// An element goes together with its comma; what is put next to it takes its
// place.
func ExampleEdits_Remove() {
	body := []byte(`[{"call":1}, {"call":2}]`)

	var e edit.Edits
	e.Remove(llm.Span{Start: 1, End: 11})
	e.InsertFirst(body, llm.Span{Start: 0, End: len(body)}, []byte(`"blocked"`))
	edited, err := e.Apply(nil, body)
	fmt.Println(string(edited), err)
	// Output: ["blocked", {"call":2}] <nil>
}
