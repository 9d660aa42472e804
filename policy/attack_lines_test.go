package policy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

// Some clients end a line of an event stream at characters at which it does not end, cannot
// read the payload then, and go on without it. What they miss of a call would make it
// another one, so a judged call leaves without such characters, and with the same
// arguments; other texts keep their bytes.
func TestAttackNoCharacterEndsALineInACall(t *testing.T) {
	t.Parallel()
	const ends = "\u0085\u2028\u2029"
	r := rand.New(rand.NewPCG(8, 28))
	for _, format := range wire.Formats() {
		for _, end := range ends {
			for pieces := 1; pieces < 12; pieces++ {
				name := fmt.Sprintf("%s %U, pieces of %d", format, end, pieces)
				arguments := `{"command":"ls ` + strings.Repeat("-a"+string(end), 3) + ` build"}`
				blocks := [][]llm.Block{{says("a" + string(end) + "b"), call("Bash", arguments), call("Read", `{"path":"x"}`)}}
				payloads := sluicetest.Build(string(format), blocks, sluicetest.BuildOptions{Rand: r, MaxPiece: pieces})
				d := noMark(t).Stream(context.Background(), string(format), bytes.NewReader(sluicetest.SSE(string(format), payloads)))
				if d.Err != nil || d.Invalid != nil {
					t.Fatalf("%s: %v, %v\n%s", name, d.Err, d.Invalid, d.Bytes)
				}
				var same bool
				for _, b := range d.Response.Calls() {
					same = same || equalJSON(b.Arguments, arguments)
				}
				if !same {
					t.Errorf("%s: the call has other arguments\n%s", name, d.Bytes)
				}
				for line := range bytes.Lines(d.Bytes) {
					if bytes.ContainsAny(line, ends) && bytes.Contains(line, []byte("-a")) {
						t.Errorf("%s: %s", name, line)
					}
				}
			}
			said := sluicetest.SSE(string(format), sluicetest.Build(string(format), [][]llm.Block{{says("a" + string(end) + "b")}}, sluicetest.BuildOptions{}))
			if d := noMark(t).Stream(context.Background(), string(format), bytes.NewReader(said)); !bytes.Equal(d.Bytes, said) {
				t.Errorf("%s %U: a text has other bytes\n%s", format, end, d.Bytes)
			}
		}
	}
}

func equalJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// Clients that count blocks and go on without the beginning of one would give a later call
// what belongs to another: no beginning of a block has such a character.
func TestAttackNoCharacterEndsALineWhereABlockBegins(t *testing.T) {
	t.Parallel()
	for _, end := range "\u0085\u2028\u2029" {
		text := "a" + string(end) + "b"
		for format, answer := range map[string]string{
			sluicetest.Anthropic:       strings.Replace(anthropicWith(`{"type":"text","text":"`+text+`"}`), `"stop_reason":"tool_use"`, `"stop_reason":"end_turn"`, 1),
			sluicetest.OpenAIResponses: responsesWith(`{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"` + text + `","annotations":[]}]}`),
		} {
			d := noMark(t).Stream(context.Background(), format, strings.NewReader(answer))
			if d.Err != nil || d.Invalid != nil || bytes.ContainsRune(d.Bytes, end) || d.Response.Text() == "" {
				t.Errorf("%s %U: %v, %v\n%s", format, end, d.Err, d.Invalid, d.Bytes)
			}
		}
	}
}
