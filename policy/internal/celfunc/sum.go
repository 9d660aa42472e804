package celfunc

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// Sum adds the numbers of a list: an int if all are, else a double. What is not there adds
// nothing, so that an element without an amount hides none of the others.
func Sum(list ref.Val) ref.Val {
	l, ok := list.(traits.Lister)
	if !ok {
		return types.NoSuchOverloadErr()
	}
	var total ref.Val = types.Int(0)
	for it := l.Iterator(); it.HasNext() == types.True; {
		switch n := it.Next().(type) {
		case celvalue.Absent:
		case types.Int:
			if whole, isInt := total.(types.Int); isInt {
				total = whole.Add(n)
			} else {
				total = total.(types.Double).Add(types.Double(n))
			}
		case types.Double:
			total = total.ConvertToType(types.DoubleType).(types.Double).Add(n)
		default:
			return types.NewErr("sum needs a list of numbers, and %v is none", n.Type())
		}
		if types.IsError(total) {
			return total
		}
	}
	return total
}
