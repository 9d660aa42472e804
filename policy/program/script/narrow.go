package script

import (
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// narrowed is a name that a condition says more about, within its block.
type narrowed struct {
	name    string
	old, is value
	// column is that of the condition: a line that is not further right ends its
	// block. end is the token at which it ends where braces do that.
	column int32
	end    int
}

// narrows reads the condition behind an if as far as it says what a variable is
// in the block: d == "build", d in ("dist", "build"), f.endswith(".pyc"). Nothing
// is read of conditions with alternatives, and of those that say what it is not
// only where the rest of the block is skipped: if f != "x": continue.
func (r *reader) narrows(first bool) {
	stop := r.conditionEnd(r.limit)
	if stop < 0 || stop >= r.limit {
		return
	}
	name, v, not, ok := r.compared(r.i, stop)
	n := narrowed{name: name, is: v, column: r.column, end: r.limit}
	end := &r.tokens[stop]
	switch r.language {
	case library.Python:
		ok = ok && end.Is(":") && (!not || first && r.skips(stop+1))
		if not {
			n.column--
		}
	case library.Ruby:
		ok = ok && !not && (end.Ends() || end.Word("then"))
	default:
		ok = ok && !not && end.Is("{")
		n.end = int(end.Match)
	}
	if ok {
		r.push(n)
	}
}

// mostNarrowed is how many conditions are followed within each other.
const mostNarrowed = 16

// widen ends what conditions say when the block is left that they are about.
func (r *reader) widen(base int, t *lexer.Token) {
	for len(r.narrow) > base {
		n := &r.narrow[len(r.narrow)-1]
		ended := r.i >= n.end
		switch r.language {
		case library.Python:
			ended = ended || t.First && t.Column <= n.column && t.Kind != lexer.Line
		case library.Ruby:
			ended = ended || t.Word("end") || t.Word("else") || t.Word("elsif") || t.First && t.Column <= n.column && t.Kind != lexer.Line
		default:
		}
		if !ended {
			return
		}
		r.pop()
	}
}

// mostCondition is how many tokens of a condition are looked at.
const mostCondition = 48

// conditionEnd is the token behind the condition at the current place, -1 if it
// is not found near or if the condition has alternatives.
func (r *reader) conditionEnd(limit int) int {
	for at := r.i; at < r.i+mostCondition; at++ {
		if at >= limit {
			return limit
		}
		switch t := &r.tokens[at]; {
		case t.Is("||"), t.Word("or"), t.Word("else"), t.Is("?"), t.Assigns:
			return -1
		case t.Is("{") && (r.language == library.PHP || r.language == library.Perl), t.Is(":") && r.language == library.Python, t.Ends(), t.Word("then"), t.Closing(), t.Word("if"), t.Word("for"):
			return at
		case t.Match > 0:
			at = int(t.Match)
		}
	}
	return -1
}

// skips reports whether a block does nothing but go on with the next round.
func (r *reader) skips(at int) bool {
	for at < r.limit && r.tokens[at].Kind == lexer.Line {
		at++
	}
	if at >= r.limit || !r.tokens[at].Word("continue") && !r.tokens[at].Word("return") {
		return false
	}
	return at+1 >= r.limit || r.tokens[at+1].Kind == lexer.Line || r.tokens[at+1].Kind == lexer.End
}

// behind reads what Perl and Ruby put behind a statement before the statement is read: a
// loop, whose variable it binds, or a condition: unlink $f if $f eq "x".
func (r *reader) behind() {
	if r.language != library.Ruby && r.language != library.Perl {
		return
	}
	perl := r.language == library.Perl
	for at := r.i; at < r.limit && (perl || at < r.i+mostCondition) && r.Step(); at++ {
		t := &r.tokens[at]
		switch {
		case t.Is(";"), t.Is("}"), !perl && (t.Ends() || t.Closing() || t.Word("do")):
			return
		case t.Match > 0:
			at = int(t.Match)
		case perl && t.Word("while"):
			r.loops = true
		case at == r.i:
		case perl && (t.Word("for") || t.Word("foreach")):
			start := r.i
			r.i = at + 1
			r.names["$_"] = r.Element(r.expr(0))
			r.i = start
			return
		case t.Word("if") && at < r.i+mostCondition:
			start := r.i
			r.i = at + 1
			stop := r.conditionEnd(r.limit)
			r.i = start
			if stop < 0 || stop < r.limit && !r.tokens[stop].Ends() && !r.tokens[stop].Closing() {
				return
			}
			if name, v, not, ok := r.compared(at+1, stop); ok && !not {
				r.push(narrowed{name: name, is: v, column: -1, end: stop})
			}
			return
		}
	}
}

func (r *reader) push(n narrowed) {
	if len(r.narrow) < mostNarrowed {
		n.old = r.names[n.name]
		r.narrow = append(r.narrow, n)
		r.names[n.name] = n.is
	}
}

// pop forgets the last condition. What its block gave the name, it may have.
func (r *reader) pop() {
	n := &r.narrow[len(r.narrow)-1]
	now := r.names[n.name]
	if r.names[n.name] = n.old; now != n.is {
		r.names[n.name] = values.Join(n.old, now)
	}
	*n = narrowed{}
	r.narrow = r.narrow[:len(r.narrow)-1]
}
