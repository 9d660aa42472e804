package file

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"

	"go.yaml.in/yaml/v3"
)

// Page is everything to tell people about a policy, taken from what is loaded,
// so that it is never out of date.
type Page struct {
	Policy
	// Presets are the presets that the policy belongs to; see BuiltIn.
	Presets []Membership
	// Does, Unknown and Failure say in sentences what happens when the policy
	// applies, when it is unknown whether it does, and when it fails. Unknown is
	// empty where that cannot happen.
	Does, Unknown, Failure string
	// Rule is the deciding part as YAML: condition, patterns, lists, judge or hook.
	Rule string
	// Params are the parameters that the policy reads.
	Params []Param
	// Excepts are the conditions under which it does not apply here.
	Excepts  []string
	Examples []Example
}

// Membership is the place of a policy in a preset.
type Membership struct {
	Preset string
	// Mode is enforce, shadow or disabled.
	Mode string
}

// Param is a parameter of a policy. Values are a string, a bool, an int64, a
// float64 or a list of one of them.
type Param struct {
	Name, Doc string
	// Default is its declared value, and Value its value here.
	Default, Value any
}

// Changed reports whether it was set to something else.
func (p *Param) Changed() bool { return !reflect.DeepEqual(p.Default, p.Value) }

// Example is a test case of a policy.
type Example struct {
	// Shell is a command, in the form of every client's shell tool. Otherwise it
	// is a call of Tool with Arguments, a result of Tool with Text (Result is
	// set), or Text alone.
	Shell, Tool, Arguments, Text string
	Result                       bool
	// Given is the context, as "session.cwd: /repo"; Cwd and Home are the parts
	// of it that the command try takes.
	Given     []string
	Cwd, Home string
	// Want is the expected outcome, and Gives the changed form if there is one.
	Want, Gives string
}

// Matches reports whether the policy acts on it.
func (e *Example) Matches() bool { return e.Want != policy.Allow.String() }

// String formats the example as one text, for people.
func (e *Example) String() string {
	switch {
	case e.Shell != "":
		return e.Shell
	case e.Result:
		return strings.TrimSpace(e.Tool + " returns " + e.Text)
	case e.Tool != "":
		return strings.TrimSpace(e.Tool + " " + e.Arguments)
	default:
		return e.Text
	}
}

// Pages loads policy files as Load does and returns a page for each policy, in
// their order. The error is of type Problems.
func Pages(o Options, paths ...string) ([]Page, error) { return newLoader(o).pages(paths...) }

func (l *loader) pages(paths ...string) ([]Page, error) {
	l.read(paths)
	if _, err := l.finish(); err != nil {
		return nil, err
	}
	pages := make([]Page, len(l.uses))
	for i := range l.uses {
		pages[i] = l.uses[i].page()
	}
	return pages, nil
}

// BuiltIn returns a page for each policy of the presets that o offers, as it is in
// the preset that defines it. No judge or hook is asked, so it needs no models and
// no secrets. The error is of type Problems.
func BuiltIn(o Options) ([]Page, error) {
	var all []Page
	for _, preset := range Presets(o) {
		l := newLoader(o)
		l.alone = true
		pages, err := l.pages(presetPrefix + preset)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			i := slices.IndexFunc(all, func(have Page) bool { return have.Name == p.Name && have.File == p.File })
			if i < 0 {
				i, all = len(all), append(all, p)
			}
			if p.File == presetPrefix+preset { // defined here; elsewhere it is only included
				p.Presets = all[i].Presets
				all[i] = p
			}
			all[i].Presets = append(all[i].Presets, Membership{preset, p.Mode})
		}
	}
	for i := range all {
		home := strings.TrimPrefix(all[i].File, presetPrefix)
		slices.SortStableFunc(all[i].Presets, func(a, b Membership) int {
			return btoi(b.Preset == home) - btoi(a.Preset == home)
		})
	}
	return all, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// page collects the facts about a policy.
func (u *use) page() Page {
	p := Page{
		Policy: u.describe(), Does: u.does(), Unknown: u.unsure(), Failure: u.fails(), Rule: u.rule(), Params: u.read(),
	}
	if u.find != nil && u.find.placeholder && u.changes() {
		p.Then = restoring
	}
	for _, x := range u.excepts {
		p.Excepts = append(p.Excepts, x.when.Value)
	}
	for i := range u.examples {
		p.Examples = append(p.Examples, u.examples[i].told())
	}
	return p
}

// deciding are the keys of a policy that say what it decides.
var deciding = []string{"applies_to", "when", "find", "tools", "judge", "hook", "then"}

// rule is the deciding part, as it was written.
func (u *use) rule() string {
	kept := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i+1 < len(u.node.Content); i += 2 {
		if slices.Contains(deciding, u.node.Content[i].Value) {
			kept.Content = append(kept.Content, u.node.Content[i], u.node.Content[i+1])
		}
	}
	return asYAML(kept)
}

// asYAML formats a value with two spaces for each level.
func asYAML(value any) string {
	var b bytes.Buffer
	out := yaml.NewEncoder(&b)
	out.SetIndent(2)
	if err := out.Encode(value); err != nil {
		return "" // what was read can be written
	}
	return b.String()
}

// read are the parameters that the policy's expressions read, in order of
// declaration, the policy's own in place of the file's.
func (u *use) read() []Param {
	var text strings.Builder
	if u.when != nil {
		text.WriteString(u.when.Value)
	}
	for _, a := range u.then.set {
		text.WriteString("\n" + a.value.Value)
	}
	var list []Param
	for _, d := range u.declared {
		name := regexp.QuoteMeta(d.name)
		reads := regexp.MustCompile(`\bparams(\.` + name + `\b|\[\s*r?["']` + name + `["']\s*\])`)
		if !reads.MatchString(text.String()) && !slices.Contains(u.named(), d.name) {
			continue
		}
		p := Param{d.name, d.doc, u.standard[d.name], u.params[d.name]}
		if i := slices.IndexFunc(list, func(have Param) bool { return have.Name == d.name }); i >= 0 {
			list[i] = p
		} else {
			list = append(list, p)
		}
	}
	return list
}

// named are the parameters that the policy names outside its expressions.
func (u *use) named() []string {
	var names []string
	if u.judge != nil {
		names = append(names, u.judge.modelParam)
	}
	if u.find != nil {
		for i := range u.find.signs {
			names = append(names, u.find.signs[i].files.param)
		}
	}
	return names
}

// told formats an example for people.
func (e *example) told() Example {
	t := Example{Shell: e.shell, Want: e.want, Cwd: e.exchange.Session.Cwd, Home: e.exchange.Session.Home}
	if e.gives != nil {
		t.Gives = *e.gives
	}
	switch {
	case e.shell != "":
	case e.block.Kind == llm.ToolResult:
		t.Result, t.Tool, t.Text = true, e.block.Name, e.block.Text
	case e.text:
		t.Text = e.block.Text
	default:
		t.Tool, t.Arguments = e.block.Name, e.block.Arguments
	}
	given := func(name string, values ...string) {
		if value := strings.Join(values, ", "); value != "" {
			t.Given = append(t.Given, name+": "+value)
		}
	}
	s, k := &e.exchange.Session, &e.exchange.Key
	given("session.id", s.ID)
	given("session.client", s.Client)
	given("session.cwd", s.Cwd)
	given("session.home", s.Home)
	given("session.labels", s.Labels...)
	given("key.name", k.Name)
	given("key.user", k.User)
	given("key.groups", k.Groups...)
	if q := e.exchange.Request; q != nil {
		toldRequest(q, e.talked, given)
	}
	return t
}
