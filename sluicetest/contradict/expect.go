package contradict

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/sluicetest"
)

// Expect returns what is wrong with a strict client's reading of a well-formed answer,
// or nil: it must have every call once and in order, without the forbidden ones if they
// were denied, and every text once.
func (a *Answer) Expect(report sluicetest.Report, gone bool) error {
	for choice := range 2 {
		var want, got []string
		for _, c := range a.Calls {
			if c.Choice == choice && (!c.Forbidden || !gone) {
				want = append(want, c.Token)
			}
		}
		for _, c := range report.Calls {
			if token := tokenIn(c.Arguments); c.Choice == choice && token != "" {
				got = append(got, token)
			}
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("choice %d has the calls %q, want %q", choice, got, want)
		}
	}
	for _, said := range []struct {
		what         string
		tokens, have []string
	}{{"text", a.Texts, report.Texts}, {"thinking", a.Thinking, report.Thinking}} {
		all := strings.Join(said.have, "")
		for _, token := range said.tokens {
			if n := strings.Count(all, token); n != 1 {
				return fmt.Errorf("the %s %q is there %d times in %q, want once", said.what, token, n, said.have)
			}
		}
	}
	return nil
}

var (
	token    = regexp.MustCompile(`(allowed-|forbidden` + mark + `)\d+`)
	partials = regexp.MustCompile(`"stringValue":"([^"]*)"`)
)

// tokenIn returns the token in the arguments of a call, "" if there is none, as in
// what the provider ran.
func tokenIn(arguments string) string {
	if found := partials.FindAllStringSubmatch(arguments, -1); found != nil {
		var joined strings.Builder
		for _, piece := range found {
			joined.WriteString(piece[1])
		}
		arguments = joined.String()
	}
	return token.FindString(strings.ReplaceAll(arguments, escaped("forb"), "forb"))
}
