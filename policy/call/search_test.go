package call

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/effect"
)

// readOf is the read effect of a call, nil if there is none.
func readOf(name, arguments string) *effect.Effect {
	c := Read(&llm.Block{Kind: llm.ToolCall, Name: name, Arguments: arguments, Status: llm.Complete}, Place{Cwd: "/r"})
	for i := range c.Effects {
		if c.Effects[i].Verb == effect.Read {
			return &c.Effects[i]
		}
	}
	return nil
}

// A search of contents reads everything in the directory, whatever client's it is and
// however it takes what to look for; one for names reads the directory alone.
func TestSearchesReadEverything(t *testing.T) {
	contents := map[string][]string{
		"Grep": {"pattern"}, "grep": {"pattern"}, "grep_search": {"query", "pattern"}, "search_file_content": {"pattern"}, "search_files": {"regex", "search_term"},
		"codebase_search": {"query"}, "semantic_search": {"query"}, "search_in_files": {"query", "pattern"}, "find_in_files": {"pattern", "text"}, "search_for_pattern": {"substring_pattern"},
		"search_text": {"query"}, "searchCode": {"query"}, "ripgrep": {"pattern"}, "rg": {"pattern"}, "search": {"pattern", "query"}, "workspace_search": {"query"}, "mcp__files__search_files": {"regex"},
		"mcp__x__find_text": {"text"}, "fulltext_search": {"query"},
	}
	for name, members := range contents {
		for _, member := range members {
			for _, rest := range []string{``, `,"output_mode":"content"`, `,"recursive":true`} {
				args := fmt.Sprintf(`{"path":"/etc",%q:"root"%s}`, member, rest)
				if e := readOf(name, args); e == nil || !e.Wide || e.Object != "/etc" {
					t.Errorf("%s %s: %v", name, args, e)
				}
			}
		}
	}
	for _, name := range []string{"search_files", "find_files", "find", "find_file", "list_directory", "directory_tree", "read_file", "mcp__files__search_files", "search_file_names", "find_path"} {
		for _, member := range []string{"pattern", "name"} {
			args := fmt.Sprintf(`{"path":"/etc",%q:"*.conf"}`, member)
			if e := readOf(name, args); e == nil || e.Wide {
				t.Errorf("%s %s: %v", name, args, e)
			}
		}
	}
	for kind, wide := range map[string]bool{"content": true, "files": false} {
		args := fmt.Sprintf(`{"path":"/etc","pattern":"root","searchType":%q}`, kind)
		if e := readOf("start_search", args); e == nil || e.Wide != wide {
			t.Errorf("%s: %v", args, e)
		}
	}
}

// All of them show the lines that they find, whatever they look for, and say so where
// these are plainly those of settings, and no others are shown.
func TestSearchesShowWhatTheyFind(t *testing.T) {
	tools := map[string]string{"Grep": "pattern", "grep": "pattern", "search_file_content": "pattern", "search_files": "regex", "search_for_pattern": "substring_pattern", "rg": "pattern"}
	for name, member := range tools {
		for _, c := range []struct {
			pattern, rest string
			shows         bool
			kind          effect.Kind
		}{
			{"SECRET", ``, true, ""},
			{".", ``, true, ""},
			{"meier", ``, true, ""},
			{"STRIPE_", ``, true, ""},
			{"AWS", ``, true, ""},
			{"sk_live", ``, true, ""},
			{"openai", ``, true, ""},
			{"PORT", ``, true, effect.Settings},
			{"^PORT=", ``, true, effect.Settings},
			{"^(HOST|LOG_LEVEL)=", ``, true, effect.Settings},
			{"PORT", `,"-i":true`, true, ""},
			{"PORT", `,"-i":false`, true, effect.Settings},
			{"NODE_ENV", `,"-i":true`, true, effect.Settings},
			{"PORT", `,"-A":3`, true, ""},
			{"PORT", `,"-B":"3"`, true, ""},
			{"PORT", `,"-C":0`, true, effect.Settings},
			{"PORT", `,"context":2`, true, ""},
			{"PORT", `,"invert_match":true`, true, ""},
			{"PORT", `,"invert_match":false`, true, effect.Settings},
			{"SECRET", `,"output_mode":"count"`, false, ""},
			{"PORT", `,"searchTerm":"SECRET"`, true, ""},
		} {
			rest := c.rest
			if name == "Grep" && c.pattern != "" && rest != `,"output_mode":"count"` {
				rest += `,"output_mode":"content"`
			}
			args := fmt.Sprintf(`{"path":"/r/.env",%q:%q%s}`, member, c.pattern, rest)
			if e := readOf(name, args); e == nil || e.Shown != c.shows || e.Kind != c.kind {
				t.Errorf("%s %s: %+v, want shown %v, kind %q", name, args, e, c.shows, c.kind)
			}
		}
	}
}

// A page that is a file is read, and shown.
func TestFilesThatAreFetchedAreShown(t *testing.T) {
	for _, name := range []string{"WebFetch", "web_fetch", "fetch", "browser_navigate", "open_url", "curl", "read_url_content"} {
		for _, url := range []string{"file:///r/.env", "view-source:file:///r/.env", " file:///r/.env"} {
			if e := readOf(name, fmt.Sprintf(`{"url":%q}`, url)); e == nil || e.Object != "/r/.env" || !e.Shown {
				t.Errorf("%s %s: %+v", name, url, e)
			}
		}
		if e := readOf(name, `{"url":"https://x.example/a"}`); e != nil {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// The paths of tools that work on the repositories of a forge are there, and what such a
// tool writes or deletes is sent to it.
func TestPathsOfForgesAreThere(t *testing.T) {
	for _, server := range []string{"github", "github-mcp-server", "GitHub", "gitlab", "gitea", "bitbucket_cloud", "azure-devops"} {
		for tool, verb := range map[string]effect.Verb{
			"delete_file": effect.Delete, "push_files": effect.Write, "create_or_update_file": effect.Write, "update_file": effect.Write, "create_file": effect.Write,
			"move_file": effect.Write, "get_file_contents": effect.Read, "read_file": effect.Read,
		} {
			forms := []string{`{"owner":"o","repo":"r","path":"a/b.txt","content":"x","branch":"main"}`, `{"owner":"o","repo":"r","files":[{"path":"a/b.txt","content":"x"}],"branch":"main"}`}
			if verb != effect.Write {
				forms = []string{`{"owner":"o","repo":"r","path":"a/b.txt","message":"m","branch":"main"}`}
			}
			for _, args := range forms {
				name := "mcp__" + server + "__" + tool
				c := Read(&llm.Block{Kind: llm.ToolCall, Name: name, Arguments: args, Status: llm.Complete}, Place{Cwd: "/r"})
				found, sends := false, false
				for _, e := range c.Effects {
					found = found || e.Verb == verb && e.Object == "a/b.txt" && e.Remote
					sends = sends || e.Verb == effect.Send && e.Object == server
					if e.Verb.OfFile() && !e.Remote {
						t.Errorf("%s %s: %v", name, args, e)
					}
				}
				if !found || sends != (verb != effect.Read) || !c.Untrusted || len(c.Reads)+len(c.Writes) > 0 {
					t.Errorf("%s %s: %v, reads %q, writes %q", name, args, c.Effects, c.Reads, c.Writes)
				}
			}
		}
	}
}

// What may be a path of this machine is one.
func TestPathsOfThisMachineStayHere(t *testing.T) {
	for _, c := range []struct{ name, path string }{
		{"mcp__github__delete_file", "/etc/hosts"}, {"mcp__github__delete_file", "~/x"}, {"mcp__github__delete_file", "$HOME/x"},
		{"mcp__files__delete_file", "a"}, {"mcp__git__delete_file", "a"}, {"delete_file", "a"}, {"mcp_github_x_delete_file", "a"}, {"github_delete_file", "a"},
	} {
		call := Read(&llm.Block{Kind: llm.ToolCall, Name: c.name, Arguments: fmt.Sprintf(`{"owner":"o","repo":"r","path":%q}`, c.path), Status: llm.Complete}, Place{Cwd: "/r"})
		if len(call.Writes) == 0 {
			t.Errorf("%s %s: %v", c.name, c.path, call.Effects)
		}
	}
}
