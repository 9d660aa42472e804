package rule

import (
	"errors"
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/invocation"
)

// value is what an expression is, as far as that is known.
type value struct {
	// is says yes if it is known, partly for a text of which a part is known, else why it
	// is not.
	is   answer
	text string
	// of is nil for a text, else a *invocation.Command, *effect.Effect, *asked.Message or a
	// value of CEL that is not a string. An effect of which only the program is known has it, too.
	of any
}

func known(text string) value { return value{is: yes, text: text} }

func truth(b bool) value { return value{is: yes, of: types.Bool(b)} }

// decided is the value of a condition.
func decided(a answer) value {
	if a == yes || a == no {
		return truth(a == yes)
	}
	return value{is: a}
}

// fromCEL is a value of CEL.
func (f *frame) fromCEL(v ref.Val) value {
	switch v := v.(type) {
	case types.String:
		return known(string(v))
	case *object:
		return value{is: yes, of: v.native}
	case *types.Err:
		return value{is: f.failed(v)}
	default:
		return value{is: yes, of: v}
	}
}

// inCEL is a value of CEL. The answer is yes if it is known as a whole.
func (f *frame) inCEL(v value) (ref.Val, answer) {
	if v.is != yes {
		return types.String(v.text), f.whole(v)
	}
	switch of := v.of.(type) {
	case nil:
		return types.String(v.text), yes
	case *invocation.Command:
		return &object{advice.CommandType, of}, yes
	case *effect.Effect:
		return &object{advice.EffectType, of}, yes
	case *asked.Message:
		return &object{advice.MessageType, of}, yes
	case ref.Val:
		return of, yes
	default:
		return nil, f.fail(errOtherType)
	}
}

// isText reports whether a value is a text of which something is known.
func (v *value) isText() bool { return v.of == nil && (v.is == yes || v.is == partly) }

// asText is a value that must be a text.
func (f *frame) asText(v value) value {
	if v.is == yes && v.of != nil {
		v.is = f.fail(errOtherType)
	}
	return v
}

// whole is the answer of what needs all of a value.
func (f *frame) whole(v value) answer {
	if v.is == partly {
		return f.note(textPart, v.text)
	}
	return v.is
}

var errOtherType = errors.New("rule: a value has another type than the one that it is compared or used with: ask for it first, as in type(call.args.n) == int")

// weight is how much there is to compare in a value, in steps.
func weight(v ref.Val) int {
	n := 1
	switch v := v.(type) {
	case types.String:
		n += len(v) / 10
	case types.Bytes:
		n += len(v) / 10
	case traits.Mapper:
		for it := v.Iterator(); it.HasNext() == types.True; {
			n += weight(v.Get(it.Next()))
		}
	case traits.Lister:
		for it := v.Iterator(); it.HasNext() == types.True; {
			n += weight(it.Next())
		}
	}
	return n
}

// object is a command, an effect or a message as a value of CEL, or a global variable.
type object struct {
	typ    *types.Type
	native any
}

func (o *object) Type() ref.Type { return o.typ }
func (o *object) Value() any     { return o.native }

// Equal compares objects by identity, not by contents.
func (o *object) Equal(other ref.Val) ref.Val {
	p, ok := other.(*object)
	return types.Bool(ok && p.native == o.native)
}

func (o *object) ConvertToNative(reflect.Type) (any, error) {
	return nil, fmt.Errorf("%s has no form outside of expressions: use one of its fields", o.typ.TypeName())
}

func (o *object) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return o.typ
	}
	return types.NewErr("%s cannot be turned into %s", o.typ.TypeName(), t.TypeName())
}
