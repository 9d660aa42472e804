package file

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// In YAML, a # behind a space begins a comment, also in the middle of a sentence without
// quotes: `reason: Write uses: x@SHA # v4` says `Write uses: x@SHA`.

// prose are the keys whose values are sentences for people.
var prose = []string{"reason", "doc", "about", "sees", "blind", "instructions"}

// warnCut warns about sentences that YAML probably ends too early.
func (s *source) warnCut(n *yaml.Node) {
	for i, kid := range n.Content {
		isValue := n.Kind == yaml.MappingNode && i%2 == 1
		switch {
		case isValue && n.Content[i-1].Value == "examples":
			continue
		case isValue && kid.Kind == yaml.ScalarNode && slices.Contains(prose, n.Content[i-1].Value) && s.seemsCut(kid):
			s.warn(at(kid), "", fmt.Sprintf("%s ends before %s, which is a comment in YAML", n.Content[i-1].Value, quote(kid.LineComment)),
				"put the text into quotes if this is part of it, or two spaces before the # if it is not")
		}
		s.warnCut(kid)
	}
}

// seemsCut reports whether a text without quotes is followed by a comment that touches it
// and probably belongs to it: what is before it is no whole sentence, or the # is no sign
// by itself, as in #123.
func (s *source) seemsCut(n *yaml.Node) bool {
	if !s.touchedByComment(n) {
		return false
	}
	return !strings.ContainsAny(n.Value[len(n.Value)-1:], ".!?") || !strings.HasPrefix(n.LineComment, "# ")
}

// touchedByComment reports whether one space is all that is between a text without quotes
// and a comment.
func (s *source) touchedByComment(n *yaml.Node) bool {
	if n.Style != 0 || n.LineComment == "" || n.Value == "" || n.Line < 1 {
		return false
	}
	words := strings.Fields(n.Value)
	end := words[len(words)-1] + " " + n.LineComment
	for _, line := range s.lines[n.Line-1:] {
		if text, commented := strings.CutSuffix(strings.TrimRight(line, " \t\r"), n.LineComment); commented {
			return strings.HasSuffix(text+n.LineComment, end)
		}
	}
	return false
}
