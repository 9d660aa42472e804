package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// Limits of a file. People write it; anything larger is a mistake.
const (
	maxFile = 1 << 20
	maxList = 1000
)

// source is a configuration file and where its problems go.
type source struct {
	*loading
	name string
}

func (f *source) at(n *yaml.Node) origin {
	return origin{f.name, max(n.Line, 1), max(n.Column, 1)}
}

// read returns what the file says about each key, by its path.
func (l *loading) read(name string, data []byte) map[string]given {
	f := &source{loading: l, name: name}
	said := make(map[string]given)
	top := origin{name, 1, 1}
	if len(data) > maxFile {
		l.problemf(top, "keep only the configuration of Sluice in it", "the file has more than %d bytes", maxFile)
		return said
	}
	document, err := decode(data)
	if err != nil {
		f.syntax(err)
		return said
	}
	if document == nil || len(document.Content) == 0 || isNull(document.Content[0]) {
		return said // nothing is set: the defaults apply
	}
	f.walk(said, document.Content[0], "", "the file")
	return said
}

// listName is the list in a mapping that is written instead of a list when there
// is more to set: policies: {files: [a.yaml], pinned: true}.
const listName = "files"

// walk descends the mappings to the values of keys, only as deep as there are
// keys: what is deeper is unknown.
func (f *source) walk(said map[string]given, n *yaml.Node, prefix, word string) {
	names := f.catalog.below(prefix)
	if f.catalog.find(word) != nil {
		names = append(names, listName)
	}
	members := f.members(n, word, names)
	for _, name := range names {
		p := prefix + name
		value := members[name]
		switch {
		case value == nil:
		case name == listName && f.catalog.find(word) != nil:
			said[word] = given{node: value, file: f, from: f.at(value)}
		case f.catalog.find(p) != nil && !(value.Kind == yaml.MappingNode && len(f.catalog.below(p+".")) > 0):
			said[p] = given{node: value, file: f, from: f.at(value)}
		case strings.HasPrefix(p, "upstreams.") && value.Kind == yaml.ScalarNode:
			said[p+".url"] = given{node: value, file: f, from: f.at(value)}
		default:
			f.walk(said, value, p+".", p)
		}
	}
}

// members returns the values of a mapping whose keys are known, by their keys.
// The word says what it is for. The result is nil if the value is not a
// mapping.
func (f *source) members(n *yaml.Node, word string, known []string) map[string]*yaml.Node {
	if !f.plain(n, word) {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		f.problemf(f.at(n), "write `key: value` pairs", "%s is %s, not a mapping", word, describe(n))
		return nil
	}
	members := make(map[string]*yaml.Node)
	lines := make(map[string]int)
	for i := 0; i+1 < len(n.Content) && len(f.problems) < mostProblems; i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch first, twice := lines[k.Value]; {
		case k.Kind != yaml.ScalarNode || !f.plain(k, "a key of "+word):
			f.problemf(f.at(k), "write a word", "a key of %s is not a word", word)
		case k.ShortTag() == "!!merge":
			f.problemf(f.at(k), "write the keys out", "merging with << is not supported")
		case twice:
			f.problemf(f.at(k), "remove one of them", "%s has the key %s twice: first in line %d", word, quote(k.Value), first)
		case !slices.Contains(known, k.Value):
			f.problemf(f.at(k), f.suggestKey(k.Value, known), "%s has an unknown key %s", word, quote(k.Value))
		case isNull(v):
			f.problemf(f.at(v), "write one, or remove the key", "%s has no value", k.Value)
		default:
			members[k.Value] = v
		}
		lines[k.Value] = k.Line
	}
	return members
}

// elsewhere are words that people expect among the keys, with what to do
// instead.
var elsewhere = map[string]string{
	"record": "recording is not a setting, because recordings contain conversations: run `sluice record --out DIR` instead",
}

// suggestKey looks for a key similar to an unknown one, first on the same
// level and then everywhere: people forget a level.
func (f *source) suggestKey(name string, known []string) string {
	if advice, ok := elsewhere[name]; ok {
		return advice
	}
	if near := words.Nearest(name, known, min(words.Most(name), 3)); near != "" {
		return "did you mean " + near + "?"
	}
	for _, k := range f.catalog {
		if strings.HasSuffix(k.path, "."+name) {
			return "did you mean " + k.path + "?"
		}
	}
	return words.Suggest(name, known)
}

// plain reports whether a value is what it looks like. Aliases are not: a few
// lines of them can expand to gigabytes. Nor are values with tags like !env,
// which other programs interpret.
func (f *source) plain(n *yaml.Node, word string) bool {
	switch {
	case n.Kind == yaml.AliasNode:
		f.problemf(f.at(n), "write the value out", "%s is an alias, which is not supported", word)
	case n.Style&yaml.TaggedStyle != 0:
		f.problemf(f.at(n), "write only the value; variables are named with the keys that end in _env", "%s has a tag, which is not supported", word)
	default:
		return true
	}
	return false
}

// scalar reads one text. What YAML takes for a number is a text as well: the
// key determines its meaning.
func (f *source) scalar(n *yaml.Node, word string) (string, bool) {
	switch {
	case !f.plain(n, word):
	case n.Kind != yaml.ScalarNode:
		f.problemf(f.at(n), "write one value", "%s is %s", word, describe(n))
	case isNull(n):
		f.problemf(f.at(n), "write one, or remove it", "%s has no value", word)
	default:
		return n.Value, true
	}
	return "", false
}

// scalars reads a list of texts; a single one is a list of one.
func (f *source) scalars(n *yaml.Node, word string) []value {
	nodes := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		if !f.plain(n, word) {
			return nil
		}
		nodes = n.Content
	}
	if len(nodes) > maxList {
		f.problemf(f.at(n), "", "%s has more than %d values", word, maxList)
		return nil
	}
	values := make([]value, 0, len(nodes))
	for _, n := range nodes {
		if text, ok := f.scalar(n, "a value of "+word); ok {
			values = append(values, f.value(n, text))
		}
	}
	return values
}

func (f *source) value(n *yaml.Node, text string) value {
	return value{text: text, from: f.at(n), base: filepath.Dir(f.name), home: f.home}
}

// decode reads the one document of a file. The parser is made for friendly
// input: its panics become errors here.
func decode(data []byte) (document *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			document, err = nil, fmt.Errorf("yaml: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	document = new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil //nolint:nilnil // no document and no error: the file is empty
		}
		return nil, err
	}
	second := new(yaml.Node)
	switch err := decoder.Decode(second); {
	case errors.Is(err, io.EOF):
		return document, nil
	case err != nil:
		return nil, err
	default:
		return nil, fmt.Errorf("yaml: line %d: a second document begins", max(second.Line, 1))
	}
}

var (
	yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	// countedFromZero are messages of the parser whose lines count from 0.
	countedFromZero = regexp.MustCompile(`^did not find expected (key|'-' indicator|node content|',' or|<document start>)`)
)

// syntax reports what the YAML parser said.
func (f *source) syntax(err error) {
	message := err.Error()
	where := origin{f.name, 1, 1}
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		if line, err := strconv.Atoi(m[1]); err == nil {
			if countedFromZero.MatchString(message) {
				line++
			}
			where.line = max(line, 1)
		}
	}
	if strings.Contains(message, "anchor") { // it repeats what the file says
		message = "there is an alias without an anchor"
	}
	suggestion := "YAML is `key: value` in each line, indented with spaces"
	if strings.HasPrefix(message, "a second document") {
		suggestion = "keep one, and remove the line `---`"
	}
	f.problemf(where, suggestion, "the file cannot be read as YAML: %s", message)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe says what a value is, in YAML's terms.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	default:
		return "a single value"
	}
}
