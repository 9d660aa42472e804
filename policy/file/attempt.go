package file

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
)

const (
	// mostPhrases is how many effects of a call are described.
	mostPhrases = 3
	// longestPhrase is the maximum length of one of them in bytes: all of them
	// must fit into a notice.
	longestPhrase = 100
	// hiddenSecret replaces a secret in them.
	hiddenSecret = "***"
)

// short reads `notice`.
func (r *reader) short(m member) bool { return r.word(m, "full", "short") == "short" }

// attempt says what a call would do: the effects that the condition matched, else
// the gravest, else the commands. It is empty for calls without known effects or
// commands, whose name says it all.
func (g *guard) attempt(s *policy.Subject) string {
	c := rule.CallOf(s)
	var phrases []string
	for _, e := range g.causes(s, c) {
		phrases = appendNew(phrases, e.String())
	}
	if len(phrases) == 0 {
		for i := range c.Commands {
			if command := &c.Commands[i]; command.Depth == 0 {
				phrases = appendNew(phrases, "run "+strings.Join(append([]string{command.Name}, command.Args...), " "))
			}
		}
	}
	more := len(phrases) - mostPhrases
	phrases = phrases[:min(len(phrases), mostPhrases)]
	hidden := secretsOf(c)
	for i, text := range phrases {
		phrases[i] = withoutSecrets(text, hidden)
	}
	if more > 0 {
		phrases = append(phrases, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(phrases, "; ")
}

// causes are the effects to describe.
func (g *guard) causes(s *policy.Subject, c *call.Call) []effect.Effect {
	if g.when != nil {
		if causes := g.when.Causes(s); len(causes) > 0 {
			return causes
		}
	}
	all := slices.Clone(c.Effects)
	slices.SortStableFunc(all, func(a, b effect.Effect) int { return usual(a.Verb) - usual(b.Verb) })
	return all
}

// usual is 1 for what most calls do, so that it is listed last.
func usual(v effect.Verb) int {
	switch v {
	case effect.Read, effect.Write, effect.Run, effect.Fetch, effect.SetVariable, effect.UnsetVariable:
		return 1
	default:
		return 0
	}
}

func appendNew(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// secretsOf are the secrets in a call: in its arguments as a whole, where a name
// may be what makes a value a secret, and in its commands.
func secretsOf(c *call.Call) []string {
	var found []string
	look := func(text string) {
		for _, f := range secret.Find(text) {
			found = appendNew(found, text[f.Start:f.End])
		}
	}
	look(c.Raw)
	for i := range c.Commands {
		look(c.Commands[i].Text)
	}
	slices.SortFunc(found, func(a, b string) int { return len(b) - len(a) }) // one may be part of another
	return found
}

// withoutSecrets redacts a phrase and shortens it. It is cut afterwards, because half
// a secret is not recognised as one.
func withoutSecrets(text string, hidden []string) string {
	for _, h := range hidden {
		text = strings.ReplaceAll(text, h, hiddenSecret)
	}
	found := secret.Find(text)
	for _, f := range slices.Backward(found) {
		text = text[:f.Start] + hiddenSecret + text[f.End:]
	}
	if len(text) <= longestPhrase {
		return text
	}
	return strings.ToValidUTF8(text[:longestPhrase-len("…")], "") + "…"
}
