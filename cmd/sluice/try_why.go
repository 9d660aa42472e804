package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/rule"
)

// everyPolicy is the value of --why for all policies.
const everyPolicy = "all"

// why explains a block for the policies of the user's own files and for those that
// --why names.
func (f *tryFlags) why(set *trial, before []llm.Block, b llm.Block) []file.Why {
	list := set.loaded.Why(f.exchange(), before, b, func(name, preset string) bool { return preset == "" || f.asksWhy(name) })
	// That a policy of a file is about other blocks is said only if somebody asks.
	return slices.DeleteFunc(list, func(w file.Why) bool { return w.Note != "" && !f.asksWhy(w.Policy) })
}

// checkWhy refuses names that no policy has.
func (f *tryFlags) checkWhy(set *trial) error {
	names := make([]string, 0, 1+len(set.loaded.Policies))
	names = append(names, everyPolicy)
	for i := range set.loaded.Policies {
		names = append(names, set.loaded.Policies[i].Name)
	}
	for _, name := range f.whyOf {
		if near := words.Closest(name, names); !slices.Contains(names, name) && near != "" {
			return fmt.Errorf("--why: there is no policy %q: did you mean %s?", name, near)
		} else if !slices.Contains(names, name) {
			return fmt.Errorf("--why: there is no policy %q: sluice policy list shows their names", name)
		}
	}
	return nil
}

// showWhy prints explanations for people.
// Of a policy that is plainly false one line is enough, unless somebody asks for it.
func showWhy(b *strings.Builder, p painter, list []file.Why, whole func(policy string) bool) {
	for i := range list {
		w := &list[i]
		head := p.paint(bold, oneLine(w.Policy, 80))
		switch {
		case w.When != nil:
			head += ": " + p.paint(resultColour(w.When.Result), w.When.Result)
		default:
			head += ": " + w.Note
		}
		if w.When != nil && isPlainlyFalse(w.When) && !whole(w.Policy) {
			said(b, p.paint(dim, label("why")), head+" "+p.paint(dim, "because of "+reasons(w.When)+" (--why "+oneLine(w.Policy, 80)+" shows all parts)"))
			continue
		}
		said(b, p.paint(dim, label("why")), head)
		if w.When != nil {
			showPart(b, p, w.When, 0)
		}
		for _, e := range w.Excepts {
			said(b, label(""), p.paint(dim, "except where"))
			showPart(b, p, e, 0)
		}
	}
}

// isPlainlyFalse reports whether a condition is false, and no part of it is unknown.
func isPlainlyFalse(part *rule.Part) bool {
	return part.Result == "false" && !slices.ContainsFunc(part.Parts, func(kid *rule.Part) bool { return kid.Result != "true" && !isPlainlyFalse(kid) })
}

// reasons are the parts that make a condition false, in one line.
func reasons(part *rule.Part) string {
	var list []string
	add := func(p *rule.Part) {
		parts := append(make([]string, 0, 1+len(p.Values)), oneLine(p.Text, 100))
		for _, v := range p.Values {
			parts = append(parts, fmt.Sprintf("(%s is %s)", oneLine(v.Name, 60), oneLine(v.Value, 80)))
		}
		list = append(list, strings.Join(parts, " "))
	}
	switch part.Joined {
	case "&&": // the first that is false is enough
		if i := slices.IndexFunc(part.Parts, func(kid *rule.Part) bool { return kid.Result == "false" }); i >= 0 {
			return reasons(part.Parts[i])
		}
		add(part)
	case "||":
		for _, kid := range part.Parts {
			list = append(list, reasons(kid))
		}
	default:
		if len(part.Parts) > 0 && part.Parts[0].Of != "" { // the element that came closest
			return reasons(part.Parts[0]) + " for " + oneLine(part.Parts[0].Of, 80)
		}
		add(part)
	}
	return oneLine(strings.Join(list, ", "), 300)
}

// asksWhy reports whether --why names a policy.
func (f *tryFlags) asksWhy(policy string) bool {
	return slices.Contains(f.whyOf, policy) || slices.Contains(f.whyOf, everyPolicy)
}

// showPart prints a part of a condition and those in it.
func showPart(b *strings.Builder, p painter, part *rule.Part, depth int) {
	if part.Of != "" {
		said(b, label(""), strings.Repeat("  ", depth)+p.paint(cyan, oneLine(part.Of, 160)))
		depth++
	}
	switch {
	case part.Joined != "" && (part.Of != "" || depth == 0): // its parts say it
	case part.Joined == "&&":
		showLine(b, p, part, "all of", depth)
		depth++
	case part.Joined == "||":
		showLine(b, p, part, "one of", depth)
		depth++
	default:
		showLine(b, p, part, part.Text, depth)
		depth++
	}
	for _, kid := range part.Parts {
		if decidedBy := part.Joined == "" || part.Result != decisive[part.Joined] || kid.Result == part.Result; decidedBy {
			showPart(b, p, kid, depth)
		} else {
			showLine(b, p, kid, kid.Text, depth)
		}
	}
	if part.More > 0 {
		said(b, label(""), strings.Repeat("  ", depth)+p.paint(dim, fmt.Sprintf("… and %d more", part.More)))
	}
}

// decisive is the value of one part that decides a whole conjunction or
// disjunction, so that the others need not be shown.
var decisive = map[string]string{"&&": "false", "||": "true"}

// showLine prints the value of a part in one line.
func showLine(b *strings.Builder, p painter, part *rule.Part, text string, depth int) {
	line := fmt.Sprintf("%s%s %s", strings.Repeat("  ", depth), p.paint(resultColour(part.Result), fmt.Sprintf("%-7s", part.Result)), oneLine(text, 160))
	var facts []string
	for _, v := range part.Values {
		facts = append(facts, oneLine(v.Name, 80)+" = "+oneLine(v.Value, 200))
	}
	if part.Missing != "" && len(part.Parts) == 0 {
		facts = append(facts, missing(part))
	}
	if facts != nil {
		line += p.paint(dim, "   "+strings.Join(facts, ", "))
	}
	said(b, label(""), line)
}

// missing says which value is unknown, or why a part failed.
func missing(part *rule.Part) string {
	if part.Result == "unknown" {
		return "unknown: " + oneLine(part.Missing, 200)
	}
	return oneLine(part.Missing, 200)
}

func resultColour(result string) colour {
	switch result {
	case "true":
		return green
	case "false":
		return dim
	default:
		return yellow
	}
}
