package call_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/call"
)

// disguised are names that somebody takes for the tool's own.
func disguised(name string) []string {
	return []string{
		name, `"` + name + `"`, `'` + name + `'`, "`" + name + "`", `\"` + name + `\"`, ` ` + name + "\t", `["` + name + `"]`, `<` + name + `>`, name + `;`,
		`functions.` + name, `"functions.` + name + `"`, `functions."` + name + `"`, strings.ToUpper(name), name + ":0", `mcp__s__` + name, `mcp__s__"` + name + `"`,
	}
}

// Quotes, signs and prefixes around a name do not make it another tool's.
func TestAToolIsKnownInEveryDress(t *testing.T) {
	for _, name := range disguised("Bash") {
		c := call.Read(function(name, `{"command":"rm -rf ~/"}`), home)
		if got := effectsOf(c); c.Name != "Bash" || !slices.Contains(got, deletesHome) {
			t.Errorf("%s: is %q with %q", name, c.Name, got)
		}
	}
	for _, name := range disguised("frobnicate") {
		c := call.Read(function(name, `{}`), home)
		if want := "frobnicate"; strings.ContainsAny(name, "\"'`") && strings.Trim(c.Name, "[]") != want && strings.Trim(c.Name, `"[]`) != want {
			t.Errorf("%s: is %q", name, c.Name)
		}
	}
}

// Free text that is JSON is what a tool of the same name takes as arguments, and the
// other way round: both are judged.
func TestFreeTextThatIsJSONIsReadBothWays(t *testing.T) {
	for _, name := range []string{"Bash", "exec", "shell", "unheard_of"} {
		for _, text := range []string{
			`{"command":"rm -rf ~/"}`, ` {"cmd":"rm -rf ~/"} `, `{"command":["bash","-lc","rm -rf ~/"]}`, `{"input":{"command":"rm -rf ~/"}}`,
			`"{\"command\":\"rm -rf ~/\"}"`, `["bash","-lc","rm -rf ~/"]`, `"rm -rf ~/"`, `{"commands":["rm -rf ~/"]}`,
		} {
			if name == "unheard_of" && !strings.Contains(text, "{") {
				continue // it says nowhere that this is a command
			}
			c := call.Read(&llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", Name: name, Arguments: text, Status: llm.Complete}, home)
			if got := effectsOf(c); !slices.Contains(got, deletesHome) {
				t.Errorf("%s %s: %q", name, text, got)
			}
			if c.Raw != text || c.Args() != nil {
				t.Errorf("%s %s: is given %s", name, text, c.Raw)
			}
		}
	}
}

// A command is found however many levels down it stands, beside another one as well.
func TestCommandsSomeLevelsDown(t *testing.T) {
	bodies := []string{`{"command":"rm -rf ~/"}`}
	for range 3 {
		for _, body := range bodies[max(0, len(bodies)-6):] {
			quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(body)
			bodies = append(bodies, `{"input":`+body+`}`, `{"arguments":"`+quoted+`"}`, `{"params":`+body+`}`, `{"parameters":[`+body+`]}`, `{"x":"`+quoted+`"}`, `{"x":{"y":[`+body+`]}}`)
		}
	}
	for _, body := range bodies {
		if got := effectsOf(call.Read(function("Bash", body), home)); !slices.Contains(got, deletesHome) {
			t.Errorf("%s: %q", body, got)
		}
	}
	for _, body := range []string{
		`{"command":"ls","input":{"command":"rm -rf ~/"}}`, `{"command":"ls","arguments":"{\"command\":\"rm -rf ~/\"}"}`, `{"command":["ls",{"args":{"command":"rm -rf ~/"}}]}`,
		`{"command":"\"rm -rf ~/\""}`, `{"command":"\"\\\"rm -rf ~/\\\"\""}`, `{"name":{"command":"rm -rf ~/"}}`, `{"name":"{\"command\":\"rm -rf ~/\"}"}`,
		`{"id":"c","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"rm -rf ~/\"}"}}`, `{"tool_calls":[{"function":{"name":"Bash","arguments":"{\"command\":\"rm -rf ~/\"}"}}]}`,
		`{"cd":"rm -rf ~/"}`, `{"id":"{\"command\":\"rm -rf ~/\"}"}`, `{"command":{"type":"rm -rf ~/"}}`,
		`{"type":{"function":{"name":"Bash","arguments":"{\"command\":\"rm -rf ~/\"}"}}}`,
		`{"command":{"parts":[{"functionCall":{"name":"Bash","args":{"command":"rm -rf ~/"}}}]}}`,
	} {
		if got := effectsOf(call.Read(function("Bash", body), home)); !slices.Contains(got, deletesHome) {
			t.Errorf("%s: %q", body, got)
		}
	}
}
