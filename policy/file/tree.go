package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits on a file. Policy files are written by people; anything larger is a
// mistake or an attack.
const (
	maxFile     = 1 << 20
	maxNodes    = 200_000
	maxDepth    = 64
	maxPolicies = 1000
)

// source is a policy file: its text, for positions, and the report for its
// problems.
type source struct {
	name   string
	lines  []string
	report *report
	// dir is where the file is, empty if it is not on disk, and beside are the files that
	// its examples name.
	dir    string
	beside []string
}

// place is a position in a source, as in Problem.
type place struct{ line, column int }

func at(n *yaml.Node) place {
	if n == nil {
		return place{1, 1}
	}
	return place{max(n.Line, 1), max(n.Column, 1)}
}

// fail reports a problem.
func (s *source) fail(where place, policy, message, suggestion string) {
	s.report.add(Problem{File: s.name, Line: where.line, Column: where.column, Policy: policy, Message: message, Suggestion: suggestion})
}

// warn reports something that may not work as its author expects.
func (s *source) warn(where place, policy, message, suggestion string) {
	s.report.warn(Problem{File: s.name, Line: where.line, Column: where.column, Policy: policy, Message: message, Suggestion: suggestion})
}

// parse parses YAML into a tree without aliases, nil if the file has problems
// that leave nothing to read.
func parse(r *report, name, dir string, data []byte) (*source, *yaml.Node) {
	s := &source{name: name, dir: dir, report: r}
	r.files = append(r.files, name)
	if len(data) > maxFile {
		s.fail(place{1, 1}, "", fmt.Sprintf("the file has %d bytes, more than %d", len(data), maxFile), "split it into several files")
		return s, nil
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	s.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	document, err := decode(data)
	if err != nil {
		s.syntax(err)
		return s, nil
	}
	if document == nil || len(document.Content) == 0 || isNull(document.Content[0]) {
		s.fail(place{1, 1}, "", "the file is empty", "write `policies:` and a list below it, or leave the file out")
		return s, nil
	}
	x := expansion{s: s, open: make(map[*yaml.Node]bool)}
	root := x.expand(document.Content[0], 0)
	if x.failed {
		return s, nil
	}
	return s, root
}

// decode decodes the single document of a file. The parser was not written for
// hostile input: its panics become errors here.
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
		return nil, &documentError{line: max(second.Line, 1)}
	}
}

// documentError is a second document in one file.
type documentError struct{ line int }

func (e *documentError) Error() string { return "a second document begins in the file" }

// expansion replaces aliases by copies of their values, within bounds: a few
// lines of aliases can expand to gigabytes.
type expansion struct {
	s      *source
	nodes  int
	open   map[*yaml.Node]bool
	failed bool
}

func (x *expansion) expand(n *yaml.Node, depth int) *yaml.Node {
	if x.failed {
		return n
	}
	if n.Kind == yaml.AliasNode {
		if n.Alias == nil || x.open[n.Alias] {
			return x.stop(n, "the alias *"+n.Value+" is inside its own anchor", "write the value out")
		}
		return x.expand(n.Alias, depth)
	}
	x.nodes++
	switch {
	case isTagged(n):
		return x.stop(n, "a value that begins with ! is a YAML tag", "put it into quotes, or write it below KEY: |")
	case x.nodes > maxNodes:
		return x.stop(n, fmt.Sprintf("the file has more than %d values, aliases included", maxNodes), "write less, or use fewer aliases")
	case depth > maxDepth:
		return x.stop(n, fmt.Sprintf("the file nests deeper than %d levels", maxDepth), "")
	case len(n.Content) == 0:
		return n
	}
	x.open[n] = true
	defer delete(x.open, n)
	whole := *n
	whole.Content = make([]*yaml.Node, 0, len(n.Content))
	for _, child := range n.Content {
		whole.Content = append(whole.Content, x.expand(child, depth+1))
		if x.failed {
			return n
		}
	}
	return &whole
}

func (x *expansion) stop(n *yaml.Node, message, suggestion string) *yaml.Node {
	x.failed = true
	x.s.fail(at(n), "", message, suggestion)
	return n
}

// isTagged reports whether a value has a tag of somebody's own: when: !(a) is one.
func isTagged(n *yaml.Node) bool {
	return n.Style&yaml.TaggedStyle != 0 && strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!")
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
