package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/flow"
)

// written shows what is known of a file.
func written(p *flow.Past, path string) string {
	f := p.File(path)
	if f == nil {
		return "nothing"
	}
	text := fmt.Sprintf("%q", f.Content)
	if !f.Known {
		text += " and more"
	}
	if f.Remote != "" {
		text += " from " + f.Remote
	}
	return text
}

func TestWhatWasWrittenIsKnown(t *testing.T) {
	t.Parallel()
	write := func(path, content string) *talk {
		return user("hi").call("Write", args{"file_path": path, "content": content}, "ok")
	}
	edit := func(t *talk, old, text string) *talk {
		return t.call("Edit", args{"file_path": "/repo/x.sh", "old_string": old, "new_string": text}, "ok")
	}
	for name, tc := range map[string]struct {
		talk *talk
		want string
	}{
		"never":                        {user("hi"), "nothing"},
		"another file":                 {write("/repo/y.sh", "a"), "nothing"},
		"by a tool":                    {write("/repo/x.sh", "a"), `"a"`},
		"under a relative path":        {write("./x.sh", "a"), `"a"`},
		"in another directory and up":  {write("/repo/src/../x.sh", "a"), `"a"`},
		"again":                        {write("/repo/x.sh", "a").call("Write", args{"file_path": "x.sh", "content": "b"}, "ok"), `"b"`},
		"by a call that failed":        {user("hi").call("Write", args{"file_path": "x.sh", "content": "b"}, "Error: denied"), `"b"`},
		"and edited":                   {edit(write("/repo/x.sh", "echo hi\n"), "hi", "ho"), `"echo ho\n"`},
		"and edited elsewhere":         {edit(write("/repo/x.sh", "echo hi\n"), "nope", "ho"), `"echo hi\nho" and more`},
		"only edited":                  {edit(user("hi"), "a", "rm -rf /"), `"rm -rf /" and more`},
		"several edits":                {write("/repo/x.sh", "a b c").call("MultiEdit", args{"file_path": "/repo/x.sh", "edits": []args{{"old_string": "a", "new_string": "1"}, {"old_string": "c", "new_string": "3"}}}, "ok"), `"1 b 3"`},
		"by a patch":                   {user("hi").call("apply_patch", args{"input": "*** Begin Patch\n*** Add File: x.sh\n+echo hi\n*** End Patch"}, "ok"), `"echo hi\n"`},
		"by a here-document":           {user("hi").bash("cat > x.sh <<'EOF'\necho hi\nEOF", ""), `"echo hi\n"`},
		"by echo":                      {user("hi").bash("echo 'rm -rf /' > /repo/x.sh", ""), `"rm -rf /\n"`},
		"and added to":                 {write("x.sh", "a\n").bash("echo b >> x.sh", ""), `"a\nb\n"`},
		"and added to in one":          {user("hi").bash("echo a > x.sh; echo b >> x.sh", ""), `"a\nb\n"`},
		"only added to":                {user("hi").bash("echo b >> x.sh", ""), `"b\n" and more`},
		"and changed by a program":     {write("x.sh", "a").bash("sed -i s/a/b/ x.sh", ""), `"b"`},
		"and changed by an unread one": {write("x.sh", "a").bash("formatter x.sh; sed -i 's/[a-c]/b/' x.sh", ""), `"a" and more`},
		"by a program":                 {user("hi").bash("make-script > x.sh", ""), `"" and more`},
		"from the network":             {user("hi").bash("curl -fsSL https://example.net/i.sh -o x.sh", ""), `"" and more from https://example.net/i.sh`},
		"from the network by a writer": {user("hi").bash("curl -fsSL https://example.net/i.sh > x.sh", ""), `"" and more from https://example.net/i.sh`},
		"by copying":                   {write("/repo/y.sh", "a").bash("cp y.sh x.sh", ""), `"a"`},
		"by moving":                    {write("/repo/y.sh", "a").bash("mv y.sh x.sh", ""), `"a"`},
		"and deleted":                  {write("x.sh", "a").bash("rm x.sh", ""), "nothing"},
		"after it was fetched":         {user("hi").bash("curl https://example.net -o x.sh", "").call("Write", args{"file_path": "x.sh", "content": "a"}, "ok"), `"a"`},
		"from the network and shown":   {user("hi").bash("curl https://example.net -o x.sh", "").call("Read", args{"file_path": "x.sh"}, "     1\t#!/bin/sh\n     2\techo hi"), `"#!/bin/sh\necho hi"`},
		"from the network and printed": {user("hi").bash("curl https://example.net -o x.sh", "").bash("cat x.sh", "#!/bin/sh\n"), `"#!/bin/sh\n"`},
		"shown before it was fetched":  {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("curl https://example.net -o x.sh", ""), `"" and more from https://example.net`},
		"shown and fetched again":      {user("hi").bash("curl https://example.net -o x.sh", "").bash("cat x.sh", "#!/bin/sh\n").bash("curl https://example.org > x.sh", ""), `"" and more from https://example.org`},
		"shown in part":                {user("hi").bash("curl https://example.net -o x.sh", "").call("Read", args{"file_path": "x.sh", "limit": 1}, "     1\t#!/bin/sh"), `"" and more from https://example.net`},
		"shown and another name made":  {user("hi").bash("curl https://example.net -o x.sh", "").bash("cat x.sh", "#!/bin/sh\n").bash("ln x.sh y.sh", ""), `"" and more from https://example.net`},
		"there before and read":        {user("hi").call("Read", args{"file_path": "x.sh"}, "     1\trsync -a --delete a b"), `"rsync -a --delete a b"`},
		"there before and printed":     {user("hi").bash("cat x.sh", "#!/bin/sh\nrm a\n"), `"#!/bin/sh\nrm a\n"`},
		"there before, or an error":    {user("hi").bash("cat x.sh", "cat: x.sh: permission denied"), `"cat: x.sh: permission denied" and more`},
		"there before, read in part":   {user("hi").call("Read", args{"file_path": "x.sh", "offset": 2}, "     2\trm a"), "nothing"},
		"read and written":             {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("make-script > x.sh", ""), `"" and more`},
		"read and edited":              {edit(user("hi").bash("cat x.sh", "#!/bin/sh\n"), "sh", "bash"), `"bash" and more`},
		"read and edited in place":     {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("sed -i 's/[a-c]/b/' x.sh", ""), `"b\n" and more`},
		"read before a pull":           {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("git pull", ""), "nothing"},
		"read before a script":         {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("./other.sh", ""), "nothing"},
		"read and given to a stranger": {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("frobnicate x.sh", ""), "nothing"},
		"read and looked around":       {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("git status; ls", ""), `"#!/bin/sh\n"`},
		"read and deleted":             {user("hi").bash("cat x.sh", "#!/bin/sh\n").bash("rm x.sh", ""), "nothing"},
		"in something that was cloned": {user("hi").bash("git clone https://example.net/repo /repo", ""), `"" and more from git:///repo`},
		"on another machine":           {user("hi").bash("ssh host 'echo a > x.sh'", ""), "nothing"},
		"by another client's tool":     {user("hi").call("write_file", args{"path": "/repo/x.sh", "content": "a"}, "ok"), `"a"`},
		"by an editor":                 {user("hi").call("str_replace_based_edit_tool", args{"command": "create", "path": "/repo/x.sh", "file_text": "a"}, "ok"), `"a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := tc.talk.past()
			for _, spelling := range []string{"x.sh", "./x.sh", "/repo/x.sh", "/repo//src/../x.sh"} {
				if got := written(p, spelling); got != tc.want {
					t.Errorf("%s is %s, want %s", spelling, got, tc.want)
				}
			}
		})
	}
}

// Where the working directory is not known, the same name is taken for the same
// file.
func TestFilesWithoutAWorkingDirectory(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ wrote, asked, want string }{
		{"/repo/x.sh", "x.sh", `"a"`},
		{"x.sh", "/repo/x.sh", `"a"`},
		{"src/x.sh", "/repo/src/x.sh", `"a"`},
		{"/repo/y.sh", "x.sh", "nothing"},
		{"/repo/xx.sh", "x.sh", "nothing"},
		{"~/x.sh", "/home/me/x.sh", `"a"`},
	} {
		x := user("hi").call("Write", args{"file_path": tc.wrote, "content": "a"}, "ok").exchange()
		x.Session = policy.Session{}
		if got := written(flow.Of(policy.NewSubject(x, made("Bash", nil))), tc.asked); got != tc.want {
			t.Errorf("%s was written, %s is %s, want %s", tc.wrote, tc.asked, got, tc.want)
		}
	}
}

func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	write := func(talk *talk, path string, size int) {
		talk.call("Write", args{"file_path": path, "content": strings.Repeat("a", size)}, "ok")
	}
	t.Run("the bytes of one", func(t *testing.T) {
		t.Parallel()
		talk := user("hi")
		write(talk, "a", flow.MaxFileBytes)
		write(talk, "b", flow.MaxFileBytes+1)
		p := talk.past()
		if a, b := p.File("a"), p.File("b"); !a.Known || b.Known || len(b.Content) != flow.MaxFileBytes {
			t.Errorf("at the limit known %t, beyond it known %t with %d bytes", a.Known, b.Known, len(b.Content))
		}
	})
	t.Run("the bytes of all", func(t *testing.T) {
		t.Parallel()
		talk := user("hi")
		n := flow.MaxFileTotal / flow.MaxFileBytes
		for i := range n + 1 {
			write(talk, fmt.Sprint(i), flow.MaxFileBytes)
		}
		p := talk.past()
		for i := range n {
			if f := p.File(fmt.Sprint(i)); !f.Known {
				t.Fatalf("file %d is not known", i)
			}
		}
		if f := p.File(fmt.Sprint(n)); f.Known || f.Content != "" {
			t.Errorf("%d bytes beyond the limit, known %t", len(f.Content), f.Known)
		}
	})
	t.Run("their number", func(t *testing.T) {
		t.Parallel()
		talk := user("hi")
		for i := range flow.MaxFiles + 1 {
			write(talk, fmt.Sprint(i), 1)
		}
		p := talk.past()
		if p.File(fmt.Sprint(flow.MaxFiles-1)) == nil || p.File(fmt.Sprint(flow.MaxFiles)) != nil {
			t.Error("the limit is not where it should be")
		}
	})
	t.Run("their changes", func(t *testing.T) {
		t.Parallel()
		talk := user("hi")
		for range flow.MaxChanges {
			write(talk, "a", 1)
		}
		if f := talk.past().File("a"); !f.Known {
			t.Error("a file within the limit is not known")
		}
		write(talk, "b", 1)
		if f := talk.past().File("a"); f.Known {
			t.Error("a file counts as known although changes were not followed")
		}
	})
}
