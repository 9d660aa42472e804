package celfunc

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Sum adds the numbers of a list: an int if all are, else a double.
func Sum(list ref.Val) ref.Val {
	l, ok := list.(traits.Lister)
	if !ok {
		return types.NoSuchOverloadErr()
	}
	whole, broken, isWhole := types.Int(0), types.Double(0), true
	for it := l.Iterator(); it.HasNext() == types.True; {
		switch n := it.Next().(type) {
		case types.Int:
			next, isInt := whole.Add(n).(types.Int)
			if !isInt && isWhole {
				return types.NewErr("the sum is too large")
			}
			whole, broken = next, broken+types.Double(n)
		case types.Double:
			broken, isWhole = broken+n, false
		default:
			return types.NewErr("sum needs a list of numbers, and %v is none", n.Type())
		}
	}
	if isWhole {
		return whole
	}
	return broken
}
