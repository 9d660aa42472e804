package file

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// reader reads the values of one policy, or of the keys around the policies,
// and reports what is wrong with them.
type reader struct {
	*source
	policy string
	// asWritten is what the file says about compare.
	asWritten bool
}

func (r *reader) problemf(n *yaml.Node, suggestion, format string, args ...any) {
	r.fail(at(n), r.policy, fmt.Sprintf(format, args...), suggestion)
}

// member is one key of a mapping and its value.
type member struct {
	name       string
	key, value *yaml.Node
}

// members returns the members of a mapping in order. word names the mapping in
// messages. It returns nil, having reported why, if the value is not a mapping.
func (r *reader) members(n *yaml.Node, word string) []member {
	if n.Kind != yaml.MappingNode {
		r.problemf(n, "write `key: value` pairs", "%s is %s, not a mapping", word, describe(n))
		return nil
	}
	list := make([]member, 0, len(n.Content)/2)
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch first, twice := seen[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			r.problemf(key, "", "a key of %s is %s, not a word", word, describe(key))
			continue
		case key.ShortTag() == "!!merge":
			r.problemf(key, "write the keys out", "merging with << is not supported")
			continue
		case twice:
			r.problemf(key, "remove one of them", "%s has the key %s twice: first in line %d", word, quote(key.Value), first)
			continue
		}
		seen[key.Value] = key.Line
		list = append(list, member{key.Value, key, value})
	}
	return list
}

// object reads a mapping whose keys are known.
func (r *reader) object(n *yaml.Node, word string, known ...string) map[string]member {
	object := make(map[string]member, len(n.Content)/2)
	for _, m := range r.members(n, word) {
		switch {
		case !slices.Contains(known, m.name):
			r.problemf(m.key, suggested(m.name, known), "%s has an unknown key %s", word, quote(m.name))
		case isNull(m.value):
			r.problemf(m.value, "write one, or remove the key", "%s has no value", m.name)
		default:
			object[m.name] = m
		}
	}
	return object
}

// text reads a string.
func (r *reader) text(m member) string {
	n := m.value
	switch {
	case n == nil:
		return ""
	case n.Kind != yaml.ScalarNode:
		r.problemf(n, "", "%s is %s, not a text", m.name, describe(n))
	case n.ShortTag() != "!!str":
		r.problemf(n, "put it in quotes: "+strconv.Quote(n.Value), "%s is %s, not a text", m.name, describe(n))
	default:
		return n.Value
	}
	return ""
}

// word reads one of the known words, empty if it is none of them.
func (r *reader) word(m member, known ...string) string {
	text := r.text(m)
	if text != "" && !slices.Contains(known, text) {
		r.problemf(m.value, suggested(text, known), "%s is %s, which is not a valid value", m.name, quote(text))
		return ""
	}
	return text
}

// list returns the values of a list; a single value is a list of one.
func (r *reader) list(m member) []*yaml.Node {
	switch {
	case m.value == nil:
		return nil
	case m.value.Kind == yaml.SequenceNode:
		if len(m.value.Content) == 0 {
			r.problemf(m.value, "write at least one value, or remove the key", "%s is an empty list", m.name)
		}
		return m.value.Content
	default:
		return []*yaml.Node{m.value}
	}
}

// textsOrNone is texts where an empty list means something.
func (r *reader) textsOrNone(m member) []string {
	if m.value != nil && m.value.Kind == yaml.SequenceNode && len(m.value.Content) == 0 {
		return nil
	}
	return r.texts(m)
}

// texts reads a list of strings.
func (r *reader) texts(m member) []string {
	nodes := r.list(m)
	texts := make([]string, 0, len(nodes))
	for _, n := range nodes {
		if text := r.text(member{"a value of " + m.name, n, n}); text != "" {
			texts = append(texts, text)
		} else if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
			r.problemf(n, "remove it", "a value of %s is empty", m.name)
		}
	}
	return texts
}

// maxDuration is the longest duration that a file can set: a month is as good
// as forever.
const maxDuration = 31 * 24 * time.Hour

// duration reads a duration such as 2s; zero if it is absent, and only where
// zero has a meaning if it is given.
func (r *reader) duration(m member, zero bool) time.Duration {
	n := m.value
	if n == nil {
		return 0
	}
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float") && n.Value != "0" {
		r.problemf(n, "write "+n.Value+"s for seconds", "%s has no unit", m.name)
		return 0
	}
	if n.Kind != yaml.ScalarNode {
		r.problemf(n, "write a time like 2s or 500ms", "%s is %s, not a time", m.name, describe(n))
		return 0
	}
	d, err := time.ParseDuration(n.Value)
	switch {
	case err != nil:
		r.problemf(n, "write a time like 2s, 500ms or 1m30s", "%s is %s, not a time", m.name, quote(n.Value))
	case d < 0 || d == 0 && !zero:
		r.problemf(n, "write a time like 2s", "%s must be greater than zero", m.name)
	case d > maxDuration:
		r.problemf(n, "", "%s is longer than %s", m.name, maxDuration)
	default:
		return d
	}
	return 0
}

// time reads a point in time.
func (r *reader) time(m member) time.Time {
	n := m.value
	if n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || n.ShortTag() == "!!timestamp") {
		if t, err := time.Parse(time.RFC3339, n.Value); err == nil {
			return t
		}
	}
	r.problemf(n, "write a time like 2026-01-31T22:15:00Z", "%s is %s, not a time", m.name, describe(n))
	return time.Time{}
}

// count reads a whole number from 0 to most.
func (r *reader) count(m member, most int) int {
	n := m.value
	if n == nil {
		return 0
	}
	i, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || i < 0 || i > most {
		r.problemf(n, fmt.Sprintf("write a whole number from 0 to %d", most), "%s is %s", m.name, describe(n))
		return 0
	}
	return i
}

// fraction reads a number from 0 to 1.
func (r *reader) fraction(m member) float64 {
	n := m.value
	if n == nil {
		return 0
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	number := n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!int" || n.ShortTag() == "!!float")
	if !number || err != nil || math.IsNaN(f) || f < 0 || f > 1 {
		r.problemf(n, "write a number from 0 to 1", "%s is %s", m.name, describe(n))
		return 0
	}
	return f
}

// truth reads true or false.
func (r *reader) truth(m member) bool {
	n := m.value
	if n == nil {
		return false
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		r.problemf(n, "write true or false", "%s is %s", m.name, describe(n))
		return false
	}
	return strings.EqualFold(n.Value, "true")
}

// describe names a value in YAML's terms.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return describeScalar(n)
	}
}

func describeScalar(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "the number " + clip(n.Value)
	case "!!bool":
		return "the truth value " + clip(n.Value)
	case "!!str":
		return "the text " + quote(n.Value)
	case "!!timestamp":
		return "the date " + clip(n.Value)
	default:
		return "a value of type " + clip(n.ShortTag())
	}
}

// quote quotes a text of the file for a message, the beginning if it is long.
func quote(text string) string { return strconv.Quote(clip(text)) }

func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
