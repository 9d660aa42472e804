package celvalue

import (
	"errors"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// Absent stands in lists and maps that a condition makes for what is not there:
// [call.args.to, call.args.cc] has two elements, whether the call has them or not. It is
// equal to nothing, and whatever is asked of it is false.
type Absent struct {
	Because uint64 // the answer of the evaluation that says what is not there
}

// Equal implements ref.Val.
func (Absent) Equal(ref.Val) ref.Val { return types.False }

// Type implements ref.Val.
func (Absent) Type() ref.Type { return types.NullType }

// Value implements ref.Val.
func (Absent) Value() any { return nil }

// ConvertToNative implements ref.Val.
func (Absent) ConvertToNative(reflect.Type) (any, error) {
	return nil, errors.New("rule: what is not there has no value")
}

// ConvertToType implements ref.Val.
func (Absent) ConvertToType(ref.Type) ref.Val { return types.NewErr("what is not there has no type") }
