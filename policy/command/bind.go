package command

import "slices"

// bind gives the values of options and operands to their roles. taken operands are
// words of the command or passed over, used says which.
func (r *Reading) bind(taken int, used []bool) {
	r.roles.list = make([]binding, 0, 2*len(r.line.options)+2*len(r.line.operands)) // variables are rarely set
	for _, v := range r.variables {
		if given, set := r.variable(v.name); set && given != "" && !r.overrides(v.role) {
			r.roles.add(v.role, value{text: given})
		}
	}
	for i := range r.line.options {
		o := &r.line.options[i]
		if o.valued && !o.doubt && o.value != "" && (o.flag == nil || o.arity != plain && o.kind != Credential) {
			r.roles.add(wholeOptions, value{text: o.value, maybe: o.maybe})
		}
		if o.flag == nil || !o.valued || o.arity == plain {
			continue
		}
		r.roles.add(o.role, value{text: o.value, maybe: o.maybe, at: -1, in: o.at})
	}
	for i := range min(taken, len(r.line.operands)) {
		if o := &r.line.operands[i]; used[i] { // else it is the value of an option that is not known
			r.roles.add(wholeCommand, value{text: o.text, maybe: o.maybe, at: o.at})
		}
	}
	rest := r.line.operands[min(taken, len(r.line.operands)):]
	behind := 0
	if r.line.after >= 0 {
		behind = min(r.line.after, len(rest))
		for _, o := range rest[len(rest)-behind:] {
			if !r.declares(roleAfter) {
				r.roles.add(roleAfter, r.valueOf(o))
			}
			if after := r.command.after; after != nil {
				r.roles.add(after.Role, r.valueOf(o))
			}
		}
	}
	if r.command.after != nil {
		rest = rest[:len(rest)-behind]
	}
	for _, o := range rest {
		r.roles.add(wholeWords, r.valueOf(o))
	}
	r.bindOperands(rest)
}

// overrides reports whether an option is surely given that has a role, so that what the
// environment says of it does not count. What is asked for as well is no such role.
func (r *Reading) overrides(role string) bool {
	return role != extraRegistry && slices.ContainsFunc(r.line.options, func(o given) bool {
		return o.flag != nil && o.role == role && o.arity == valued && o.valued && o.value != "" && !o.doubt && o.surelyGiven()
	})
}

// bindings are the values of roles, in the order in which they were given. A
// description asks for few of its roles, and those are collected when it does.
type bindings struct {
	list  []binding
	asked []asked
}

type binding struct {
	role string
	value
}

type asked struct {
	role   string
	values []value
}

func (b *bindings) add(role string, v value) {
	b.list = append(b.list, binding{role, v})
	b.asked = b.asked[:0]
}

// of returns the values of a role, and of one that is the same where the command does
// not have it; "" if there is none.
func (b *bindings) of(role, whole string) []value {
	for i := range b.asked {
		if b.asked[i].role == role {
			return b.asked[i].values
		}
	}
	n := 0
	for i := range b.list {
		if b.list[i].is(role, whole) {
			n++
		}
	}
	var values []value // one without values is asked for again, too
	if n > 0 {
		values = make([]value, 0, n)
	}
	for i := range b.list {
		if n > 0 && b.list[i].is(role, whole) {
			values = append(values, b.list[i].value)
		}
	}
	if b.asked == nil {
		b.asked = make([]asked, 0, 8)
	}
	b.asked = append(b.asked, asked{role, values})
	return values
}

func (b *binding) is(role, whole string) bool {
	return b.role == role || whole != "" && b.role == whole
}

// given returns the values of a role that every invocation has. One that a flag or
// operand of the command has is that one's.
func (r *Reading) given(role string) []value {
	whole := ""
	switch role {
	case roleProgram:
		if !r.declares(role) {
			return []value{{text: r.Name}}
		}
	case roleCommand:
		whole = wholeCommand
	case roleWords:
		whole = wholeWords
	case roleOptions:
		whole = wholeOptions
	}
	if whole != "" && r.declares(role) {
		whole = ""
	}
	return r.roles.of(role, whole)
}

// declares reports whether a flag or operand of the command has a role.
func (r *Reading) declares(role string) bool { return slices.Contains(r.command.declared, role) }

func (r *Reading) valueOf(o operand) value {
	return value{text: o.text, maybe: o.maybe, at: o.at, listed: r.In != nil && r.In.IsListed(o.at)}
}

// bindOperands gives operands to the roles of their places. Where it is not known
// whether there is a place, it is read both ways.
func (r *Reading) bindOperands(operands []operand) {
	least, most := r.places()
	from := len(r.roles.list)
	r.bindTo(most, operands, nil)
	if len(least) < len(most) {
		r.bindTo(least, operands, r.roles.list[from:])
	}
}

// places are the operands that the command surely has with these options, and those
// that it may have.
func (r *Reading) places() (least, most []Operand) {
	all := r.command.operands
	least, most = all, all
	for i := range all {
		there := yes
		if len(all[i].when) > 0 {
			there = all[i].when.holds(r)
		}
		if len(all[i].unless) > 0 {
			there = min(there, yes-all[i].unless.spares(r))
		}
		// The lists are copied when the first is left out.
		if there != yes && len(least) == len(all) {
			least = slices.Clone(all[:i])
		} else if there == yes && len(least) < len(all) {
			least = append(least, all[i])
		}
		if there == no && len(most) == len(all) {
			most = slices.Clone(all[:i])
		} else if there != no && len(most) < len(all) {
			most = append(most, all[i])
		}
	}
	return least, most
}

// giveTo gives a value to a role, unless it has that word already: among the last
// bindings, which are those of the same word, or among earlier ones, which are in
// the order of the words.
func (r *Reading) giveTo(role string, v value, earlier []binding) {
	is := func(b binding) bool { return b.role == role }
	same := len(r.roles.list)
	for same > 0 && r.roles.list[same-1].at == v.at {
		same--
	}
	if slices.ContainsFunc(r.roles.list[same:], is) {
		return
	}
	at, _ := slices.BinarySearchFunc(earlier, v.at, func(b binding, at int) int { return b.at - at })
	for ; at < len(earlier) && earlier[at].at == v.at; at++ {
		if is(earlier[at]) {
			return
		}
	}
	r.roles.add(role, v)
}

// bindTo gives operands to places. Where words before or behind may be values of
// options, an operand has a range of places, and every role in that range.
func (r *Reading) bindTo(specs []Operand, operands []operand, earlier []binding) {
	rest := len(specs)
	for i := range specs {
		if specs[i].Rest {
			rest = i
			break
		}
	}
	sure := 0
	for i := range operands {
		if !operands[i].maybe {
			sure++
		}
	}
	before, sureBefore := 0, 0
	for _, o := range operands {
		v := r.valueOf(o)
		// Places from the front: at least the sure words before it, at most all of them.
		for place := sureBefore; place <= before && place < rest; place++ {
			r.giveTo(specs[place].Role, v, earlier)
		}
		if rest < len(specs) {
			tail := len(specs) - rest - 1
			behind, sureBehind := len(operands)-before-1, sure-sureBefore
			if !o.maybe {
				sureBehind--
			}
			for place := sureBehind; place <= behind && place < tail; place++ {
				r.giveTo(specs[len(specs)-1-place].Role, v, earlier)
			}
			if before >= rest && behind >= tail {
				r.giveTo(specs[rest].Role, v, earlier)
			}
		}
		before++
		if !o.maybe {
			sureBefore++
		}
	}
}
