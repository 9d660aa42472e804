package pattern

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// mostWords is how many words a list of alternatives may have.
const mostWords = 128

// reader extracts from a regular expression the words that its matches contain.
// If case is ignored everywhere, all words are in lower case.
type reader struct {
	folds   bool
	begins  []string
	best    []string
	inOrder []string
	chain   chain
}

// folds reports whether a part of an expression ignores case. Single letters do
// not count: they are classes of two.
func folds(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 && len(re.Rune) > 1 || slices.ContainsFunc(re.Sub, folds)
}

// top handles an expression as a whole: the parts of a sequence are all needed,
// and in order.
func (r *reader) top(re *syntax.Regexp) {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	r.chain = longestChain(parts)
	anchored := parts[0].Op == syntax.OpBeginText
	first := true
	r.sequence(parts, func(alternatives []string) {
		switch {
		case anchored && first && useful(alternatives):
			r.begins = alternatives
		case len(alternatives) == 1 && useful(alternatives) && !r.folds:
			r.inOrder = append(r.inOrder, alternatives[0])
		default:
			r.best = better(r.best, alternatives)
		}
		first = false
	})
}

// sequence calls found for each list of words of which every match of a
// concatenation contains one, in order. The first list is for the beginning of
// the match.
func (r *reader) sequence(parts []*syntax.Regexp, found func([]string)) {
	exact := []string{""}
	for _, part := range parts {
		whole, some := r.words(part)
		if whole != nil {
			if both := product(exact, whole); both != nil {
				exact = both
				continue
			}
		}
		found(exact)
		if exact = whole; exact == nil {
			exact = []string{""}
			found(some)
		}
	}
	found(exact)
}

// words returns all texts that an expression matches, nil if they are too many,
// and otherwise words of which each of them contains one, nil if there are
// none.
func (r *reader) words(re *syntax.Regexp) (exact, some []string) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, nil
	case syntax.OpLiteral:
		return r.literal(re)
	case syntax.OpCharClass:
		return r.class(re.Rune), nil
	case syntax.OpCapture:
		return r.words(re.Sub[0])
	case syntax.OpPlus:
		exact, some = r.words(re.Sub[0])
		return nil, better(exact, some)
	case syntax.OpQuest:
		if exact, _ = r.words(re.Sub[0]); exact != nil {
			return unite(exact, []string{""}), nil
		}
		return nil, nil
	case syntax.OpConcat:
		last, lists := []string(nil), 0
		r.sequence(re.Sub, func(alternatives []string) {
			some = better(some, alternatives)
			last = alternatives
			lists++
		})
		if lists == 1 {
			return last, nil
		}
		return nil, some
	case syntax.OpAlternate:
		return r.alternatives(re.Sub)
	default:
		return nil, nil
	}
}

func (r *reader) alternatives(parts []*syntax.Regexp) (exact, some []string) {
	exact, some = []string{}, []string{}
	for _, part := range parts {
		whole, words := r.words(part)
		if whole == nil {
			exact = nil
		} else {
			words = whole
		}
		if exact != nil {
			exact = unite(exact, whole)
		}
		if some = unite(some, words); !useful(words) {
			some = nil
		}
		if exact == nil && some == nil {
			return nil, nil
		}
	}
	return exact, some
}

// literal returns the text of a literal. If case is ignored, some letters have
// forms beyond ASCII: the text is cut there.
func (r *reader) literal(re *syntax.Regexp) (exact, some []string) {
	fold := re.Flags&syntax.FoldCase != 0
	if c := re.Rune[0]; fold && len(re.Rune) == 1 && foldsInASCII(c) {
		return unite([]string{string(r.lower(c))}, []string{string(r.lower(unicode.SimpleFold(c)))}), nil
	}
	var word []byte
	whole := true
	for _, c := range re.Rune {
		if fold && !foldsInASCII(c) {
			some = better(some, []string{string(word)})
			word, whole = nil, false
			continue
		}
		if c == utf8.RuneError { // also represents bytes that are not UTF-8
			return nil, better(some, []string{string(word)})
		}
		word = utf8.AppendRune(word, r.lower(c))
	}
	if whole {
		return []string{string(word)}, nil
	}
	return nil, better(some, []string{string(word)})
}

// class returns the characters of a small class.
func (r *reader) class(ranges []rune) []string {
	var all []string
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			if len(all) == 8 || c >= utf8.RuneSelf {
				return nil
			}
			all = unite(all, []string{string(r.lower(c))})
		}
	}
	if len(all) == 0 { // matches nothing, which is not worth a case
		return nil
	}
	return all
}

func (r *reader) lower(c rune) rune {
	if r.folds && 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// foldsInASCII reports whether a character has no other forms than the upper
// and lower case of ASCII.
func foldsInASCII(c rune) bool {
	for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
		if f >= utf8.RuneSelf {
			return false
		}
	}
	return c < utf8.RuneSelf
}

// product concatenates each of some with each of others, nil if that is too
// much.
func product(some, others []string) []string {
	if len(some)*len(others) > mostWords/2 {
		return nil
	}
	all := make([]string, 0, len(some)*len(others))
	for _, s := range some {
		for _, o := range others {
			all = append(all, s+o)
		}
	}
	return all
}

// unite returns the union of both lists, nil if one is nil or if there are too
// many.
func unite(some, others []string) []string {
	if some == nil || others == nil {
		return nil
	}
	for _, o := range others {
		if !slices.Contains(some, o) {
			some = append(some, o)
		}
	}
	if len(some) > mostWords {
		return nil
	}
	return some
}

// fewest removes words that are found whenever another one is.
func fewest(list []string, found func(text, word string) bool) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool {
		return slices.ContainsFunc(list, func(other string) bool { return other != word && found(word, other) })
	})
}

// useful reports whether a list of words can rule anything out.
func useful(list []string) bool { return len(list) > 0 && !slices.Contains(list, "") }

// better returns the more selective list: that whose shortest word is longer.
func better(some, others []string) []string {
	switch {
	case !useful(others):
		return some
	case !useful(some):
		return others
	}
	s, o := shortestWord(some), shortestWord(others)
	if o > s || o == s && len(others) < len(some) {
		return others
	}
	return some
}

func shortestWord(list []string) int {
	least := len(list[0])
	for _, word := range list[1:] {
		least = min(least, len(word))
	}
	return least
}
