package pattern

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pattern is a regular expression with a prefilter, for one that is tested
// often and rarely matches. Words that every match must contain are extracted
// once; a text without them is ruled out before the expression runs, in a
// fraction of the time.
type Pattern struct {
	re *regexp.Regexp
	// least is the length of the shortest match in bytes. These are negative if
	// there is no such limit: most, the length of the longest text that
	// matches, and head and tail, how many bytes at the beginning or the end of
	// a text all matches are in.
	least, most, head, tail int
	// begins are words of which a match has one at the beginning of the text,
	// nil if any text will do. inOrder are words that it contains one after
	// another, oneOf are those of which it contains at least one, and chain are
	// words that it contains close together.
	begins, oneOf *words
	inOrder       []string
	chain         chain
	// weight is the cost per ten bytes, in steps, of running the expression.
	weight int
	// prog is its program, nil if it has none; made when it is first needed.
	prog func() *syntax.Prog
}

// New compiles a regular expression in the syntax of package regexp.
func New(source string) (*Pattern, error) {
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	p := &Pattern{re: re, weight: 1 + len(source)/4}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	p.prog = sync.OnceValue(func() *syntax.Prog {
		prog, err := syntax.Compile(tree)
		if err != nil {
			return nil
		}
		return prog
	})
	p.least = shortest(tree)
	p.most = utf8.UTFMax * reach(tree, syntax.OpBeginText, syntax.OpEndText)
	p.head = utf8.UTFMax * reach(tree, syntax.OpBeginText)
	p.tail = utf8.UTFMax * reach(tree, syntax.OpEndText)
	r := reader{folds: folds(tree)}
	r.top(tree)
	p.begins = newWords(fewest(r.begins, strings.HasPrefix), r.folds)
	p.oneOf = newWords(fewest(r.best, strings.Contains), r.folds)
	p.inOrder, p.chain = r.inOrder, r.chain
	return p, nil
}

// CouldMatch is false if a text certainly has no match.
func (p *Pattern) CouldMatch(text string) bool {
	if len(text) < p.least || p.most >= 0 && len(text) > p.most || p.begins != nil && !p.begins.begin(text) {
		return false
	}
	if p.head >= 0 {
		text = text[:min(p.head, len(text))]
	}
	if p.tail >= 0 {
		text = text[max(len(text)-p.tail, 0):]
	}
	rest := text
	for _, word := range p.inOrder {
		at := strings.Index(rest, word)
		if at < 0 {
			return false
		}
		rest = rest[at+len(word):]
	}
	return (p.oneOf == nil || p.oneOf.in(text)) && (p.chain == nil || p.chain.in(text))
}

// Matches is regexp.MatchString.
func (p *Pattern) Matches(text string) bool { return p.CouldMatch(text) && p.re.MatchString(text) }

// Cost is the cost of running the expression on a text, in steps.
func (p *Pattern) Cost(text string) int { return (1 + len(text)/10) * p.weight }

// String returns the source.
func (p *Pattern) String() string { return p.re.String() }
