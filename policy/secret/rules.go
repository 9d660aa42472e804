package secret

import (
	"slices"
	"sync"

	"github.com/sluice-project/sluice/policy/text"
)

// A text is read in two steps. The first one finds tokens, and what it found is
// not seen by the second one, which looks for secrets in their context: so a
// token has the same name wherever it stands.

// credential is what placeholders call a secret that is known by its context, so
// that it has the same placeholder in each of them.
const credential = "credential"

// replacement says what takes the place of a secret that a rule has found. label
// is what its placeholder is to call it.
type replacement func(rule, label, secret string) string

// rulesFor makes the rules for finding secrets and replacing them. The first
// pattern of each is the placeholder, so that what is in one is never looked at.
func rulesFor(replace replacement) []text.Rule {
	first := text.Rule{Name: "secret tokens", Patterns: []string{placeholderPattern}}
	confirm := make([]func(string) bool, len(tokens))
	for i, t := range tokens {
		first.Patterns = append(first.Patterns, t.pattern)
		confirm[i] = t.confirm()
	}
	first.Replace = func(m text.Match) (string, bool) {
		if m.Pattern == 0 {
			return "", false
		}
		name, found := tokens[m.Pattern-1].name, string(m.Part())
		if !confirm[m.Pattern-1](found) {
			return "", false
		}
		return replace(name, name, found), true
	}
	second := text.Rule{Name: "secret values", Patterns: []string{placeholderPattern}}
	for _, c := range contexts {
		second.Patterns = append(second.Patterns, c.pattern)
	}
	second.Replace = func(m text.Match) (string, bool) {
		if m.Pattern == 0 || m.End-m.Start > longestValue {
			return "", false
		}
		found := string(m.Part())
		name := contexts[m.Pattern-1].judge(string(m.Text[:m.Start]), found, string(m.Text[m.End:]))
		if name == "" {
			return "", false
		}
		return replace(name, credential, found), true
	}
	return []text.Rule{first, second}
}

// longestValue is the length from which an assigned value is data and not a
// secret.
const longestValue = 2000

// finder is the chain that [Find] uses: it replaces a secret by a mark with the name of
// the rule.
var finder = sync.OnceValue(func() *text.Chain {
	chain, err := text.Compile(rulesFor(func(rule, _, _ string) string { return markOf(rule) })...)
	if err != nil {
		panic(err) //nolint:forbidigo // the patterns are constants, and a test compiles them
	}
	return chain
})

// marks are the marks of all rules, and ruled the rules by their marks: a text can have
// very many secrets, and each costs no text of its own this way.
var marks, ruled = sync.OnceValue(func() map[string]string {
	by := map[string]string{}
	for _, name := range Names() {
		by[name] = open + name + noMAC
	}
	return by
}), sync.OnceValue(func() map[string]string {
	by := map[string]string{}
	for name, mark := range marks() {
		by[mark] = name
	}
	return by
})

func markOf(rule string) string {
	if mark, ok := marks()[rule]; ok {
		return mark
	}
	return open + rule + noMAC
}

func ruleOf(mark string) string {
	if rule, ok := ruled()[mark]; ok {
		return rule
	}
	return mark[len(open) : len(mark)-len(noMAC)]
}

// Names lists the names of all rules, in alphabetical order.
func Names() []string {
	var names []string
	for _, t := range tokens {
		names = append(names, t.name)
	}
	for _, v := range vendors {
		names = append(names, v.name)
	}
	for _, g := range generic {
		if g.rule != "" {
			names = append(names, g.rule)
		}
	}
	names = append(names, contextRules...)
	slices.Sort(names)
	return slices.Compact(names)
}
