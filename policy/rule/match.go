package rule

import (
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// Outcome is the outcome of a condition for a subject.
type Outcome uint8

const (
	// False: the condition does not hold.
	False Outcome = iota
	// True: it holds.
	True
	// Unknown: it depends on something that is not known.
	Unknown
)

// String returns "false", "true" or "unknown".
func (o Outcome) String() string {
	switch o {
	case False:
		return "false"
	case True:
		return "true"
	default:
		return "unknown"
	}
}

// Match evaluates a condition for a subject, and says for Unknown what would
// have to be known. What is not there is equal to nothing: see the package. A failure
// is an error: a text where a number is needed, or ErrCost.
func (p *Program) Match(s *policy.Subject) (Outcome, string, error) {
	_, outcome, what, err := p.decide(viewOf(s, p.programs))
	return outcome, what, err
}

// decide is Match, and says which call decides: the subject's own, or one that it passes on.
func (p *Program) decide(v *view) (by *view, outcome Outcome, what string, err error) {
	by = v
	if outcome, what, err = p.match(v); p.exchangeOnly || err != nil || outcome == True {
		return by, outcome, what, err
	}
	for _, other := range v.others() {
		switch is, missing, err := p.match(other); {
		case err != nil || is == True:
			return other, is, missing, err
		case is == Unknown && outcome == False:
			by, outcome, what = other, is, missing
		}
	}
	return by, outcome, what, nil
}

// MatchExchange is Match for an expression that uses nothing of a block; see
// OnlyExchange.
func (p *Program) MatchExchange(x *policy.Exchange) (Outcome, string, error) {
	if !p.exchangeOnly {
		return Unknown, "", errors.New("rule: the expression is about a block, and there is only an exchange: use Match")
	}
	return p.match(newView(nil, x, p.programs))
}

// Value returns the value of an expression for a subject, in the types of
// encoding/json with int64 for integers. The error is an *UnknownError if it
// depends on something that is not known, and ErrMissingKey if it uses a
// missing key.
func (p *Program) Value(s *policy.Subject) (any, error) { return p.valueOf(viewOf(s, p.programs)) }

func (p *Program) valueOf(v *view) (any, error) {
	var f frame
	p.begin(&f, v)
	is, a := f.inCEL(p.node.eval(&f))
	switch {
	case f.steps < 0 || a.isFailed():
		return nil, f.failure(a)
	case a != yes:
		return nil, &UnknownError{What: f.what(a)}
	}
	result, err := celvalue.Plain(is)
	if err != nil {
		return nil, fmt.Errorf("rule: %w", err)
	}
	return result, nil
}

// begin begins an evaluation for a subject.
func (p *Program) begin(f *frame, v *view) {
	f.view, f.params, f.written, f.steps = v, p.params, p.written, mostCost
}

// match evaluates a condition. An unknown value makes it unknown only if it
// depends on it: "a || unknown" is true if a is, and a list with one element that
// is known to match has a match.
func (p *Program) match(v *view) (Outcome, string, error) {
	var f frame
	p.begin(&f, v)
	a := p.node.holds(&f)
	switch {
	case f.steps < 0:
		return Unknown, "", ErrCost
	case a == no:
		return False, "", nil
	case a == yes:
		return True, "", nil
	case a.isFailed():
		return Unknown, "", f.failure(a)
	default:
		return Unknown, f.what(a), nil
	}
}
