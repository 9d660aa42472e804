package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/policy/rule"
)

// everyPolicy is the value of --why for all policies.
const everyPolicy = "all"

// why explains a block for the policies of the user's own files and for those that
// --why names.
func (f *tryFlags) why(set *trial, before []llm.Block, b llm.Block) []file.Why {
	asked := func(name string) bool { return slices.Contains(f.whyOf, name) || slices.Contains(f.whyOf, everyPolicy) }
	list := set.loaded.Why(f.exchange(), before, b, func(name, preset string) bool { return preset == "" || asked(name) })
	// That a policy of a file is about other blocks is said only if somebody asks.
	return slices.DeleteFunc(list, func(w file.Why) bool { return w.Note != "" && !asked(w.Policy) })
}

// checkWhy refuses names that no policy has.
func (f *tryFlags) checkWhy(set *trial) error {
	names := make([]string, 0, 1+len(set.loaded.Policies))
	names = append(names, everyPolicy)
	for i := range set.loaded.Policies {
		names = append(names, set.loaded.Policies[i].Name)
	}
	for _, name := range f.whyOf {
		if !slices.Contains(names, name) {
			return fmt.Errorf("--why: there is no policy %q: sluice policy list shows their names", name)
		}
	}
	return nil
}

// showWhy prints explanations for people.
func showWhy(b *strings.Builder, p painter, list []file.Why) {
	for i := range list {
		w := &list[i]
		head := p.paint(bold, oneLine(w.Policy, 80))
		switch {
		case w.When != nil:
			head += ": " + p.paint(resultColour(w.When.Result), w.When.Result)
		default:
			head += ": " + w.Note
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
