package rule

import (
	"errors"
	"fmt"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/sluice-project/sluice/policy"
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
// have to be known. A missing key in call.args makes it False. Any other
// failure is an error: a text where a number is needed, or ErrCost.
func (p *Program) Match(s *policy.Subject) (Outcome, string, error) {
	return p.match(viewOf(s, p.programs))
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
func (p *Program) Value(s *policy.Subject) (any, error) {
	value, err := p.evaluate(&activation{view: viewOf(s, p.programs), params: p.params, written: p.written})
	if err != nil {
		return nil, err
	}
	if u, ok := value.(*types.Unknown); ok {
		return nil, &UnknownError{What: whatWasUnknown(u)}
	}
	result, err := plain(value)
	if err != nil {
		return nil, fmt.Errorf("rule: %w", err)
	}
	return result, nil
}

// match evaluates a condition, without CEL if possible. An unknown value makes
// it unknown only if it depends on it: "a || unknown" is true if a is, and a
// list with one element that is known to match has a match.
func (p *Program) match(v *view) (Outcome, string, error) {
	if p.direct == nil {
		return p.matchByCEL(v)
	}
	a := direct(p.direct, v, false)
	switch {
	case a == no:
		return False, "", nil
	case a == yes:
		return True, "", nil
	case a == open:
		return p.matchByCEL(v)
	case p.grows && a.isOfLists():
		switch direct(p.direct, v, true) {
		case yes:
			return True, "", nil
		case open:
			return p.matchByCEL(v)
		default:
		}
	}
	return Unknown, a.what(), nil
}

// matchByCEL is match for any condition.
func (p *Program) matchByCEL(v *view) (Outcome, string, error) {
	value, err := p.evaluate(&activation{view: v, params: p.params, written: p.written})
	if err != nil {
		if errors.Is(err, ErrMissingKey) {
			return False, "", nil
		}
		return Unknown, "", err
	}
	switch value := value.(type) {
	case types.Bool:
		if value {
			return True, "", nil
		}
		return False, "", nil
	case *types.Unknown:
		if p.grows && isOfLists(value) {
			if known, err := p.evaluate(&activation{view: v, params: p.params, written: p.written, known: true}); err == nil && known == types.True {
				return True, "", nil
			}
		}
		return Unknown, whatWasUnknown(value), nil
	default:
		return Unknown, "", fmt.Errorf("rule: the condition is neither true nor false but a %s", value.Type().TypeName())
	}
}

// evaluate evaluates the expression. Where that is unknown because of texts that are
// known in part, it looks into them.
func (p *Program) evaluate(a *activation) (ref.Val, error) {
	value, err := run(p.program, a)
	if u, unknown := value.(*types.Unknown); unknown && !p.written {
		if _, inText := u.GetAttributeTrails(int64(textPart)); inText {
			if program := p.possibly(); program != nil {
				return run(program, a)
			}
		}
	}
	return value, err
}

// mostSaid is how much of a CEL message is kept: it can quote what is judged.
const mostSaid = 300

// run evaluates an expression. A panic of CEL becomes an error.
func run(program cel.Program, a cel.Activation) (ref.Val, error) {
	value, _, err := program.Eval(a)
	if err == nil {
		return value, nil
	}
	if cancelled := (interpreter.EvalCancelledError{}); errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded {
		return nil, ErrCost
	}
	said := err.Error()
	if len(said) > mostSaid {
		said = strings.ToValidUTF8(said[:mostSaid], "") + "..."
	}
	if said == "no such overload" {
		said = "a value has another type than the one that it is compared or used with: ask for it first, as in type(call.args.n) == int"
	}
	if key, ok := strings.CutPrefix(said, "no such key: "); ok { // CEL has no type for it
		return nil, fmt.Errorf("%w: %s", ErrMissingKey, key)
	}
	return nil, errors.New("rule: " + said)
}

// isOfLists reports whether an incomplete list is among what is unknown.
func isOfLists(u *types.Unknown) bool {
	for _, id := range u.IDs() {
		switch attribute(id) {
		case someCommands, someEffects, someReads, someWrites, someURLs, commandArgs:
			return true
		default:
		}
	}
	return false
}
