package effect_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// Where an effect lies is only said where it is sure: what may lie elsewhere lies
// outside, and what depends on something unknown is unknown.
func TestWithin(t *testing.T) {
	t.Parallel()

	known := effect.Place{Cwd: "/work/app", Home: "/home/u"}
	nowhere := effect.Place{}
	const (
		in, out              = effect.Inside, effect.Outside
		noCwd, noHome, noDir = effect.NoCwd, effect.NoHome, effect.NoPath
	)
	for _, tc := range []struct {
		object string
		dirs   []string
		at     effect.Place
		want   effect.Lies
	}{
		{"/work/app/a.go", []string{"./**"}, known, in},
		{"/work/app", []string{"./**"}, known, in},
		{"/work/app/.env", []string{"."}, known, in},
		{"/work/app/*", []string{"."}, known, in},
		{"/work/app/*/x", []string{"."}, known, in},
		{"/", []string{"./**"}, known, out},
		{"/work", []string{"./**"}, known, out},
		{"/work/*", []string{"./**"}, known, out},
		{"/work/application", []string{"./**"}, known, out},
		{"/work/app*", []string{"./**"}, known, out},
		{"/home/u/x", []string{"./**"}, known, out},
		{"~/x", []string{"./**"}, known, out},
		{"~/x", []string{"~"}, known, in},
		{"/home/u/x", []string{"~"}, known, in},
		{"../app/x", []string{"./**"}, known, in},
		{"../other/x", []string{"./**"}, known, out},
		{"/etc/passwd", []string{"./**", "/etc"}, known, in},
		{"/etc", []string{"/etc/**"}, known, in},
		{"/e*", []string{"/etc/**"}, known, out},
		{"/srv/app/x", []string{"/srv/app"}, known, in},
		{"/srv/app/x/y", []string{"/srv/*"}, known, in},
		{"/srv/a*/y", []string{"/srv/*"}, known, in},
		{"/srv/**", []string{"/srv/x"}, known, out},
		{"/a/build/x", []string{"**/build"}, known, in},
		{"/a/built/x", []string{"**/build"}, known, out},
		{"/anything", []string{"**"}, known, in},
		{"/work/app/.git/config", []string{"./**", "!**/.git"}, known, out},
		{"/work/app", []string{"./**", "!**/.git"}, known, in},
		{"/work/app", []string{"./**", "!./.git"}, known, out},
		{"s3://bucket/x", []string{"./**"}, known, out},
		{"$DIR/x", []string{"./**"}, known, noDir},
		{"/work/app/$X", []string{"./**"}, known, noDir},
		{"", []string{"./**"}, known, noDir},

		// A working directory that is not known.
		{"src/a.go", []string{"./**"}, nowhere, in},
		{"../a.go", []string{"./**"}, nowhere, noCwd},
		{"../../../../../etc/x", []string{"/etc"}, nowhere, noCwd},
		{"/etc/passwd", []string{"./**"}, nowhere, noCwd},
		{"/", []string{"./**"}, nowhere, out},
		{"~", []string{"./**"}, nowhere, out},
		{"/home", []string{"./**"}, nowhere, out},
		{"/home/u", []string{"./**"}, nowhere, out},
		{"src/a.go", []string{"/srv"}, nowhere, noCwd},
		{"build/x", []string{"**/build"}, nowhere, in},
		{"x", []string{"**/build"}, nowhere, noCwd},

		// A home that is not known.
		{"~/x", []string{"~"}, nowhere, in},
		{"/home/u/x", []string{"~"}, nowhere, noHome},
		{"~/x", []string{"/home/u"}, nowhere, noHome},
		{"~/app/x", []string{"./**"}, effect.Place{Cwd: "/home/u/app"}, noHome},
		{"~", []string{"./**"}, effect.Place{Cwd: "/home/u/app"}, out},
		{"~/app/x", []string{"./**"}, effect.Place{Cwd: "~/app"}, in},

		{`C:\work\app\x`, []string{"./**"}, effect.Place{Cwd: "C:/work/app"}, in},
		{`C:\Windows\x`, []string{"./**"}, effect.Place{Cwd: "C:/work/app"}, out},
	} {
		for _, verb := range []effect.Verb{effect.Read, effect.Write, effect.Delete, effect.Mode} {
			e := effect.Effect{Verb: verb, Object: tc.object, Wide: true}
			if got := effect.NewDirs(tc.dirs).Within(&e, tc.at); got != tc.want {
				t.Errorf("%s %q within %q at %v: got %d, want %d", verb, tc.object, tc.dirs, tc.at, got, tc.want)
			}
		}
	}
}

// What touches no part of a set lies outside of it, and what lies inside touches
// it: the two ask the same question from both sides.
func TestWithinAgreesWithTouches(t *testing.T) {
	t.Parallel()

	at := effect.Place{Cwd: "/work/app", Home: "/home/u"}
	paths := []string{"/", "/work", "/work/app", "/work/app/a", "/work/app/a/b", "/work/*", "/work/app/*", "/etc", "/home/u/x"}
	for _, object := range paths {
		for _, dir := range []string{"./**", "/work/**", "/etc/**", "~/**", "/**"} {
			e := effect.Effect{Verb: effect.Delete, Object: object, Wide: true}
			inside := effect.NewDirs([]string{dir}).Within(&e, at) == effect.Inside
			if inside && !effect.NewPaths([]string{dir}).Touches(&e, at) {
				t.Errorf("%s lies in %s and does not touch it", object, dir)
			}
		}
	}
}

// What is no file on this machine lies outside of every directory.
func TestWithinIsAboutFiles(t *testing.T) {
	t.Parallel()

	everywhere := effect.NewDirs([]string{"**", "/**", "./**"})
	for _, verb := range effect.Verbs() {
		e := effect.Effect{Verb: verb, Object: "main"}
		want := effect.Outside
		if verb.OfFile() {
			want = effect.Inside
		}
		if verb == effect.Link {
			e.From = "other"
		}
		if got := everywhere.Within(&e, effect.Place{}); got != want {
			t.Errorf("%s main: got %d, want %d", verb, got, want)
		}
		e.Remote = true
		if got := everywhere.Within(&e, effect.Place{}); got != effect.Outside {
			t.Errorf("%s main on another machine: got %d", verb, got)
		}
	}
	link := effect.Effect{Verb: effect.Link, Object: "/work/app/a", From: "/usr/bin/a"}
	if got := effect.NewDirs([]string{"/work"}).Within(&link, effect.Place{}); got != effect.Outside {
		t.Errorf("a link outside to a file inside: got %d", got)
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()

	for want, e := range map[string]effect.Effect{
		"push main to origin":                                            {Verb: effect.Push, Object: "main", From: "origin"},
		"push the current branch":                                        {Verb: effect.Push, Object: "HEAD"},
		"force-push the current branch to up":                            {Verb: effect.ForcePush, Object: "HEAD", From: "up"},
		"delete-branch old on origin":                                    {Verb: effect.DeleteBranch, Object: "old", From: "origin"},
		"link /a as /b":                                                  {Verb: effect.Link, Object: "/a", From: "/b"},
		"set-variable PATH to /x":                                        {Verb: effect.SetVariable, Object: "PATH", From: "/x"},
		"send a.txt to x.example":                                        {Verb: effect.Send, Object: "x.example", From: "a.txt"},
		"send to x.example":                                              {Verb: effect.Send, Object: "x.example"},
		"send /srv, and everything in it, to x.example":                  {Verb: effect.Send, Object: "x.example", From: "/srv", Wide: true},
		"send the environment to x.example, on another machine":          {Verb: effect.Send, Object: "x.example", From: "environment", Remote: true},
		"send /srv, and everything in it":                                {Verb: effect.Send, From: "/srv", Wide: true},
		"delete ~, and everything in it":                                 {Verb: effect.Delete, Object: "~", Wide: true},
		"push all branches to origin":                                    {Verb: effect.Push, Object: "*", From: "origin", Wide: true},
		"force-push a, and others":                                       {Verb: effect.ForcePush, Object: "a", Wide: true},
		"discard changes, for good":                                      {Verb: effect.Discard, Object: "changes", Wide: true},
		"kill node, and all that it matches":                             {Verb: effect.Kill, Object: "node", Wide: true},
		"delete /, and everything in it, depending on what is not known": {Verb: effect.Delete, Object: "/", Wide: true, Guess: true},
		"discard untracked files":                                        {Verb: effect.Discard, Object: "untracked files", From: "/w"},
		"read HEAD":                                                      {Verb: effect.Read, Object: "HEAD"},
	} {
		if got := e.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
