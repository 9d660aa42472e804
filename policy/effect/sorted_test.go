package effect

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Looking only at the patterns that begin as a path does must never change the
// answer.
func TestSortedPatternsAnswerAsAllOfThemDo(t *testing.T) {
	t.Parallel()
	words := []string{"home", "u", "p", "etc", ".git", ".env", "root", "Users", "a.pem", "hooks", "*", "**", "x*", ".ssh", "id_rsa", "$X", "C:", "bin"}
	list := []string{"/", "/etc/**", "/home", "/home/*", "~", "~/.ssh/**", "~/*", ".", "**/.git", "**/.env", "**/*.pem", "**/.git/hooks/*", "**/bin/git", "/root", "?:/", "?:/Users/*", "/x*", "**/a/**"}
	var ps patterns
	for _, p := range list {
		ps.add(p)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	places := []Place{{}, {Cwd: "/home/u/p", Home: "/home/u"}, {Cwd: "/srv/p", Home: "/var/home/u"}}
	for range 20_000 {
		parts := make([]string, rng.IntN(5))
		for i := range parts {
			parts[i] = words[rng.IntN(len(words))]
		}
		path := []string{"/", "~/", "", "/var/home/u/", "C:/"}[rng.IntN(5)] + strings.Join(parts, "/")
		at, wide := places[rng.IntN(len(places))], rng.IntN(2) == 0
		o := objectOf(nil, path, at)
		got := ps.meet(&o, wide, at)
		want := slices.ContainsFunc(ps.all, func(p *pattern) bool { return p.meets(&o, wide, at) })
		if got != want {
			t.Fatalf("%q, wide %v, at %v: %v, but of all patterns %v", path, wide, at, got, want)
		}
	}
}
