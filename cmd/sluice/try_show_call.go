package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
)

// showBlocksTrial prints how policies judged single blocks, for people.
func showBlocksTrial(w io.Writer, p painter, t *blocksTrial) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.paint(bold, oneLine(t.title, 80)), oneLine(t.body, 300))
	showSet(&b, p, t.Set)
	if t.Understood != nil {
		showUnderstood(&b, p, t.Understood)
	}
	groups := alike(t.Blocks)
	for _, group := range groups {
		if len(groups) > 1 {
			names := make([]string, 0, len(group))
			for i := range group {
				names = append(append(names, cmp.Or(group[i].Name, group[i].Type)), group[i].Also...)
			}
			fmt.Fprintf(&b, "  as %s\n", oneLine(strings.Join(names, ", "), 300))
		}
		showRecord(&b, p, &group[0].Record)
		showWhy(&b, p, group[0].Why, t.asksWhy)
		if n := len(group) - 1; n > 0 && group[0].Record.Delivered && group[0].Record.In != group[0].Record.Out {
			said(&b, p.paint(yellow, label("")), fmt.Sprintf("the same in the forms of %s, which --json shows", count(n, "other tool")))
		}
	}
	hue := green
	if t.Outcome != outcomePassed {
		hue = red
	}
	fmt.Fprintln(&b, p.paint(hue, t.Outcome))
	_, err := io.WriteString(w, b.String())
	return err
}

// alike groups the forms of a call by outcome.
func alike(blocks []triedOne) [][]triedOne {
	var groups [][]triedOne
	for _, one := range blocks {
		i := slices.IndexFunc(groups, func(g []triedOne) bool { return one.like(g[0]) })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], one)
	}
	return groups
}

// like reports whether two forms of a call have the same outcome.
func (t *triedOne) like(other triedOne) bool {
	v, w := t.Record.Verdict, other.Record.Verdict
	return v.Action == w.Action && v.Policy == w.Policy && v.Reason == w.Reason
}

// treeOf draws commands with what they do, nested ones indented.
func treeOf(commands []ran) []string {
	var lines []string
	for _, c := range commands {
		indent := strings.Repeat("   ", c.Depth)
		if c.Depth > 0 {
			indent = strings.Repeat("   ", c.Depth-1) + "└─ "
		}
		lines = append(lines, indent+strings.TrimSpace(c.Text))
		for _, e := range c.Effects {
			lines = append(lines, strings.Repeat("   ", c.Depth)+"   → "+e.Text)
		}
	}
	return lines
}

// mostListed is how many commands, files and addresses of a call are shown.
const mostListed = 24

// showUnderstood prints what a rule understands of a call.
func showUnderstood(b *strings.Builder, p painter, u *understood) {
	what := u.Kind + " " + oneLine(u.Name, 80)
	switch {
	case u.ServerUnknown && u.Kind == string(call.KindMCP):
		what += " of a server that is not known"
	case u.ServerUnknown:
		what += ", perhaps of a server"
	case u.Server != "":
		what += " of " + oneLine(u.Server, 80)
	}
	said(b, p.paint(dim, label("understood as")), what)
	for _, list := range []struct {
		name  string
		items []string
	}{{"runs", treeOf(u.Commands)}, {"calls", u.Calls}, {"does", u.own}, {"reads", u.Reads}, {"writes", u.Writes}, {"names", u.URLs}} {
		for i, item := range list.items {
			name := list.name
			if i > 0 {
				name = ""
			}
			if i == mostListed {
				said(b, label(""), fmt.Sprintf("… and %d more", len(list.items)-i))
				break
			}
			said(b, p.paint(dim, label(name)), oneLine(item, 200))
		}
	}
	for _, name := range u.Undescribed {
		said(b, p.paint(yellow, label("not described")), oneLine(name, 80)+": policies see only its name, its words and what it is redirected to; describe it under `programs:`, as docs/judgement.md shows")
	}
	if len(u.Unknown) > 0 {
		text := oneLine(strings.Join(u.Unknown, ", "), 200)
		if len(u.Missing) > 0 {
			text += " (may be incomplete: " + strings.Join(u.Missing, ", ") + ")"
		}
		said(b, p.paint(yellow, label("not understood")), text)
	}
}
