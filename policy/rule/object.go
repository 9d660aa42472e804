package rule

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// object is a CEL value with typed fields: a call, a command, a session. Its
// native value is passed to the getters of its type's fields.
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
