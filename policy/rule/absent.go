package rule

import (
	"errors"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// absent stands in lists and maps that a condition makes for what is not there:
// [call.args.to, call.args.cc] has two elements, whether the call has them or not. It is
// equal to nothing, and whatever is asked of it is false.
type absent struct {
	because answer
}

// absenceOf is yes for a value that is there, else the failure that says what is not.
func absenceOf(v ref.Val) answer {
	if a, ok := v.(absent); ok {
		return a.because
	}
	return yes
}

// absenceIn is absenceOf for the elements of a list: yes if all are there.
func absenceIn(v ref.Val) answer {
	list, ok := v.(traits.Lister)
	if !ok {
		return yes
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		if a := absenceOf(it.Next()); a != yes {
			return a
		}
	}
	return yes
}

// Equal implements ref.Val.
func (absent) Equal(ref.Val) ref.Val { return types.False }

// Type implements ref.Val.
func (absent) Type() ref.Type { return types.NullType }

// Value implements ref.Val.
func (absent) Value() any { return nil }

// ConvertToNative implements ref.Val.
func (absent) ConvertToNative(reflect.Type) (any, error) {
	return nil, errors.New("rule: what is not there has no value")
}

// ConvertToType implements ref.Val.
func (absent) ConvertToType(ref.Type) ref.Val { return types.NewErr("what is not there has no type") }
