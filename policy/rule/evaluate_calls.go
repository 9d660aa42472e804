package rule

import (
	"errors"
	"sync"

	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// functionsOfCEL are the functions of CEL's library and of its extension for
// strings, by their names and by those of their overloads.
var functionsOfCEL = sync.OnceValues(func() (map[string]*functions.Overload, error) {
	env, err := environment()
	if err != nil {
		return nil, err
	}
	known := map[string]*functions.Overload{}
	for _, function := range env.Functions() {
		bindings, err := function.Bindings()
		if err != nil {
			return nil, err
		}
		for _, b := range bindings {
			known[b.Operator] = b
		}
	}
	return known, nil
})

var errPattern = errors.New("rule: a pattern is not a regular expression, or too large")

// call calls a function of CEL.
func (n *node) call(f *frame) (ref.Val, answer) {
	args, a := n.each(f)
	for _, arg := range args {
		a = merge(a, absenceOf(arg), yes)
	}
	if a != yes {
		return nil, a
	}
	read := 0
	for _, arg := range args {
		read += n.length(arg)
	}
	if !f.spend(read / 10) {
		return nil, tooMuch
	}
	value := invoke(n.function, args)
	if err, ok := value.(*types.Err); ok {
		for _, arg := range args {
			if a := absenceIn(arg); a != yes {
				return nil, a
			}
		}
		return nil, f.failed(err)
	}
	if !f.spend(n.length(value) / 10) {
		return nil, tooMuch
	}
	return value, yes
}

// invoke calls a function of CEL. A panic becomes an error.
func invoke(function *functions.Overload, args []ref.Val) (value ref.Val) {
	defer func() {
		if r := recover(); r != nil {
			value = types.NewErr("internal error: %v", r)
		}
	}()
	switch {
	case function.OperandTrait != 0 && len(args) > 0 && !args[0].Type().HasTrait(function.OperandTrait):
	case len(args) == 1 && function.Unary != nil:
		return function.Unary(args[0])
	case len(args) == 2 && function.Binary != nil:
		return function.Binary(args[0], args[1])
	case function.Function != nil:
		return function.Function(args...)
	}
	return types.NoSuchOverloadErr()
}

// length is how many bytes of a value a function reads: a text, or ten for each
// element of a list that is searched.
func (n *node) length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	case traits.Lister:
		if n.text == operators.In || n.text == "sum" {
			size, _ := v.Size().(types.Int)
			return 10 * int(size)
		}
	}
	return 0
}
