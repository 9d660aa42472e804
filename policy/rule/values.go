package rule

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// Values that are rare are those of CEL, and what is asked of them is asked of the functions of
// its library.

// variable is a global variable.
func (f *frame) variable(n *node) (ref.Val, answer) {
	switch {
	case n.text == "params" && f.params != nil:
		return f.params, yes
	case f.view == nil:
		return nil, unknownOf(anything)
	case n.text == "now":
		return f.view.variables().now, yes
	case n.text == "request" && f.view.variables().request == nil:
		return nil, unknownOf(requestAll)
	default:
		return &object{n.typ, f.view}, yes
	}
}

// element is an element of a list or the value of a key, or whether there is one.
func (n *node) element(f *frame) value {
	from := n.kids[0]
	key := n.kids[1].eval(f)
	switch {
	case from.op == opEnv:
		c, a := f.command(from.kids[0])
		if a = inOrder(a, f.whole(f.asText(key))); a != yes {
			return value{is: a}
		}
		if n.op == opPresent {
			return decided(f.hasVariable(c, key.text))
		}
		return f.variableOf(c, key.text)
	case from.op.isList():
		var s list
		a := from.elements(f, &s)
		if a == yes {
			a = s.more
		}
		i, b := f.index(key)
		switch {
		case b != yes:
			return value{is: inOrder(a, b)}
		case a != yes && (i < 0 || i >= s.sure || a.isFailed()):
			return value{is: a}
		case i < 0 || i >= s.size():
			return value{is: f.missing(strconv.Itoa(i))}
		}
		return s.at(f, i)
	}
	of, a := f.inCEL(from.eval(f))
	at, b := f.inCEL(key)
	if a = inOrder(a, b); a != yes {
		return value{is: a}
	}
	return n.at(f, of, at)
}

// index is the number of an element.
func (f *frame) index(v value) (int, answer) {
	key, a := f.inCEL(v)
	if a != yes {
		return 0, a
	}
	i, err := types.GetOrError(key)
	if err != nil {
		return 0, f.fail(fmt.Errorf("rule: %w", err))
	}
	return i, yes
}

// at is the value of a key or an index, or whether there is one.
func (n *node) at(f *frame, of, key ref.Val) value {
	if n.op != opPresent && isOpen(of, key) {
		return value{is: unknownOf(callArgs)}
	}
	var found ref.Val
	has := false
	switch of := of.(type) {
	case traits.Mapper:
		found, has = of.Find(key)
		if err, ok := found.(*types.Err); ok {
			return value{is: f.failed(err)}
		}
	case traits.Lister:
		i, a := f.index(f.fromCEL(key))
		if a != yes {
			return value{is: a}
		}
		size, _ := of.Size().(types.Int)
		if i < 0 || i >= int(size) {
			return value{is: f.missing(strconv.Itoa(i))}
		}
		found, has = of.Get(key), true
	}
	switch {
	case n.op == opPresent:
		return truth(has)
	case !has:
		return value{is: f.missing(fmt.Sprint(key))}
	default:
		return f.fromCEL(found)
	}
}

// each evaluates some nodes.
func (f *frame) each(nodes []*node) ([]ref.Val, answer) {
	values, all := make([]ref.Val, len(nodes)), yes
	for i, n := range nodes {
		v, a := f.inCEL(n.eval(f))
		if a.isFailed() && !a.isMissing() {
			return nil, a
		}
		values[i], all = v, merge(all, a, yes)
	}
	return values, all
}

// entries is a map.
func (n *node) entries(f *frame) (ref.Val, answer) {
	values, a := f.each(n.kids)
	if a != yes {
		return nil, a
	}
	entries := make(map[ref.Val]ref.Val, len(values)/2)
	for i := 0; i < len(values); i += 2 {
		switch values[i].(type) {
		case types.String, types.Bool, types.Int, types.Uint:
			entries[values[i]] = values[i+1]
		default:
			return nil, f.fail(errOtherType)
		}
	}
	return types.NewRefValMap(celvalue.Adapter{}, entries), yes
}

// pastFunctions are what the past of a call says of a text.
var pastFunctions = map[string]func(*flow.Past, string) (flow.Source, bool){"copied": (*flow.Past).Copied, "leaks": (*flow.Past).Leaks}

// ofText is a question about one text.
func (n *node) ofText(f *frame) value {
	var v *view
	if n.op == opPast {
		var a answer
		if v, a = n.subject(f); a != yes {
			return value{is: a}
		}
	}
	said := f.asText(n.kids[len(n.kids)-1].eval(f))
	switch {
	case said.is != yes:
		return value{is: f.whole(said)}
	case !f.spend(1 + len(said.text)/10):
		return value{is: tooMuch}
	case n.op == opSuspicious:
		return truth(len(flow.Suspicious(said.text)) > 0)
	}
	_, is := pastFunctions[n.text](v.past(), said.text)
	return truth(is)
}

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
	var args []ref.Val
	var a answer
	if n.text == "sum" && n.kids[0].op.isList() {
		args = make([]ref.Val, 1)
		args[0], a = n.kids[0].whole(f, true)
	} else {
		args, a = f.each(n.kids)
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
		if n.text == "sum" {
			size, _ := v.Size().(types.Int)
			return 10 * int(size)
		}
	}
	return 0
}
