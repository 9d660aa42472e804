package project

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// MaxYAML is how long a text may be that is parsed as YAML. Parsing costs far more than
// reading lines.
const MaxYAML = 64 << 10

// Bounds of what is read of YAML.
const (
	maxYAMLNodes = 20_000
	maxYAMLDepth = 64
	maxDocuments = 64
)

// document is a parsed file of YAML, or of JSON, which is YAML too.
type document struct {
	roots []*yaml.Node
	// left is how many nodes may still be visited. Aliases are visited each time
	// they are used, so that it also bounds what they expand to.
	left int
	// unknown says that a bound was reached.
	unknown bool
}

// parseYAML parses all documents of a file. It returns nil if the file is not YAML or if
// it is nothing but one plain text, as a piece of a file may be. A file that is too long
// is an unknown document without roots.
func parseYAML(f File) *document {
	content, d := f.Content, &document{left: maxYAMLNodes}
	if f.Unparsed || len(content) > MaxYAML || tooDeep(content) {
		d.unknown = true
		return d
	}
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(content)))
	for {
		var root yaml.Node
		err := decoder.Decode(&root)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil
		}
		if len(d.roots) == maxDocuments {
			d.unknown = true
			break
		}
		d.roots = append(d.roots, &root)
	}
	for _, root := range d.roots {
		if n := d.value(root); n != nil && n.Kind != yaml.ScalarNode {
			return d
		}
	}
	return nil
}

// tooDeep reports whether a text nests deeper than is read, before it is parsed: the
// parser is recursive and slow there.
func tooDeep(content string) bool {
	open, dashes := 0, 0
	for i := range len(content) {
		switch content[i] {
		case '[', '{':
			open++
		case ']', '}':
			open--
		case '\n':
			dashes = 0
		case '-', '?', ':':
			dashes++
		}
		if open > 4*maxYAMLDepth || dashes > 64*maxYAMLDepth {
			return true
		}
	}
	return false
}

// value returns the node that a node stands for: the target of an alias, the content
// of a document. It is nil when nothing more may be visited.
func (d *document) value(n *yaml.Node) *yaml.Node {
	for range maxYAMLDepth {
		if d.left--; d.left < 0 || n == nil {
			d.unknown = d.unknown || n != nil
			return nil
		}
		switch n.Kind {
		case yaml.AliasNode:
			n = n.Alias
		case yaml.DocumentNode:
			if len(n.Content) == 0 {
				return nil
			}
			n = n.Content[0]
		default:
			return n
		}
	}
	d.unknown = true
	return nil
}

// pairs calls f for the keys and values of a mapping, and those that are merged into
// it.
func (d *document) pairs(n *yaml.Node, f func(key string, value *yaml.Node)) { d.merged(n, f, 0) }

func (d *document) merged(n *yaml.Node, f func(key string, value *yaml.Node), depth int) {
	n = d.value(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	if depth > maxYAMLDepth {
		d.unknown = true
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := d.value(n.Content[i]), d.value(n.Content[i+1])
		if key == nil || value == nil {
			continue
		}
		if key.Value != "<<" {
			f(key.Value, value)
			continue
		}
		if value.Kind == yaml.MappingNode {
			d.merged(value, f, depth+1)
		}
		for _, item := range d.items(value) {
			d.merged(item, f, depth+1)
		}
	}
}

// items returns the items of a sequence, nil for anything else.
func (d *document) items(n *yaml.Node) []*yaml.Node {
	if n = d.value(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	list := make([]*yaml.Node, 0, len(n.Content))
	for _, item := range n.Content {
		if item = d.value(item); item != nil {
			list = append(list, item)
		}
	}
	return list
}

// member returns the value of a key, the last one if there are several, nil if there
// is none.
func (d *document) member(n *yaml.Node, key string) *yaml.Node {
	var found *yaml.Node
	d.pairs(n, func(name string, value *yaml.Node) {
		if name == key {
			found = value
		}
	})
	return found
}

// text returns the text of a scalar, and whether it is one.
func (d *document) text(n *yaml.Node) (string, bool) {
	if n = d.value(n); n == nil || n.Kind != yaml.ScalarNode {
		return "", false
	}
	return n.Value, true
}

// texts returns the scalars of a sequence, or the one that stands in its place.
func (d *document) texts(n *yaml.Node) []string {
	if text, ok := d.text(n); ok {
		return []string{text}
	}
	var list []string
	for _, item := range d.items(n) {
		if text, ok := d.text(item); ok {
			list = append(list, text)
		}
	}
	return list
}

// walk calls f for every value below a node, with its key, "" for an item of a
// sequence. Where f returns false nothing below the value is visited.
func (d *document) walk(n *yaml.Node, f func(key string, value *yaml.Node) bool) {
	d.walkFrom(n, f, 0)
}

func (d *document) walkFrom(n *yaml.Node, f func(key string, value *yaml.Node) bool, depth int) {
	if depth > maxYAMLDepth {
		d.unknown = true
		return
	}
	visit := func(key string, value *yaml.Node) {
		if f(key, value) {
			d.walkFrom(value, f, depth+1)
		}
	}
	if n = d.value(n); n == nil {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		d.pairs(n, visit)
	case yaml.SequenceNode:
		for _, item := range d.items(n) {
			visit("", item)
		}
	default:
	}
}

// all is walk for every document of the file.
func (d *document) all(f func(key string, value *yaml.Node) bool) {
	for _, root := range d.roots {
		if n := d.value(root); n != nil && n.Kind == yaml.ScalarNode {
			f("", n)
		}
		d.walk(root, f)
	}
}

// isCommand reports whether a text of YAML may be a command: one word alone is a name,
// a number or a path.
func isCommand(text string) bool { return strings.Contains(strings.TrimSpace(text), " ") }
