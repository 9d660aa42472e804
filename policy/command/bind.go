package command

import "slices"

// bind gives the values of options and operands to their roles. taken operands are
// words of the command or passed over, used says which.
func (r *Reading) bind(taken int, used []bool) {
	r.roles = map[string][]value{}
	r.given(roleProgram, "", value{text: r.Name})
	for i := range r.line.options {
		o := &r.line.options[i]
		if o.valued && !o.doubt && o.value != "" && (o.flag == nil || o.arity != plain) {
			r.given(roleOptions, wholeOptions, value{text: o.value, maybe: o.maybe})
		}
		if o.flag == nil || !o.valued || o.arity == plain {
			continue
		}
		r.roles[o.role] = append(r.roles[o.role], value{text: o.value, maybe: o.maybe})
	}
	var rest []operand
	for i, o := range r.line.operands {
		switch {
		case i >= taken:
			rest = append(rest, o)
		case used[i]:
			r.given(roleCommand, wholeCommand, value{text: o.text, maybe: o.maybe})
		default: // the value of an option that is not known, if the words behind it are the command
		}
	}
	behind := 0
	if r.line.after >= 0 {
		behind = min(r.line.after, len(rest))
		for _, o := range rest[len(rest)-behind:] {
			r.given(roleAfter, "", r.valueOf(o))
			if after := r.command.after; after != nil {
				r.roles[after.Role] = append(r.roles[after.Role], r.valueOf(o))
			}
		}
	}
	if r.command.after != nil {
		rest = rest[:len(rest)-behind]
	}
	for _, o := range rest {
		r.given(roleWords, wholeWords, r.valueOf(o))
	}
	r.bindOperands(rest)
}

// given gives a value to a role that every invocation has, unless a flag or operand
// of the command has its name, and to the one for the whole command line.
func (r *Reading) given(role, whole string, v value) {
	if whole != "" {
		r.roles[whole] = append(r.roles[whole], v)
	}
	if !r.declares(role) {
		r.roles[role] = append(r.roles[role], v)
	}
}

// declares reports whether a flag or operand of the command has a role.
func (r *Reading) declares(role string) bool {
	if f := r.command.flags[role]; f != nil && f.arity != plain {
		return true
	}
	return r.command.after != nil && r.command.after.Role == role ||
		slices.ContainsFunc(r.command.operands, func(o Operand) bool { return o.Role == role })
}

func (r *Reading) valueOf(o operand) value {
	return value{text: o.text, maybe: o.maybe, listed: r.Listed != nil && r.Listed(o.at)}
}

// bindOperands gives operands to the roles of their places. Where words before or
// behind may be values of options, an operand has a range of places, and every role
// in that range.
func (r *Reading) bindOperands(operands []operand) {
	specs := r.command.operands
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
			r.roles[specs[place].Role] = append(r.roles[specs[place].Role], v)
		}
		if rest < len(specs) {
			tail := len(specs) - rest - 1
			behind, sureBehind := len(operands)-before-1, sure-sureBefore
			if !o.maybe {
				sureBehind--
			}
			for place := sureBehind; place <= behind && place < tail; place++ {
				role := specs[len(specs)-1-place].Role
				r.roles[role] = append(r.roles[role], v)
			}
			if before >= rest && behind >= tail {
				r.roles[specs[rest].Role] = append(r.roles[specs[rest].Role], v)
			}
		}
		before++
		if !o.maybe {
			sureBefore++
		}
	}
}
