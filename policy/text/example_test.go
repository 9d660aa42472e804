package text_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/text"
)

// A key arrives in pieces. What comes before it leaves at once; the key never
// does.
func Example() {
	chain, err := text.Compile(
		text.Rule{Name: "keys", Patterns: []string{`sk-[a-z0-9]{8,}`}, Replacement: "[key]"},
		text.Rule{Name: "users", Patterns: []string{`(\w+)@example\.com`}, Replacement: "$1@..."},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	input := ""
	s := chain.NewStream(text.StreamOptions{})
	take := func() {
		for _, p := range s.Pieces() {
			if p.Replaced {
				fmt.Printf("%d-%d replaced %q\n", p.Start, p.End, p.Text)
			} else {
				fmt.Printf("%d-%d as it is %q\n", p.Start, p.End, input[p.Start:p.End])
			}
		}
	}
	for _, piece := range []string{"Use s", "k-12", "34abcd", "ef. ", "Or ask jo@example.com"} {
		input += piece
		s.WriteString(piece)
		take()
	}
	s.End()
	take()
	// Output:
	// 0-4 as it is "Use "
	// 4-17 replaced "[key]"
	// 17-19 as it is ". "
	// 19-26 as it is "Or ask "
	// 26-40 replaced "jo@..."
}
