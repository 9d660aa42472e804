package rule

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// pattern is a regular expression with a prefilter, for one that is tested
// often and rarely matches. Words that every match must contain are extracted
// once; a text without them is ruled out before the expression runs, in a
// fraction of the time.
type pattern struct {
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
	// weight is the cost per ten bytes, in steps, of running the expression:
	// the same as CEL counts.
	weight int
}

func newPattern(source string) (*pattern, error) {
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, err
	}
	p := &pattern{re: re, weight: 1 + len(source)/4}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
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

// couldMatch is false if a text certainly has no match.
func (p *pattern) couldMatch(text string) bool {
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

// matches is regexp.MatchString.
func (p *pattern) matches(text string) bool { return p.couldMatch(text) && p.re.MatchString(text) }

// cost is the cost of running the expression on a text, in steps.
func (p *pattern) cost(text string) int { return (1 + len(text)/10) * p.weight }

// patterns caches the patterns of a condition by their sources, so that each is
// compiled once.
type patterns map[string]*pattern

func (known patterns) get(source string) (*pattern, error) {
	if p := known[source]; p != nil {
		return p, nil
	}
	p, err := newPattern(source)
	if err != nil {
		return nil, err
	}
	known[source] = p
	return p, nil
}

// forCEL lets CEL use the patterns for the constants of an expression.
func (known patterns) forCEL() *interpreter.RegexOptimization {
	return &interpreter.RegexOptimization{
		Function:   overloads.Matches,
		OverloadID: overloads.MatchesString, // takes precedence over CEL's own
		RegexIndex: 1,
		Factory: func(call interpreter.InterpretableCall, source string) (interpreter.InterpretableCall, error) {
			p, err := known.get(source)
			if err != nil {
				return nil, err
			}
			return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
				if len(args) != 2 {
					return types.NoSuchOverloadErr()
				}
				text, ok := args[0].(types.String)
				if !ok {
					return types.MaybeNoSuchOverloadErr(args[0])
				}
				return types.Bool(p.matches(string(text)))
			}), nil
		},
	}
}
