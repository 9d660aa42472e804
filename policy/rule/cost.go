package rule

import (
	"fmt"

	"cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// functionCosts are the run-time costs of the functions. A unit is a step; ten
// bytes read are a unit.
func functionCosts() []cost.TrackerOption {
	options := []cost.TrackerOption{
		cost.OverloadTracker("command_is_list", costOfText),
		cost.OverloadTracker("command_flag", costOfArgs),
		cost.OverloadTracker("command_flags", costOfArgs),
		cost.OverloadTracker("command_has", costOfArgs),
		cost.OverloadTracker("path_under", costOfText),
		cost.OverloadTracker("path_glob", func(args []ref.Val, _ ref.Val) *uint64 {
			return new(1 + size(args[0])/10*(1+size(args[1])/4))
		}),
		cost.OverloadTracker("effect_touches", func(args []ref.Val, _ ref.Val) *uint64 { return new(1 + 8*size(args[1])) }),
		cost.OverloadTracker("effect_carries", func(args []ref.Val, _ ref.Val) *uint64 { return new(1 + 8*size(args[1])) }),
		cost.OverloadTracker("effect_around", func(args []ref.Val, _ ref.Val) *uint64 { return new(1 + 8*size(args[1])) }),
		cost.OverloadTracker("command_names", func(args []ref.Val, _ ref.Val) *uint64 { return new(*costOfArgs(args, nil) * 8 * (1 + size(args[1]))) }),
		cost.OverloadTracker("effect_within", func(args []ref.Val, _ ref.Val) *uint64 { return new(1 + 16*size(args[1])) }),
		cost.OverloadTracker("effect_outside", func(args []ref.Val, _ ref.Val) *uint64 { return new(1 + 16*size(args[1])) }),
		cost.OverloadTracker("past_copied", costOfText),
		cost.OverloadTracker("past_leaks", costOfText),
		cost.OverloadTracker("text_suspicious", costOfText),
		cost.OverloadTracker("url_host", costOfText),
	}
	for n := 1; n <= mostNames; n++ {
		options = append(options, cost.OverloadTracker(fmt.Sprintf("command_is_%d", n),
			func([]ref.Val, ref.Val) *uint64 { return new(uint64(1)) }))
	}
	return options
}

// size is the length of a text in bytes or of a list.
func size(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(len(v))
	case traits.Lister:
		return cost.ActualSize(v)
	default:
		return 1
	}
}

func costOfText(args []ref.Val, _ ref.Val) *uint64 {
	n := uint64(10)
	for _, arg := range args {
		n += size(arg)
	}
	return new(n / 10)
}

func costOfArgs(args []ref.Val, _ ref.Val) *uint64 {
	if c, ok := args[0].Value().(*commandView); ok {
		return new(1 + uint64(len(c.Args))/4)
	}
	return new(uint64(1))
}

// weights are the costs of CEL functions that read whole texts although CEL
// itself counts one step only.
type weights struct{}

// CallCost implements cost.ActualCostEstimator.
func (weights) CallCost(function, _ string, args []ref.Val, _ ref.Val) *uint64 {
	switch function {
	case "size", "string", "bytes", "int", "uint", "double", "timestamp", "duration", "bool":
		if len(args) == 1 {
			if s, ok := args[0].(types.String); ok {
				return new(1 + uint64(len(s))/10)
			}
			if b, ok := args[0].(types.Bytes); ok {
				return new(1 + uint64(len(b))/10)
			}
		}
	case operators.Equals, operators.NotEquals:
		if len(args) == 2 && (isContainer(args[0]) && isContainer(args[1])) {
			return new(1 + min(weight(args[0]), weight(args[1])))
		}
	}
	return nil
}

func isContainer(v ref.Val) bool {
	switch v.(type) {
	case traits.Mapper, traits.Lister:
		return true
	default:
		return false
	}
}

// weight is how much there is to compare in a value.
func weight(v ref.Val) uint64 {
	n := uint64(1)
	switch v := v.(type) {
	case types.String:
		n += uint64(len(v)) / 10
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
