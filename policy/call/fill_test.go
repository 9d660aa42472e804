package call

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
)

// Arguments that are known to be readable are read in the same way as others.
func TestFillIsRead(t *testing.T) {
	blocks := Shapes(`cd /srv && git -C r log "a\tb" | head -5 > out; cat "$(ls)"`)
	for _, arguments := range []string{
		``, `{}`, ` {"file_path":"a\u0062.go","content":"x"}`, `{"url":"https:\/\/x.example"}`, `{"paths":["a","b\\c"],"env":{"A":"b\n"}}`,
		`{"name":"Bash","arguments":"{\"command\":\"ls\"}"}`, `{"tool_calls":[{"name":"Bash","arguments":{"command":"rm -r \"a b\""}}]}`,
	} {
		for _, name := range []string{"Read", "Bash", "mcp__a__b", "run_tool", "batch", "WebFetch", "Edit"} {
			blocks = append(blocks, llm.Block{Kind: llm.ToolCall, Type: "tool_use", Name: name, Arguments: arguments, Status: llm.Complete})
		}
	}
	at := Place{Cwd: "/srv", Home: "/home/ada"}
	for i := range blocks {
		b := &blocks[i]
		readable := !b.Freeform() && llm.CheckArguments(b.Arguments) == nil
		var c Call
		c.Fill(b, Setting{Place: at}, readable)
		if got, want := shown(&c), shown(Read(b, at)); got != want {
			t.Errorf("%s %s:\n%s, want\n%s", b.Name, b.Arguments, got, want)
		}
	}
}

func shown(c *Call) string {
	return fmt.Sprintf("%q %q %s %q %q %+v %q %q %q %q %v", c.Name, c.RawName, c.Kind, c.Server, c.Raw, c.Commands, c.Reads, c.Writes, c.URLs, c.Unknown, c.Incomplete)
}

// Tools that are known are not asked whether they pass calls on.
func TestNoKnownToolPassesCallsOn(t *testing.T) {
	for _, known := range tables().tools {
		if means(known.name, "passes") || means(known.name, "passes-all") {
			t.Errorf("%s passes calls on", known.name)
		}
	}
}

func TestToolsAreFoundWhateverTheCaseOfTheirNames(t *testing.T) {
	for _, known := range tables().tools {
		for _, name := range []string{known.name, strings.ToUpper(known.name), strings.ToLower(known.name)} {
			if got, ok := lookup(name); !ok || got != known {
				t.Errorf("%s: got %v", name, got)
			}
		}
	}
	for _, name := range []string{"", "Bash ", strings.Repeat("a", mostName), strings.Repeat("a", mostName+1), "bäsh"} {
		if got, ok := lookup(name); ok {
			t.Errorf("%q is %v", name, got)
		}
	}
	if got, ok := lookup("web_\u212Fetch"); ok {
		t.Errorf("got %v", got)
	}
	if _, ok := lookup("Tas\u212A"); !ok { // the sign of the kelvin is a K
		t.Error("a letter of another alphabet has no lower case")
	}
}
