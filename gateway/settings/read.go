package settings

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy/file"
)

// one completes a key that has one value.
func one[T any](k key, field func(*Settings) *T, parse func(value) (T, *wrong), show func(T) string) key {
	k.variable = k.variableName()
	k.show = func(s *Settings) string { return show(*field(s)) }
	k.read = func(l *loading, k *key, g given) bool {
		v, ok := g.single(l, k)
		if !ok {
			return false
		}
		if v.text == "" && !k.canBeEmpty {
			l.problemf(v.from, "write a value, or leave it out", "%s is empty", k.path)
			return false
		}
		parsed, w := parse(v)
		if w != nil {
			l.problemf(v.from, w.suggestion, "%s %s", k.path, w.message)
			return false
		}
		*field(l.settings) = parsed
		return true
	}
	return k
}

// several completes a key that has a list of values, each once. ifEmpty says
// what to do if the list is empty; it may be empty if ifEmpty is.
func several(k key, field func(*Settings) *[]string, parse func(value) (string, *wrong), ifEmpty string) key {
	k.many = true
	k.variable = k.variableName()
	k.show = func(s *Settings) string { return strings.Join(*field(s), ", ") }
	k.read = func(l *loading, k *key, g given) bool {
		before := len(l.problems)
		values := g.values
		if g.node != nil {
			values = g.file.scalars(g.node, k.path)
		}
		texts := make([]string, 0, len(values))
		for _, v := range values {
			text, w := parse(v)
			switch {
			case w != nil:
				l.problemf(v.from, w.suggestion, "%s %s", k.path, w.message)
			case text == "":
				l.problemf(v.from, "remove it", "a value of %s is empty", k.path)
			case slices.Contains(texts, text):
				l.problemf(v.from, "remove one of them", "%s has %s twice", k.path, quotePath(text))
			default:
				texts = append(texts, text)
				l.places[place{k.path, text}] = v.from
			}
		}
		if len(values) == 0 && len(l.problems) == before && ifEmpty != "" {
			l.problemf(g.from, ifEmpty, "%s is empty", k.path)
		}
		if len(l.problems) > before {
			return false
		}
		*field(l.settings) = texts
		return true
	}
	return k
}

// optional allows an empty value, which means none.
func optional(k key) key {
	k.canBeEmpty = true
	return k
}

// variableName is the name of a key's variable: SLUICE_ and its path.
func (k *key) variableName() string {
	if k.variable != "" {
		return k.variable
	}
	return "SLUICE_" + strings.ToUpper(strings.ReplaceAll(k.path, ".", "_"))
}

// single returns the one value of a source.
func (g given) single(l *loading, k *key) (value, bool) {
	if g.node == nil {
		return g.values[0], true
	}
	text, ok := g.file.scalar(g.node, k.path)
	return g.file.value(g.node, text), ok && len(l.problems) < mostProblems
}

// policyName reads the path of a policy file or preset:NAME.
func policyName(v value) (string, *wrong) {
	name, ok := strings.CutPrefix(v.text, presetPrefix)
	if !ok {
		return filename(v)
	}
	if known := append(file.Presets(file.Options{}), file.NoPreset); !slices.Contains(known, name) {
		return "", wrongf(words.Suggest(name, known), "names the preset %s, which does not exist", quote(name))
	}
	return v.text, nil
}

const presetPrefix = "preset:"

func plainText[T ~string](text T) string { return string(text) }

func showTruth(b bool) string { return strconv.FormatBool(b) }

func showNumber(n int) string { return strconv.Itoa(n) }
