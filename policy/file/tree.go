package file

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

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

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// yamlMessages are what the parser says, what that means, and what to do.
var yamlMessages = []struct{ begins, message, advice string }{
	{"mapping values are not allowed", "a colon and a space begin a value, where none can be", "put a text with `: ` in it into quotes, or check the indentation"},
	{"did not find expected '-' indicator", "a line of a list is indented differently from the lines before it", "indent it like them"},
	{"did not find expected key", "a line is indented differently from the lines before it, or a quote is missing", "indent it like them, and check the quotes"},
	{"could not find expected ':'", "a key has no colon after it, or a quote is missing", "write KEY: VALUE"},
	{"did not find expected ',' or ']'", "a list in brackets has no end, or a comma is missing", "close it with ]"},
	{"did not find expected ',' or '}'", "a mapping in braces has no end, or a comma is missing", "close it with }, and put texts with { or } in them into quotes"},
	{"did not find expected node content", "a list or a mapping in brackets has no end, or something in it is no value", "close it with ] or }, or put its texts into quotes"},
	{"found unexpected end of stream", "a text in quotes has no end", "close the quotes"},
	{"found unknown escape character", "a text in double quotes has a backslash that means nothing there", "use single quotes, or write \\\\"},
	{"found character that cannot start any token", "a text begins with a character that means something else in YAML", "put it into quotes"},
	{"block sequence entries are not allowed", "a list begins where none can be", "put it in a line of its own, below its key"},
}

// syntax reports what the YAML parser said.
func (s *source) syntax(err error) {
	where, advice := place{1, 1}, ""
	if second, ok := errors.AsType[*documentError](err); ok {
		s.fail(place{second.line, 1}, "", second.Error(), "put its policies into the first list and remove the line `---`")
		return
	}
	message := err.Error()
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		if line, err := strconv.Atoi(m[1]); err == nil {
			where.line = s.firstWrong(min(max(line, 1), len(s.lines)))
		}
	}
	for _, known := range yamlMessages {
		if strings.HasPrefix(message, known.begins) {
			message, advice = known.message, known.advice
			break
		}
	}
	if bracket, open := s.openBracket(); open && strings.HasPrefix(message, "a list or a mapping in brackets") { // the parser names no place
		s.fail(bracket, "", "the file is not YAML: "+message, advice)
		return
	}
	text := s.lines[where.line-1]
	where.column += len(text) - len(strings.TrimLeft(text, " "))
	if tab := strings.Index(text, "\t"); tab >= 0 && strings.TrimSpace(text[:tab]) == "" {
		message, advice = "the line is indented with a tab", "indent with spaces: YAML does not allow tabs"
	}
	s.fail(where, "", "the file is not YAML: "+message, advice)
}

// openBracket is where the last bracket or brace of the file begins that has no end.
func (s *source) openBracket() (place, bool) {
	var open []place
	for i, line := range s.lines {
		quote := byte(0)
		for j := range len(line) {
			switch c := line[j]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '#' && (j == 0 || line[j-1] == ' '):
				line = line[:j]
			case c == '[' || c == '{':
				open = append(open, place{i + 1, utf8.RuneCountInString(line[:j]) + 1})
			case (c == ']' || c == '}') && len(open) > 0:
				open = open[:len(open)-1]
			}
			if j >= len(line) {
				break
			}
		}
	}
	if len(open) == 0 {
		return place{}, false
	}
	return open[len(open)-1], true
}

// Bounds on the work to find the line in which a file stops being YAML.
const (
	mostWindow = 100     // lines that a text or list in brackets may have
	mostReread = 8 << 20 // bytes
)

// firstWrong is the line in which a file stops being YAML. The parser reports
// the line in which the list or mapping begins that it could not read, or the
// one before; the lines up to the wrong one are valid. The search starts there,
// and skips brackets and quotes that span lines.
func (s *source) firstWrong(from int) int {
	budget := mostReread
	size := 0
	for _, text := range s.lines[:from-1] {
		size += len(text) + 1
	}
	right := from - 1 // the last line up to which the file is valid
	for line := from; line <= len(s.lines) && line <= right+mostWindow; line++ {
		size += len(s.lines[line-1]) + 1
		if budget -= size; budget < 0 {
			return from
		}
		if _, err := decode([]byte(strings.Join(s.lines[:line], "\n"))); err == nil {
			right = line
		}
	}
	return min(right+1, len(s.lines))
}

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

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
