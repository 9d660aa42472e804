package vocabulary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/where"
)

// Object is what the object of an effect can be that has one of some verbs, nil for
// any. A constant that no object is deserves a warning: descriptions of programs say
// what objects are.
func Object(verbs []string) *Texts {
	never := func(of func(verb effect.Verb) (message, suggestion string)) (message, suggestion string) {
		for _, verb := range verbs {
			m, s := of(effect.Verb(verb))
			if m == "" {
				return "", ""
			}
			if message == "" {
				message, suggestion = m, s
			}
		}
		return message, suggestion
	}
	return &Texts{
		Noun: "object", Open: true,
		malformed: func(text string) (message, suggestion string) {
			if message, name := badRef(text); message != "" {
				return message, fmt.Sprintf("write e.object == %q, and e.from for the remote", name)
			}
			if verbs == nil {
				return pathLike(text, badPathText)
			}
			return never(func(verb effect.Verb) (message, suggestion string) { return badObject(verb, text) })
		},
		part: func(function, text string) (message, suggestion string) {
			bad := func(text string) (message, suggestion string) { return badPathPart(function, text) }
			if message, name := badRef(text); message != "" && function == "startsWith" {
				return message, fmt.Sprintf("write e.object.startsWith(%q)", name)
			}
			if verbs == nil {
				return pathLike(text, bad)
			}
			return never(func(verb effect.Verb) (message, suggestion string) {
				if !verb.OfFile() {
					return "", ""
				}
				return bad(text)
			})
		},
	}
}

// Kind is what the kind of an effect with one of some verbs can be, nil for any verb.
func Kind(verbs []string) *Texts {
	t := &Texts{Noun: "kind of effect", empty: true, synonyms: kindOfEffectSynonyms}
	for _, d := range effect.KindDocs() {
		if verbs == nil || slices.ContainsFunc(d.Verbs, func(v effect.Verb) bool { return slices.Contains(verbs, string(v)) }) {
			t.Values = append(t.Values, string(d.Kind))
		}
	}
	if len(verbs) == 1 {
		t.Noun = "kind of " + verbs[0]
	}
	return t
}

// kindOfEffectSynonyms are what people write for kinds of effects.
var kindOfEffectSynonyms = map[string]string{
	"mirror": "sync", "rename": "move", "wipe": "shred", "mkdir": "directory", "symlink": "link", "acl": "rights", "regex": "pattern", "port": "users", "install": "tool",
}

// From is what an effect can come from: a file, an address or a remote.
var From = &Texts{
	Noun: "origin", Open: true,
	malformed: func(text string) (message, suggestion string) { return pathLike(text, badPathText) },
	part: func(function, text string) (message, suggestion string) {
		return pathLike(text, func(text string) (message, suggestion string) { return badPathPart(function, text) })
	},
}

// pathLike asks about a text that can only be a path: branches, packages, tables and
// addresses do not begin like that.
func pathLike(text string, bad func(string) (message, suggestion string)) (string, string) {
	name, _ := leadingVariable(text)
	if len(text) > 1 && (text[0] == '.' || strings.Contains(text, "~/") || slices.Contains([]string{"HOME", "PWD", "USERPROFILE"}, name)) {
		return bad(text)
	}
	return "", ""
}

// badRef: branches and tags are named without where git keeps them.
func badRef(text string) (message, name string) {
	for _, before := range []string{"refs/heads/", "refs/tags/", "refs/remotes/origin/"} {
		if name, ok := strings.CutPrefix(text, before); ok {
			return fmt.Sprintf("the object of an effect on a branch or a tag is its name alone, never %q", text), cmp.Or(name, "NAME")
		}
	}
	return "", ""
}

// dropped are objects of drop that are one word: all of them.
var dropped = []string{"data", "database", "keys", "rows"}

// badObject: what the object of a verb never is.
func badObject(verb effect.Verb, text string) (message, suggestion string) {
	switch {
	case text == "" || text == "*":
		return "", ""
	case verb.OfFile():
		if verb == effect.Run && strings.Contains(text, " ") { // make deploy
			return "", ""
		}
		return badPathText(text)
	}
	switch verb {
	case effect.Fetch, effect.Send, effect.RunRemote:
		if host, known := where.Host(text); known && host != "" && !strings.Contains(text, "://") && !strings.ContainsAny(text, " /") && strings.Contains(host, ".") {
			return fmt.Sprintf("the object of %s is the whole address, which %q is not", verb, text), fmt.Sprintf("write e.object.host() == %q", host)
		}
	case effect.Drop:
		if !strings.ContainsAny(text, " ") && !slices.Contains(dropped, text) {
			return fmt.Sprintf("the object of drop says what %q is", text), fmt.Sprintf("write e.object == %q, or e.object.endsWith(%q) for whatever it is", "table "+text, " "+text)
		}
	case effect.Install:
		if name, _, versioned := strings.Cut(text[1:], "@"); versioned && name != "" && !strings.Contains(text, ":") {
			return fmt.Sprintf("the object of install is a name without a version, which %q is not", text), fmt.Sprintf("write e.object == %q, and look for the version in c.args", text[:1]+name)
		}
		if at := strings.IndexAny(text, "=<>"); at > 0 {
			return fmt.Sprintf("the object of install is a name without a version, which %q is not", text), fmt.Sprintf("write e.object == %q, and look for the version in c.args", strings.TrimRight(text[:at], "=!~ "))
		}
	case effect.Push, effect.ForcePush, effect.DeleteBranch:
		for _, prefix := range []string{"origin/", "upstream/"} {
			if branch, cut := strings.CutPrefix(text, prefix); cut && branch != "" {
				return fmt.Sprintf("the object of %s is the branch alone, which %q is not", verb, text), fmt.Sprintf("write e.object == %q, and e.from for the remote", branch)
			}
		}
	default: // any text may be its object
	}
	return "", ""
}
