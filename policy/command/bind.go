package command

// bind gives the values of options and operands to their roles. taken operands are
// words of the command or passed over, used says which.
func (r *Reading) bind(taken int, used []bool) {
	r.roles = map[string][]value{roleProgram: {{text: r.Name}}}
	for i := range r.line.options {
		o := &r.line.options[i]
		if o.valued && !o.doubt && o.value != "" && (o.flag == nil || o.arity != plain) {
			r.roles[roleOptions] = append(r.roles[roleOptions], value{text: o.value, maybe: o.maybe})
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
			r.roles[roleCommand] = append(r.roles[roleCommand], value{text: o.text, maybe: o.maybe})
		default: // the value of an option that is not known, if the words behind it are the command
		}
	}
	behind := 0
	if r.line.after >= 0 {
		behind = min(r.line.after, len(rest))
		for _, o := range rest[len(rest)-behind:] {
			r.roles[roleAfter] = append(r.roles[roleAfter], r.valueOf(o))
		}
	}
	if r.command.after != nil {
		r.roles[r.command.after.Role] = r.roles[roleAfter]
		rest = rest[:len(rest)-behind]
	}
	for _, o := range rest {
		r.roles[roleWords] = append(r.roles[roleWords], r.valueOf(o))
	}
	r.bindOperands(rest)
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
