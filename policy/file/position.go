package file

import (
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// within maps a position in the text of a scalar to the position in the file,
// both counted from 1 in lines and characters.
//
// YAML folds lines, strips indentation and decodes escapes, but it never adds
// or removes a visible character. So the n-th visible character of the text is
// the n-th visible one of the scalar in the file.
func (s *source) within(n *yaml.Node, line, column int) place {
	before, gap := 0, 0 // visible characters before the position, and spaces since the last of them
	lines := strings.Split(n.Value, "\n")
	line = min(max(line, 1), len(lines))
	for _, text := range lines[:line-1] {
		before += visible([]rune(text))
	}
	text := []rune(lines[line-1])
	column = min(max(column, 1), len(text)+1)
	for _, r := range text[:column-1] {
		if gap++; !unicode.IsSpace(r) {
			before, gap = before+1, 0
		}
	}
	seen := s.visible(n, before+1)
	switch {
	case column <= len(text) && !unicode.IsSpace(text[column-1]) && before < len(seen):
		return seen[before].start
	case before > 0 && before <= len(seen):
		end := seen[before-1].end
		return place{end.line, end.column + gap}
	case len(seen) > 0:
		return seen[0].start
	default:
		return at(n)
	}
}

func visible(text []rune) int {
	count := 0
	for _, r := range text {
		if !unicode.IsSpace(r) {
			count++
		}
	}
	return count
}

// character is one visible character of a scalar as it appears in the file; an
// escape is one character that is several wide.
type character struct{ start, end place }

// visible returns the first visible characters of a scalar, at most n.
func (s *source) visible(n *yaml.Node, most int) []character {
	var seen []character
	quoted := n.Style & (yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle)
	for number := max(n.Line, 1); number <= len(s.lines); number++ {
		text := []rune(s.lines[number-1])
		i := 0
		if number == n.Line {
			if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
				continue // the line of the indicator
			}
			i = afterProperties(text, max(n.Column-1, 0))
			if quoted != 0 {
				i++ // the quote
			}
		}
		for i < len(text) {
			width, shown := 1, !unicode.IsSpace(text[i])
			if quoted != 0 && shown {
				width, shown = escape(text[i:], quoted)
			}
			if shown {
				if seen = append(seen, character{place{number, i + 1}, place{number, i + width + 1}}); len(seen) == most {
					return seen
				}
			}
			i += width
		}
	}
	return seen
}

// afterProperties skips the anchor and the tag of a scalar.
func afterProperties(text []rune, i int) int {
	for i < len(text) && (text[i] == '&' || text[i] == '!') {
		for i < len(text) && text[i] != ' ' {
			i++
		}
		for i < len(text) && text[i] == ' ' {
			i++
		}
	}
	return i
}

// escape returns the width of the character at the beginning of text, which is
// inside quotes, and whether it is visible once decoded.
func escape(text []rune, quoted yaml.Style) (width int, shown bool) {
	switch {
	case quoted == yaml.SingleQuotedStyle && len(text) > 1 && text[0] == '\'' && text[1] == '\'':
		return 2, true
	case quoted != yaml.DoubleQuotedStyle || text[0] != '\\':
		return 1, true
	case len(text) == 1:
		return 1, false // an escaped line break
	}
	digits := 0
	switch text[1] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case 't', '\t', 'n', 'v', 'f', 'r', ' ', 'N', '_', 'L', 'P':
		return 2, false
	}
	if digits == 0 || len(text) < 2+digits {
		return 2, true
	}
	code, err := strconv.ParseUint(string(text[2:2+digits]), 16, 32)
	return 2 + digits, err != nil || !unicode.IsSpace(rune(code))
}
