package file

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keywords is a prefilter: every match of some patterns contains one of these
// texts. A text without any of them is ruled out in a fraction of the time that a
// search takes: only some groups of four bytes are looked at, at a step that hits
// every word wherever it begins.
type keywords struct {
	step  int // distance between two groups
	marks [1 << 10]uint64
	// fragments are, by the hash of four bytes, the words that contain them.
	fragments map[uint16][]fragment
}

// fragment is a position in a word.
type fragment struct {
	word string
	at   int
}

// A word has at least as many bytes as are hashed together, and a pattern at
// most so many words.
const (
	leastWord = 4
	mostWords = 64
)

// keywordsOf returns the keywords of some patterns, nil if a match of one of them
// need not contain any.
func keywordsOf(patterns []string) *keywords {
	var list []string
	for _, pattern := range patterns {
		needed := wordsOf(pattern)
		if needed == nil {
			return nil
		}
		list = append(list, needed...)
	}
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	w := &keywords{step: shortestOf(list) - leastWord + 1, fragments: map[uint16][]fragment{}}
	for _, word := range slices.Compact(list) {
		for i := range w.step {
			mark := markOf(word, i)
			w.marks[mark/64] |= 1 << (mark % 64)
			w.fragments[mark] = append(w.fragments[mark], fragment{word, i})
		}
	}
	return w
}

// in reports whether a text contains one of the words. Without keywords any text
// may match.
func (w *keywords) in(text string) bool {
	if w == nil {
		return text != ""
	}
	for at, step := 0, w.step; at+leastWord <= len(text); at += step {
		if mark := markOf(text, at); w.marks[mark/64]>>(mark%64)&1 != 0 && w.at(text, at, mark) {
			return true
		}
	}
	return false
}

// at reports whether a word has the four bytes at a position.
func (w *keywords) at(text string, at int, mark uint16) bool {
	for _, p := range w.fragments[mark] {
		if p.at <= at && strings.HasPrefix(text[at-p.at:], p.word) {
			return true
		}
	}
	return false
}

// markOf hashes four bytes.
func markOf(text string, at int) uint16 {
	four := text[at : at+leastWord]
	return uint16((uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24) * 0x9e3779b1 >> 16)
}

// wordsOf returns words of which every match of a pattern contains one, nil if
// there are none.
func wordsOf(pattern string) []string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	whole, some := wordsIn(tree.Simplify())
	if best := better(whole, some); shortestOf(best) >= leastWord {
		return best
	}
	return nil
}

// wordsIn returns all texts that an expression matches, nil if they are too many,
// and words of which each of them contains one, nil if there are none.
func wordsIn(re *syntax.Regexp) (whole, some []string) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, nil
	case syntax.OpLiteral:
		return literal(re), nil
	case syntax.OpCharClass:
		return class(re.Rune), nil
	case syntax.OpCapture:
		return wordsIn(re.Sub[0])
	case syntax.OpPlus:
		whole, some = wordsIn(re.Sub[0])
		return nil, better(whole, some)
	case syntax.OpQuest:
		if whole, _ = wordsIn(re.Sub[0]); whole != nil {
			return append(whole, ""), nil
		}
		return nil, nil
	case syntax.OpConcat:
		return sequence(re.Sub)
	case syntax.OpAlternate:
		return alternatives(re.Sub)
	default:
		return nil, nil
	}
}

// sequence handles a concatenation: parts that are known as a whole are joined.
func sequence(parts []*syntax.Regexp) (whole, some []string) {
	whole = []string{""}
	ended := false
	for _, part := range parts {
		all, within := wordsIn(part)
		if joined := product(whole, all); joined != nil {
			whole = joined
			continue
		}
		ended = true
		some = better(some, better(whole, within))
		if whole = all; whole == nil {
			whole = []string{""}
		}
	}
	if ended {
		return nil, better(some, whole)
	}
	return whole, nil
}

func alternatives(parts []*syntax.Regexp) (whole, some []string) {
	isWhole := true
	for _, part := range parts {
		all, within := wordsIn(part)
		isWhole = isWhole && all != nil
		whole = append(whole, all...)
		best := better(all, within)
		if best == nil || len(some)+len(best) > mostWords {
			return nil, nil
		}
		some = append(some, best...)
	}
	if isWhole {
		return whole, nil
	}
	return nil, some
}

// literal handles a literal, which may have too many forms to list if case does
// not matter.
func literal(re *syntax.Regexp) []string {
	text := string(re.Rune)
	if re.Flags&syntax.FoldCase != 0 && strings.ContainsFunc(text, unicode.IsLetter) || !utf8.ValidString(text) {
		return nil
	}
	return []string{text}
}

// class returns the characters of a small class.
func class(ranges []rune) []string {
	const most = 8
	var list []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(list) == most || r == utf8.RuneError || !utf8.ValidRune(r) {
				return nil
			}
			list = append(list, string(r))
		}
	}
	return list
}

// product concatenates each text with each that follows, nil if they are too many.
func product(texts, behind []string) []string {
	if behind == nil || len(texts)*len(behind) > mostWords {
		return nil
	}
	joined := make([]string, 0, len(texts)*len(behind))
	for _, text := range texts {
		for _, next := range behind {
			joined = append(joined, text+next)
		}
	}
	return joined
}

// better returns the list with the longer words.
func better(a, b []string) []string {
	if shortestOf(b) > shortestOf(a) {
		return b
	}
	return a
}

// shortestOf is the length of the shortest word, 0 if there is none.
func shortestOf(list []string) int {
	if len(list) == 0 {
		return 0
	}
	return len(slices.MinFunc(list, func(a, b string) int { return len(a) - len(b) }))
}
