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
	list := []string{"/", "/etc/**", "/home", "/home/*", "~", "~/.ssh/**", "~/*", ".", "**/.git", "**/.env", "**/*.pem", "**/hook*", "**/?", "**/.git/hooks/*", "**/bin/git", "/root", "?:/", "?:/Users/*", "/x*", "**/a/**"}
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
		var o object
		o.set(path, at)
		got := ps.meet(&o, wide, at)
		want := slices.ContainsFunc(ps.all, func(p *pattern) bool { return p.meets(&o, wide, at) })
		if got != want {
			t.Fatalf("%q, wide %v, at %v: %v, but of all patterns %v", path, wide, at, got, want)
		}
	}
}

// An element that was read beforehand must be the names that it is alike.
func TestElementsAreTheNamesThatTheyAreAlike(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	random := func(letters string, most int) string {
		text := make([]byte, 1+rng.IntN(most))
		for i := range text {
			text[i] = letters[rng.IntN(len(letters))]
		}
		return string(text)
	}
	met := 0
	for range 200_000 {
		name, pattern := random("aab.:", 6), random("aab.:*??[]{*", 6)
		if pattern == "**" {
			continue
		}
		e := newElement(pattern)
		var some ends
		if some.add(&e); e.is(name) && !some.may(name) {
			t.Fatalf("%q is %q, but cannot be by its ends", name, pattern)
		}
		if got, want := e.is(name), alike(name, pattern); got != want {
			t.Fatalf("%q is %q: %v, but alike: %v", name, pattern, got, want)
		} else if got {
			met++
		}
	}
	if met < 1000 {
		t.Errorf("the cases say little: %d met", met)
	}
}
