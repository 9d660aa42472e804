package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/internal/describe"
)

// Condition is true if one of its alternatives is; an alternative if all of its
// tests are.
type Condition [][]test

// test asks whether a document in JSON or YAML has something at a path: names of
// members, "*" for any, "**" for any number of them. The elements of a list stand in its
// place, and a text that is a document itself is read as one.
//
//	Rules.Expiration.Date        there is such a member
//	**.kind=*Binding|Role        with one of these values, which may have wildcards; \* is
//	                             a star
//	**.Value!=*.example          with another value than these
//	Rules.Expiration.Days<8      with a number below
//
// A test may be negated with "not", and tests are joined by "and".
type test struct {
	not    bool
	path   []string
	how    string // "", "=", "!=" or "<"
	among  []string
	number float64
}

// ParseCondition reads a condition.
func ParseCondition(alternatives []string) (Condition, error) {
	c := Condition{}
	for _, alternative := range alternatives {
		var all []test
		for s := range strings.SplitSeq(alternative, " and ") {
			var t test
			s, t.not = strings.CutPrefix(strings.TrimSpace(s), "not ")
			path, given := s, ""
			if at := strings.IndexAny(s, "!=<"); at >= 0 {
				path, t.how = s[:at], s[at:at+1]
				if strings.HasPrefix(s[at:], "!=") {
					t.how = "!="
				}
				given = s[at+len(t.how):]
			}
			if t.path = strings.Split(path, "."); path == "" || slices.Contains(t.path, "") {
				return nil, fmt.Errorf("cannot read the test %q", s)
			}
			if t.among = strings.Split(given, "|"); t.how == "<" {
				var err error
				if t.number, err = strconv.ParseFloat(given, 64); err != nil {
					return nil, fmt.Errorf("%q is no number", given)
				}
			}
			all = append(all, t)
		}
		c = append(c, all)
	}
	return c, nil
}

// MayHold is a prefilter: of a text without the words that are asked for, and without
// escapes that could spell them, nothing is true.
func (c Condition) MayHold(text string) bool {
	if text == "" {
		return false
	}
	lower := strings.ToLower(text)
	return strings.Contains(text, `\`) || slices.ContainsFunc(c, func(all []test) bool {
		return !slices.ContainsFunc(all, func(t test) bool { return !t.not && !strings.Contains(lower, t.word()) })
	})
}

// word is what a document must have for the test to be true.
func (t *test) word() string {
	word := ""
	for _, name := range t.path {
		if name = strings.Trim(name, "*"); len(name) > len(word) {
			word = name
		}
	}
	if len(t.among) == 1 && t.how == "=" {
		if value := strings.Trim(t.among[0], `*?\`); len(value) > len(word) && !strings.ContainsAny(value, `*?\`) {
			word = value
		}
	}
	return strings.ToLower(word)
}

// mostDocument is how large a document may be that is read: a parsed one takes hundreds
// of times its size.
const mostDocument = 64 << 10

// mostDeep is how deep a document is read.
const mostDeep = 64

// Parse reads a text, nil if it cannot be read. Several documents are as a list.
func Parse(text string) *yaml.Node {
	if len(text) > mostDocument {
		return nil
	}
	var value any
	if strings.Contains(text, `\u`) && json.Unmarshal([]byte(text), &value) == nil { // YAML has other escapes
		plain, _ := json.Marshal(value) //nolint:errchkjson // it was made of JSON
		text = string(plain)
	}
	decoder, all := yaml.NewDecoder(strings.NewReader(text)), &yaml.Node{Kind: yaml.SequenceNode}
	for {
		var one yaml.Node
		if err := decoder.Decode(&one); err != nil {
			if errors.Is(err, io.EOF) && len(all.Content) > 0 {
				return all
			}
			return nil
		}
		all.Content = append(all.Content, one.Content...)
	}
}

// Holds reports whether the condition is true of a document, or of one element of a list
// in it.
func (c Condition) Holds(n *yaml.Node, in []string) bool {
	if n == nil {
		return false
	}
	found := false
	visit(n, in, 0, func(element *yaml.Node) {
		found = found || slices.ContainsFunc(c, func(all []test) bool {
			return !slices.ContainsFunc(all, func(t test) bool { return !t.holds(element) })
		})
	})
	return found
}

// TextsAt are the texts that a document has at a path, at most so many.
func TextsAt(n *yaml.Node, path []string, most int) []string {
	var texts []string
	visit(n, path, 0, func(at *yaml.Node) {
		if at.Kind == yaml.ScalarNode && len(texts) < most {
			texts = append(texts, at.Value)
		}
	})
	return texts
}

func (t *test) holds(n *yaml.Node) bool {
	found := false
	visit(n, t.path, 0, func(at *yaml.Node) {
		switch t.how {
		case "":
			found = true
		case "=":
			found = found || at.Kind == yaml.ScalarNode && t.isAmong(at.Value)
		case "!=":
			found = found || at.Kind == yaml.ScalarNode && !t.isAmong(at.Value)
		default:
			number, err := strconv.ParseFloat(at.Value, 64)
			found = found || err == nil && number < t.number
		}
	})
	return found != t.not
}

func (t *test) isAmong(text string) bool {
	return slices.ContainsFunc(t.among, func(want string) bool {
		return strings.EqualFold(want, text) || strings.ContainsAny(want, `*?\`) && describe.Wild(strings.ToLower(want), strings.ToLower(text))
	})
}

// visit calls f with what a document has at a path.
func visit(n *yaml.Node, path []string, depth int, f func(*yaml.Node)) {
	if n == nil || depth > mostDeep {
		return
	}
	switch n.Kind {
	case yaml.SequenceNode:
		for _, e := range n.Content {
			visit(e, path, depth+1, f)
		}
		return
	case yaml.ScalarNode:
		if text := strings.TrimSpace(n.Value); strings.HasPrefix(text, "{") {
			if inner := Parse(text); inner != nil && inner.Content[0].Kind == yaml.MappingNode {
				visit(inner, path, depth+1, f)
				return
			}
		}
	default:
	}
	if len(path) == 0 || len(path) == 1 && path[0] == "**" {
		f(n)
	}
	if len(path) == 0 || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, v := n.Content[i].Value, n.Content[i+1]
		if path[0] == "**" {
			visit(v, path, depth+1, f)
			if len(path) > 1 && isMember(path[1], key) {
				visit(v, path[2:], depth+1, f)
			}
		} else if isMember(path[0], key) {
			visit(v, path[1:], depth+1, f)
		}
	}
}

func isMember(name, key string) bool { return name == "*" || strings.EqualFold(name, key) }
