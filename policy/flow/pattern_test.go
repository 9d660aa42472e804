package flow_test

import (
	"fmt"
	"testing"
)

func TestPatternsMeanAllFilesThatWereWritten(t *testing.T) {
	t.Parallel()
	both := func() *talk {
		return user("hi").call("Write", args{"file_path": "/repo/s/a.sh", "content": "a"}, "ok").bash("echo b > s/deep/b.sh", "")
	}
	for name, tc := range map[string]struct {
		talk *talk
		path string
		want string
	}{
		"one":                 {both(), "/repo/s/*.sh", `"a" and more`},
		"of any depth":        {both(), "/repo/**/*.sh", `"a\nb\n" and more`},
		"relative":            {both(), "s/?.sh", `"a" and more`},
		"none":                {both(), "/repo/s/*.py", "nothing"},
		"elsewhere":           {both(), "/tmp/*.sh", "nothing"},
		"one that is deleted": {both().bash("rm s/a.sh", ""), "/repo/s/*.sh", "nothing"},
		"one by its name":     {both(), "/repo/s/a.sh", `"a"`},
		"one that was fetched": {user("hi").bash("curl -o s/x.sh https://example.net/x.sh", ""), "s/*.sh",
			`"" and more from https://example.net/x.sh`},
	} {
		if got := written(tc.talk.past(), tc.path); got != tc.want {
			t.Errorf("%s: %s, want %s", name, got, tc.want)
		}
	}
}

func TestPatternsAreFollowedToSoManyFiles(t *testing.T) {
	t.Parallel()
	many := user("hi")
	for i := range 100 {
		many.call("Write", args{"file_path": fmt.Sprintf("/repo/%03d.sh", i), "content": "x\n"}, "ok")
	}
	if f := many.past().File("/repo/*.sh"); f == nil || len(f.Content) != 64*len("x\n") || f.Known {
		t.Errorf("%+v", f)
	}
}
