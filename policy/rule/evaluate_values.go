package rule

import (
	"fmt"
	"strconv"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/asked"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

// general evaluates an expression of any type. The answer is yes if its value is
// known.
func (n *node) general(f *frame) (ref.Val, answer) {
	switch {
	case n.op == opLocal && f.slots[n.slot].value != nil:
		return f.slots[n.slot].value, yes
	case n.op == opLocal && f.slots[n.slot].command != nil:
		return &object{advice.CommandType, f.slots[n.slot].command}, yes
	case n.op == opLocal && f.slots[n.slot].effect != nil && f.slots[n.slot].is == yes:
		return &object{advice.EffectType, f.slots[n.slot].effect}, yes
	case n.op < opText:
		a := n.holds(f)
		if a == yes || a == no {
			return types.Bool(a == yes), yes
		}
		return nil, a
	case n.op < opNames:
		text, a := n.ownText(f)
		return types.String(text), f.whole(text, a)
	case n.op < opValue:
		return n.list(f)
	case !f.spend(1):
		return nil, tooMuch
	default:
		value, a := n.other(f)
		if a.isMissing() && n.isBool {
			return types.False, yes
		}
		return value, a
	}
}

// other evaluates what is neither a condition nor a text nor one of the lists of a
// call.
func (n *node) other(f *frame) (ref.Val, answer) {
	switch n.op {
	case opValue:
		return n.value, yes
	case opVariable:
		return f.variable(n.text)
	case opMark, opGlobal:
		v, a := n.subject(f)
		switch {
		case a != yes:
			return nil, a
		case n.op == opMark:
			return types.Bool(n.markOf(v)), yes
		default:
			return n.valueOf(v)
		}
	case opEnv:
		c, a := n.command(f)
		if a != yes {
			return nil, a
		}
		return types.NewStringStringMap(celvalue.Adapter{}, variables(c)), n.allEnv(f, c)
	case opMessage:
		return n.message(f)
	case opSelect, opPresent:
		if n.op == opPresent && n.kids[0].op == opEnv {
			c, a := n.kids[0].command(f)
			if a != yes {
				return nil, a
			}
			name, _ := n.value.(types.String)
			a = f.hasVariable(c, string(name))
			return types.Bool(a == yes), decided(a)
		}
		of, a := n.kids[0].general(f)
		if a != yes {
			return nil, a
		}
		return n.at(f, of, n.value)
	case opIndex:
		return n.indexed(f)
	case opList:
		values, a := n.each(f)
		return types.NewRefValList(celvalue.Adapter{}, values), a
	case opMap:
		return n.entries(f)
	case opMapped:
		return n.mapped(f)
	case opCount:
		size, a := n.kids[0].count(f)
		return types.Int(size), a
	case opSame:
		a := n.same(f)
		return types.Bool(a == yes), decided(a)
	case opChoice:
		switch a := n.kids[0].holds(f); a {
		case yes:
			return n.kids[1].general(f)
		case no:
			return n.kids[2].general(f)
		default:
			return nil, a
		}
	case opSuspicious, opPast:
		a := n.ofText(f)
		return types.Bool(a == yes), decided(a)
	default:
		return n.call(f)
	}
}

// decided turns the answer to a question into that of whether it is known.
func decided(a answer) answer {
	if a == no {
		return yes
	}
	return a
}

// variable is a global variable.
func (f *frame) variable(name string) (ref.Val, answer) {
	switch {
	case name == "params" && f.params != nil:
		return f.params, yes
	case f.view == nil:
		return nil, unknownOf(anything)
	case name == "now":
		return f.view.now(), yes
	case name == "request" && f.view.asked() == nil:
		return nil, unknownOf(requestAll)
	}
	for _, v := range advice.Variables {
		if v.Name == name {
			return &object{v.Type, f.view}, yes
		}
	}
	return nil, f.fail(fmt.Errorf("rule: %q is not known", name))
}

// message is a field of a message.
func (n *node) message(f *frame) (ref.Val, answer) {
	var value ref.Val
	if n.slot >= 0 {
		at := &f.slots[n.slot]
		if value = at.value; value == nil {
			return nil, at.is
		}
	} else {
		of, a := n.of.general(f)
		if a != yes {
			return nil, a
		}
		value = of
	}
	if o, ok := value.(*object); ok {
		if m, ok := o.native.(*asked.Message); ok {
			return types.String(n.messageText(m)), yes
		}
	}
	return nil, f.fail(errOtherType)
}

// at is the value of a key or an index, or whether there is one.
func (n *node) at(f *frame, of, key ref.Val) (ref.Val, answer) {
	if n.op != opPresent && isOpen(of, key) {
		return nil, unknownOf(callArgs)
	}
	var value ref.Val
	found := false
	switch of := of.(type) {
	case traits.Mapper:
		value, found = of.Find(key)
		if err, ok := value.(*types.Err); ok {
			return nil, f.failed(err)
		}
	case traits.Lister:
		i, err := types.GetOrError(key)
		if err != nil {
			return nil, f.fail(fmt.Errorf("rule: %w", err))
		}
		size, _ := of.Size().(types.Int)
		if i < 0 || i >= int(size) {
			return nil, f.missing(strconv.Itoa(i))
		}
		value, found = of.Get(key), true
	}
	switch err, isErr := value.(*types.Err); {
	case n.op == opPresent:
		return types.Bool(found), yes
	case isErr:
		return nil, f.failed(err)
	case !found:
		return nil, f.missing(fmt.Sprint(key))
	default:
		return value, absenceOf(value)
	}
}

// indexed is an element of a list, or the value of a key.
func (n *node) indexed(f *frame) (ref.Val, answer) {
	of, a := n.kids[0].general(f)
	key, b := n.kids[1].general(f)
	if a = inOrder(a, b); a != yes {
		return nil, a
	}
	return n.at(f, of, key)
}

// each evaluates all kids.
func (n *node) each(f *frame) ([]ref.Val, answer) {
	values := make([]ref.Val, len(n.kids))
	all := yes
	for i, kid := range n.kids {
		value, a := kid.general(f)
		if a.isMissing() {
			value, a = celvalue.Absent{Because: uint64(a)}, yes
		}
		if a.isFailed() {
			return nil, a
		}
		values[i], all = value, merge(all, a, yes)
	}
	return values, all
}

// entries is a map.
func (n *node) entries(f *frame) (ref.Val, answer) {
	values, a := n.each(f)
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

// mapped is map and filter. How many elements it has is not known if the list may
// go on with some that it does not leave out.
func (n *node) mapped(f *frame) (ref.Val, answer) {
	var s span
	if a := n.kids[1].span(f, &s); a != yes {
		return nil, a
	}
	var values []ref.Val
	all := yes
	at := &f.slots[n.slot]
	for i := range s.size() {
		s.load(f, i, at)
		a := n.kids[0].inEach(f, at)
		if a == yes {
			value, b := n.kids[2].general(f)
			if b.isMissing() {
				value, b = celvalue.Absent{Because: uint64(b)}, yes
			}
			values, a = append(values, value), b
		}
		if all = merge(all, a, yes); f.steps < 0 {
			return nil, tooMuch
		}
	}
	if s.more != yes {
		*at = slot{is: s.more}
		if a := n.kids[0].holds(f); a != no {
			all = merge(all, s.more, yes)
		}
	}
	return types.NewRefValList(celvalue.Adapter{}, values), all
}

// same reports whether two values are equal.
func (n *node) same(f *frame) answer {
	left, isText, a := n.kids[0].valueOrText(f)
	right, isTextToo, b := n.kids[1].valueOrText(f)
	l, lText := left.(types.String)
	r, rText := right.(types.String)
	switch {
	case a == partly && b == yes && isText && rText:
		return f.equalsPart(string(l), string(r))
	case b == partly && a == yes && isTextToo && lText:
		return f.equalsPart(string(r), string(l))
	}
	if a = failsFirst(f.whole(string(l), a), f.whole(string(r), b)); a != yes {
		return a
	}
	if !f.spend(min(weight(left), weight(right))) {
		return tooMuch
	}
	return answerOf(types.Equal(left, right) == types.True || lText && rText && n.equal(string(l), string(r)))
}

// valueOrText is general for a comparison that looks into texts that are known in
// part.
func (n *node) valueOrText(f *frame) (value ref.Val, isText bool, a answer) {
	if opText <= n.op && n.op <= opHost && (n.op != opLocal || f.slots[n.slot].is == partly) {
		text, a := n.ownText(f)
		return types.String(text), true, a
	}
	value, a = n.general(f)
	return value, false, a
}

// pastFunction is what the past of a call says of a text.
type pastFunction func(*flow.Past, string) (flow.Source, bool)

var pastFunctions = map[string]pastFunction{"copied": (*flow.Past).Copied, "leaks": (*flow.Past).Leaks}

// ofText is a question about one text.
func (n *node) ofText(f *frame) answer {
	if n.op == opPast {
		if _, a := n.subject(f); a != yes {
			return a
		}
	}
	text, a := n.kids[0].asText(f)
	if a != yes {
		return f.whole(text, a)
	}
	if !f.spend(1 + len(text)/10) {
		return tooMuch
	}
	if n.op == opSuspicious {
		return answerOf(len(flow.Suspicious(text)) > 0)
	}
	_, ok := n.past(f.view.past(), text)
	return answerOf(ok)
}

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
