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

// What stands before or behind the JSON of free text takes nothing away from it.
func TestEachValueOfFreeTextIsRead(t *testing.T) {
	evil := `{"command":"rm -rf ~/"}`
	for _, name := range []string{"Bash", "exec", "shell", "unheard_of"} {
		for _, text := range []string{
			evil + evil, evil + "\n" + `{"command":"ls"}`, `{"command":"ls"} ` + evil, `"ls"` + evil, evil + " and so on", evil + "}",
			strings.Repeat(`{} `, 15) + evil,
		} {
			c := call.Read(&llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", Name: name, Arguments: text, Status: llm.Complete}, home)
			if got := effectsOf(c); !slices.Contains(got, deletesHome) {
				t.Errorf("%s %s: %q", name, text, got)
			}
		}
		text := strings.Repeat(`{} `, 16) + evil
		c := call.Read(&llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", Name: name, Arguments: text, Status: llm.Complete}, home)
		if len(c.Unknown) == 0 && !slices.Contains(effectsOf(c), deletesHome) {
			t.Errorf("%s: what is behind more values than are read counts as known", name)
		}
	}
}

// Text that a tool takes instead of arguments is the one that it acts on.
func TestFreeTextIsWhatTheToolActsOn(t *testing.T) {
	for _, c := range []struct{ tool, text, want string }{
		{"sql", "DROP TABLE users", "drop table users, on another machine"},
		{"run_sql", "-- tidy\nDROP DATABASE shop;", "drop database shop, and everything in it, on another machine"},
		{"query", "TRUNCATE orders", "drop rows of orders, and everything in it, on another machine"},
		{"mcp__db__query", "DELETE FROM users", "drop rows of users, and everything in it, on another machine"},
		{"redis", "FLUSHALL", "drop database, and everything in it"},
		{"mongo", "db.dropDatabase()", "drop database, and everything in it"},
		{"git", "push --force origin main", "force-push main to origin"},
		{"read_file", "/home/u/.ssh/id_rsa", "read /home/u/.ssh/id_rsa"},
		{"sql", "SELECT * FROM users", ""},
		{"search", "drop table users", ""},
		{"think", "rm -rf ~/ would be wrong", ""},
	} {
		read := call.Read(&llm.Block{Kind: llm.ToolCall, Type: "custom_tool_call", Name: c.tool, Arguments: c.text, Status: llm.Complete}, home)
		got := effectsOf(read)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s %s: %q, want %s", c.tool, c.text, got, c.want)
		}
		if read.Raw != c.text {
			t.Errorf("%s: is given %s", c.tool, read.Raw)
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
