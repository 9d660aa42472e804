package file_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

const marked = `
params: {sources: ["**/*.py", "!**/old/**"]}
policies:
  - name: marks
    find:
      added:
        a mark: {pattern: [MARK, '\bSIGN\d'], files: {param: sources}}
        a word: WORD
    then: annotate
    reason: Look at it.
`

func TestWhatACallAddsIsFound(t *testing.T) {
	t.Parallel()
	edit := func(path, before, after string) llm.Block {
		return toolUse("Edit", fmt.Sprintf(`{"file_path":%q,"old_string":%q,"new_string":%q}`, path, before, after))
	}
	write := func(path, content string) llm.Block {
		return toolUse("Write", fmt.Sprintf(`{"file_path":%q,"content":%q}`, path, content))
	}
	patch := func(text string) llm.Block {
		return llm.Block{Kind: llm.ToolCall, Name: "apply_patch", Type: "custom_tool_call", Arguments: text, Status: llm.Complete}
	}
	earlier := func(blocks ...llm.Block) *policy.Exchange {
		return &policy.Exchange{Request: &llm.Request{Messages: []llm.Message{{Role: llm.Assistant, Blocks: blocks}}}}
	}
	for _, tc := range []struct {
		name  string
		call  llm.Block
		past  *policy.Exchange
		notes []string
	}{
		{"in a file that is written", write("/r/a.py", "x MARK y"), nil, []string{"a mark in /r/a.py"}},
		{"by another pattern", write("/r/a.py", "SIGN1"), nil, []string{"a mark in /r/a.py"}},
		{"several", write("/r/a.py", "MARK WORD MARK"), nil, []string{"a mark in /r/a.py", "a word in /r/a.py"}},
		{"nothing", write("/r/a.py", "x"), nil, nil},
		{"only a keyword", write("/r/a.py", "SIGN and so on"), nil, nil},
		{"in another file", write("/r/a.md", "MARK"), nil, nil},
		{"in a file that is left out", write("/r/old/a.py", "MARK"), nil, nil},
		{"in any file where none is named", write("/r/a.md", "WORD"), nil, []string{"a word in /r/a.md"}},
		{"in an edit", edit("/r/a.py", "x", "MARK"), nil, []string{"a mark in /r/a.py"}},
		{"that was there before", edit("/r/a.py", "MARK x", "MARK y"), nil, nil},
		{"once more", edit("/r/a.py", "MARK x", "MARK y MARK"), nil, []string{"a mark in /r/a.py"}},
		{"that is taken away", edit("/r/a.py", "MARK x", "y"), nil, nil},
		{"in one of several edits", toolUse("MultiEdit", `{"file_path":"/r/a.py","edits":[{"old_string":"x","new_string":"y"},{"old_string":"z","new_string":"MARK"}]}`), nil, []string{"a mark in /r/a.py"}},
		{"moved from edit to edit", toolUse("MultiEdit", `{"file_path":"/r/a.py","edits":[{"old_string":"MARK","new_string":"y"},{"old_string":"z","new_string":"MARK"}]}`), nil, nil},
		{"in a notebook", toolUse("NotebookEdit", `{"notebook_path":"/r/a.ipynb","new_source":"WORD"}`), nil, []string{"a word in /r/a.ipynb"}},
		{"in a patch", patch("*** Begin Patch\n*** Update File: /r/a.py\n@@\n-x\n+MARK\n*** End Patch"), nil, []string{"a mark in /r/a.py"}},
		{"in the second file of a patch", patch("*** Begin Patch\n*** Update File: /r/a.md\n@@\n+MARK\n*** Add File: /r/b.py\n+MARK\n*** End Patch"), nil, []string{"a mark in /r/b.py"}},
		{"around a patch", patch("*** Begin Patch\n*** Update File: /r/a.py\n@@\n MARK\n-x\n+y\n*** End Patch"), nil, nil},
		{"moved by a patch", patch("*** Begin Patch\n*** Update File: /r/a.py\n@@\n-MARK\n*** Update File: /r/b.py\n@@\n+MARK\n*** End Patch"), nil, nil},
		{"in a here-document", shell("cat > /r/a.py <<'X'\nMARK\nX"), nil, []string{"a mark in /r/a.py"}},
		{"at the end of a file", shell("echo MARK >> /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by git apply", shell("git apply --directory=r <<'X'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n x\n+MARK\nX"), nil, []string{"a mark in r/a.py"}},
		{"around what git apply changes", shell("git apply <<'X'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n MARK\n+x\nX"), nil, nil},
		{"by patch", shell("patch /r/a.py <<'X'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n x\n+MARK\nX"), nil, []string{"a mark in /r/a.py"}},
		{"by a copy of what was written", shell("printf MARK > /tmp/a; cp /tmp/a /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by a copy of what was written before", shell("cp /tmp/a.txt /r/a.py"), earlier(write("/tmp/a.txt", "MARK")), []string{"a mark in /r/a.py"}},
		{"by a move of what was written", shell("printf MARK > /tmp/a; mv /tmp/a /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by a move of what was written before", shell("mv /tmp/a.txt /r/a.py"), earlier(write("/tmp/a.txt", "MARK")), []string{"a mark in /r/a.py"}},
		{"by a move from where it does not count", shell("mv /r/old/a.py /r/"), earlier(write("/r/old/a.py", "MARK")), []string{"a mark in /r/a.py"}},
		{"by a copy and a move", shell("printf MARK > /tmp/a; cp /tmp/a /tmp/b; mv /tmp/b /tmp/c; mv /tmp/c /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by a move of what grew", shell("echo x > /tmp/a; echo MARK >> /tmp/a; echo y >> /tmp/a; mv /tmp/a /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by a move of its directory", shell("mkdir /r/old/d; echo MARK > /r/old/d/a.py; mv /r/old/d /r/e"), nil, []string{"a mark in /r/e/a.py"}},
		{"by a copy of its directory", shell("cp -r /tmp/d /r/e"), earlier(write("/tmp/d/x/a.py", "MARK")), []string{"a mark in /r/e/x/a.py"}},
		{"by a move of several", shell("echo MARK > /r/old/a.py; mv /r/old/*.py /r/"), nil, []string{"a mark in /r/*.py"}},
		{"by git mv", shell("echo WORD > /tmp/a; git mv /tmp/a /r/b.py && cp /r/b.py /r/c.py"), nil, []string{"a word in /tmp/a"}},
		{"by git mv of what was written before", shell("git mv /r/a.txt /r/a.py"), earlier(write("/r/a.txt", "MARK")), []string{"a mark in /r/a.py"}},
		{"by rename", shell("rename s/txt/py/ /r/a.txt"), earlier(write("/r/a.txt", "MARK")), []string{"a mark in /r/a.py"}},
		{"by rename with two words", shell("rename .txt .py /r/a.txt /r/b.txt"), earlier(write("/r/b.txt", "MARK")), []string{"a mark in /r/b.py"}},
		{"by install", shell("install -m 600 /tmp/a /r/a.py"), earlier(write("/tmp/a", "MARK")), []string{"a mark in /r/a.py"}},
		{"by ln", shell("ln /tmp/a /r/a.py"), earlier(write("/tmp/a", "MARK")), []string{"a mark in /r/a.py"}},
		{"by rsync that removes", shell("rsync --remove-source-files /tmp/a /r/a.py"), earlier(write("/tmp/a", "MARK")), []string{"a mark in /r/a.py"}},
		{"by dd", shell("dd if=/tmp/a of=/r/a.py"), earlier(write("/tmp/a", "MARK")), []string{"a mark in /r/a.py"}},
		{"by tee", shell("tee /r/a.py < /tmp/a"), earlier(write("/tmp/a", "MARK")), []string{"a mark in /r/a.py"}},
		{"by a copy, and gone where it was", shell("cp /r/b.py /r/a.py && rm /r/b.py"), earlier(write("/r/b.py", "MARK")), nil},
		{"by two copies, and gone where it was", shell("cp /r/b.py /r/a.py; cp /r/b.py /r/c.py; rm /r/b.py"), earlier(write("/r/b.py", "MARK")), []string{"a mark in /r/a.py"}},
		{"moved to where it may be a directory", shell("mv /r/b.py /r/lib"), earlier(write("/r/b.py", "MARK")), nil},
		{"moved with its directory", shell("mv /r/b /r/c"), earlier(write("/r/b/a.py", "MARK")), nil},
		{"renamed with its file", shell("rename s/b/c/ /r/b.py"), earlier(write("/r/b.py", "MARK")), nil},
		{"moved with its file", shell("mv /r/b.py /r/a.py"), earlier(write("/r/b.py", "MARK")), nil},
		{"by i of sed", shell("sed -i '1i MARK' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by a of sed", shell("sed -i -e '$a\\MARK' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by s of sed", shell("sed -i 's/x/a MARK b/' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by s of sed with other signs", shell(`sed -i -e 's|/x|SIGN\/1|' -e 's,y,SIGN1,g' /r/a.py`), nil, []string{"a mark in /r/a.py"}},
		{"by s of sed in pieces", shell("sed -i \"s/x/MA\"'RK/' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by s of perl", shell("perl -pi -e 's/x/MARK/g' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by s of perl with brackets", shell("perl -i -pe 'next if /y/; s{x} {MARK}' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by gsub of ruby", shell(`ruby -pi -e 'gsub(/x/, "MARK")' /r/a.py`), nil, []string{"a mark in /r/a.py"}},
		{"taken away by s of sed", shell("sed -i 's/MARK/x/' /r/a.py"), nil, nil},
		{"taken away by s of perl", shell("perl -pi -e 's/MARK/x/; s/SIGN1//' /r/a.py"), nil, nil},
		{"put out by s of sed", shell("sed 's/x/MARK/' /r/a.py"), nil, nil},
		{"kept by s of sed", shell("sed -i 's/MARK/&/' /r/a.py"), nil, nil},
		{"by c of sed", shell("sed -i '/x/c MARK' /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by ed", shell("printf 'a\nMARK\n.\nw\n' | ed /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by tee -a", shell("echo MARK | tee -a /r/a.py"), nil, []string{"a mark in /r/a.py"}},
		{"by awk", shell("awk 'BEGIN{print \"MARK\" > \"/r/a.py\"}'"), nil, []string{"a mark in /r/a.py"}},
		{"kept by a command that adds", shell("echo y >> /r/a.py"), earlier(write("/r/a.py", "MARK x\n")), nil},
		{"in a command", shell("echo MARK"), nil, nil},
		{"in a file that the conversation wrote so", write("/r/a.py", "MARK y"), earlier(write("/r/a.py", "MARK x")), nil},
		{"in a file that the conversation wrote otherwise", write("/r/a.py", "MARK y"), earlier(write("/r/a.py", "x")), []string{"a mark in /r/a.py"}},
		{"with a path that is no line", write("/r/\u202ea\n.py", "WORD"), nil, []string{"a word in /r/a .py"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := must(t, file.Options{}, marked).Set.Decide(t.Context(), tc.past, tc.call, policy.Options{})
			switch {
			case tc.notes == nil && got.Verdict.Action == policy.Allow:
			case tc.notes == nil || got.Verdict.Action != policy.Annotate || !slices.Equal(got.Verdict.Notes, tc.notes):
				t.Errorf("got %s %q, want %q", got.Verdict.Action, got.Verdict.Notes, tc.notes)
			case got.Verdict.Reason != "Look at it: "+strings.Join(tc.notes, "; "):
				t.Errorf("told %q", got.Verdict.Reason)
			}
		})
	}
}

// Patterns are also searched for if no keyword of them is known.
func TestSignsWithoutWords(t *testing.T) {
	t.Parallel()
	set := must(t, file.Options{}, `policies: [{name: p, find: {added: {digits: '[0-9]{3}'}}, then: block}]`).Set
	for content, want := range map[string]policy.Action{"a 12 b": policy.Allow, "a 123 b": policy.BlockEndTurn, "": policy.Allow} {
		got := set.Decide(t.Context(), nil, toolUse("Write", fmt.Sprintf(`{"file_path":"/a","content":%q}`, content)), policy.Options{})
		if got.Verdict.Action != want {
			t.Errorf("%q: %s", content, got.Verdict.Action)
		}
	}
}

// A parameter with the files is set like any other.
func TestFilesOfSignsAreTuned(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]policy.Action{
		`{}`:                              policy.Annotate,
		`{code.files: []}`:                policy.Allow,
		`{code.files: ["**/*.md"]}`:       policy.Allow,
		`{code.files: ["/r/**/http.py"]}`: policy.Annotate,
	} {
		set := must(t, file.Options{}, "policies: [{preset: recommended, params: "+params+"}]").Set
		got := set.Decide(t.Context(), nil, toolUse("Write", `{"file_path":"/r/a/http.py","content":"get(url, verify=False)"}`), policy.Options{})
		if got.Verdict.Action != want {
			t.Errorf("%s: %s %s", params, got.Verdict.Action, got.Verdict.Reason)
		}
	}
}

// A notice that says nothing of the call does not say where something is added either.
func TestShortNoticesNameNoFiles(t *testing.T) {
	t.Parallel()
	for _, short := range []bool{true, false} {
		set := must(t, file.Options{ShortNotices: short}, `policies: [{name: p, find: {added: {todo: TODO}}, then: block, reason: No.}]`).Set
		got := set.Decide(t.Context(), nil, toolUse("Write", `{"file_path":"/r/a.go","content":"// TODO"}`), policy.Options{}).Verdict
		if strings.Contains(got.Reason, "a.go") == short || !got.Action.Blocks() {
			t.Errorf("short %t: %s %q", short, got.Action, got.Reason)
		}
	}
}

// A key counts where it is new, whichever way it gets into a file; beside it, patterns
// count as ever.
func TestLiveKeysThatAreAdded(t *testing.T) {
	t.Parallel()
	const key = "ghp_" + "R7kQ2mXv9LtZ4pWn8YcB1sHj6Dg3EuA0oQiZ" // made up
	set := must(t, file.Options{}, `policies: [{name: p, find: {added: {live: {secret: true, files: ["**", "/**", "!**/.env"]}, todo: TODO}}, then: block}]`).Set
	write := func(name, content string) llm.Block {
		return toolUse("Write", fmt.Sprintf(`{"file_path":%q,"content":%q}`, name, content))
	}
	edit := func(before, after string) llm.Block {
		return toolUse("Edit", fmt.Sprintf(`{"file_path":"/r/a.go","old_string":%q,"new_string":%q}`, before, after))
	}
	shell := func(command string) llm.Block { return toolUse("Bash", fmt.Sprintf(`{"command":%q}`, command)) }
	for _, c := range []struct {
		name  string
		block llm.Block
		want  string
	}{
		{"a file", write("/r/a.go", "x := \""+key+"\""), "live in /r/a.go"},
		{"a long file", write("/r/a.go", strings.Repeat("text\n", 1000)+key), "live in /r/a.go"},
		{"a file made for secrets", write("/r/.env", "T="+key), ""},
		{"an edit that adds it", edit("x", "y "+key), "live in /r/a.go"},
		{"an edit that keeps it", edit("x "+key, "y "+key), ""},
		{"an edit that removes it", edit(key, "os.Getenv(\"T\")"), ""},
		{"a here-document", shell("cat > a.py <<'END'\nT = '" + key + "'\nEND"), "live in a.py"},
		{"pieces", shell("echo T=" + key[:20] + "\"\"" + key[20:] + " > a.py"), "live in a.py"},
		{"a decoded text", shell("echo Z2hwX1I3a1EybVh2OUx0WjRwV244WWNCMXNIajZEZzNFdUEwb1FpWg== | base64 -d > a.py"), "live in a.py"},
		{"the message of a commit", shell("git commit -am 'Use " + key + "'"), "live in .git/COMMIT_EDITMSG"},
		{"a message from the input", shell("git commit -F - <<'END'\nUse " + key + "\nEND"), "live in .git/COMMIT_EDITMSG"},
		{"a search for it", shell("git log -S " + key), ""},
		{"a pattern", write("/r/a.go", "// TODO"), "todo in /r/a.go"},
		{"both", write("/r/a.go", "// TODO "+key), "live in /r/a.go; todo in /r/a.go"},
	} {
		got := set.Decide(t.Context(), nil, c.block, policy.Options{}).Verdict
		if said := strings.Join(got.Notes, "; "); said != c.want || got.Action.Blocks() != (c.want != "") {
			t.Errorf("%s: %s %q, want %q", c.name, got.Action, said, c.want)
		}
	}
}
