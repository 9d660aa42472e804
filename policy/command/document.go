package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// documentCondition is true if one of its alternatives is; an alternative if all of its
// tests are.
type documentCondition [][]documentTest

// documentTest asks whether a document in JSON or YAML has something at a path: names of
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
type documentTest struct {
	not    bool
	path   []string
	how    string // "", "=", "!=" or "<"
	among  []string
	number float64
}

func parseDocumentCondition(alternatives []string) (documentCondition, error) {
	c := documentCondition{}
	for _, alternative := range alternatives {
		var all []documentTest
		for s := range strings.SplitSeq(alternative, " and ") {
			var t documentTest
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

// documentOf is the document that a value is, or names, parsed when it is asked for.
type documentOf struct {
	host         Host
	value, text  string
	read, parsed bool
	node         *yaml.Node
}

// root is the document, nil if it is not known, cannot be read or has nothing that is
// asked for.
func (d *documentOf) root(c documentCondition) *yaml.Node {
	if !d.read {
		d.read = true
		d.text, _ = d.host.Document(d.value)
	}
	if d.parsed || !c.mayHold(d.text) {
		return d.node
	}
	d.parsed = true
	if d.node = parseDocument(d.text); d.node == nil {
		d.host.Unknown(UnknownValue)
	}
	return d.node
}

// mayHold is a prefilter: of a text without the words that are asked for, and without
// escapes that could spell them, nothing is true.
func (c documentCondition) mayHold(text string) bool {
	if text == "" {
		return false
	}
	lower := strings.ToLower(text)
	return strings.Contains(text, `\`) || slices.ContainsFunc(c, func(all []documentTest) bool {
		return !slices.ContainsFunc(all, func(t documentTest) bool { return !t.not && !strings.Contains(lower, t.word()) })
	})
}

// word is what a document must have for the test to be true.
func (t *documentTest) word() string {
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

// parseDocument reads a text, nil if it cannot be read. Several documents are as a list.
func parseDocument(text string) *yaml.Node {
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

// holds reports whether the condition is true of a document, or of one element of a list
// in it.
func (c documentCondition) holds(n *yaml.Node, in []string) bool {
	if n == nil {
		return false
	}
	found := false
	visit(n, in, 0, func(element *yaml.Node) {
		found = found || slices.ContainsFunc(c, func(all []documentTest) bool {
			return !slices.ContainsFunc(all, func(t documentTest) bool { return !t.holds(element) })
		})
	})
	return found
}

// textsAt are the texts that a document has at a path, as many as are taken.
func textsAt(n *yaml.Node, path []string) []string {
	var texts []string
	visit(n, path, 0, func(at *yaml.Node) {
		if at.Kind == yaml.ScalarNode && len(texts) < mostTaken {
			texts = append(texts, at.Value)
		}
	})
	return texts
}

func (t *documentTest) holds(n *yaml.Node) bool {
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

func (t *documentTest) isAmong(text string) bool {
	return slices.ContainsFunc(t.among, func(want string) bool {
		return strings.EqualFold(want, text) || strings.ContainsAny(want, `*?\`) && wild(strings.ToLower(want), strings.ToLower(text))
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
			if inner := parseDocument(text); inner != nil && inner.Content[0].Kind == yaml.MappingNode {
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
