package file

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
)

//go:embed reference_hook.txt
var hookReference string

//go:embed starter.yaml
var starter string

// Starter is a policy file to start with: it loads, its examples pass, and its
// comments say what can be changed.
func Starter() string { return starter }

// Reference is everything that policy files can contain, by topic.
func Reference() []rule.Section {
	sections := []rule.Section{
		{Name: "file", Title: "Keys of a file", Text: "A policy file is YAML with these keys.", Entries: fileKeys},
		{Name: "policy", Title: "Keys of a policy", Text: "An entry of policies with a name.", Entries: policyKeys},
		{Name: "preset", Title: "Keys of a preset", Text: "An entry of policies that names a preset.", Entries: presetKeys},
		{Name: "find", Title: "find", Text: "What a policy looks for in texts, or in what a call adds to files. One of these.", Entries: findKeys},
		{Name: "tools", Title: "tools", Text: "Which tools may be called.", Entries: toolsKeys},
		{Name: "judge", Title: "judge", Text: "A model that is asked when the condition holds.", Entries: judgeKeys},
		{Name: "hook", Title: "hook", Text: "An HTTP address that is asked when the condition holds. " + hookReference, Entries: hookKeys},
		{Name: "then", Title: "then", Text: "What happens when the condition holds. The strictest verdict of all policies wins.", Entries: thenForms},
		{Name: "examples", Title: "Keys of an example", Text: "A test of its policy: one of shell, tool, text and result, with want.", Entries: exampleKeys},
	}
	sections = append(sections, rule.Reference()...)
	verbs := rule.Section{Name: "verbs", Title: "Verbs of effects", Text: "The values of e.verb, with what e.object is and a command that does it."}
	for _, d := range effect.VerbDocs() {
		verbs.Entries = append(verbs.Entries, rule.Entry{Name: string(d.Verb), Type: d.Object, Doc: d.Means, Example: d.Example})
	}
	kinds := rule.Section{Name: "kinds", Title: "Kinds of effects", Text: "The values of e.kind, with the verbs that have them and a command that does it. The kind of most effects is empty."}
	for _, d := range effect.KindDocs() {
		verbs := make([]string, len(d.Verbs))
		for i, v := range d.Verbs {
			verbs[i] = string(v)
		}
		kinds.Entries = append(kinds.Entries, rule.Entry{Name: string(d.Kind), Type: strings.Join(verbs, ", "), Doc: d.Means, Example: d.Example})
	}
	extents := rule.Section{Name: "extents", Title: "Extents of effects", Text: "The values of e.extent."}
	for _, d := range effect.ExtentDocs() {
		extents.Entries = append(extents.Entries, rule.Entry{Name: string(d.Extent), Type: "extent", Doc: d.Means, Example: d.Example})
	}
	places := rule.Section{Name: "places", Title: "Places of effects", Text: "The values of e.place. Where something lies is said of the object: rm -rf / is in the system, although the project is in it, too."}
	for _, d := range effect.AreaDocs() {
		places.Entries = append(places.Entries, rule.Entry{Name: string(d.Area), Type: "place", Doc: d.Means, Example: d.Example})
	}
	reasons := rule.Section{Name: "reasons", Title: "Reasons of unknown", Text: `The values of call.unknown: why something of a call could not be read. Ask "unseen" in call.unknown.`}
	for _, d := range call.ReasonDocs() {
		reasons.Entries = append(reasons.Entries, rule.Entry{Name: d.Name, Type: "reason", Doc: d.Means, Example: d.Example})
	}
	paths := rule.Section{Name: "paths", Title: "Paths", Text: "The patterns that touches, carries, within and outside take, in a list. " +
		"For within and outside each includes everything in it.", Entries: pathForms}
	return append(sections, verbs, kinds, extents, places, reasons, paths)
}

// keyNames are the names of keys.
func keyNames(keys []rule.Entry) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.Name
	}
	return names
}

// ReferenceMarkdown formats the reference as a page.
func ReferenceMarkdown() string {
	var b strings.Builder
	b.WriteString("# Policy reference\n\nEverything that a policy file can say. `sluice policy reference TOPIC` prints a part of it, and " +
		"[Policies](policies.md) explains how it works.\n\n")
	sections := Reference()
	for _, s := range sections {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.Title, anchor(s.Title))
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", s.Title, s.Text)
		b.WriteString("| name | what it is | what it says | example |\n|---|---|---|---|\n")
		for _, e := range s.Entries {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", cell(e.Name), cell(e.Type), cell(e.Doc), shownCode(e.Example))
		}
	}
	return b.String()
}

func shownCode(text string) string {
	if text == "" {
		return ""
	}
	quote := "`"
	if strings.Contains(text, "`") {
		quote = "``"
	}
	return quote + cell(text) + quote
}

func anchor(title string) string { return strings.ToLower(strings.ReplaceAll(title, " ", "-")) }
