package rule

import (
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// absenceOf is yes for a value that is there, else the failure that says what is not.
func absenceOf(v ref.Val) answer {
	if a, ok := v.(celvalue.Absent); ok {
		return answer(a.Because)
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
