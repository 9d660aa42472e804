package file

import (
	"fmt"
	"strings"
)

// Markdown formats the page: what the policy is for, what it does, what it sees
// and cannot see, its condition and parameters, examples, and how to tune it,
// make exceptions and try it.
func (p *Page) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", inline(p.Name))
	if p.Doc != "" {
		fmt.Fprintf(&b, "%s\n\n", p.Doc)
	}
	p.facts(&b)
	p.sight(&b)
	p.decides(&b)
	p.cases(&b)
	p.tuning(&b)
	p.exceptions(&b)
	if try := p.Try(); try != "" {
		b.WriteString("## Try it\n\nHow the policies understand a call, and what they decide:\n\n")
		fence(&b, "sh", try)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// facts is the table of what the policy does.
func (p *Page) facts(b *strings.Builder) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(b, "| %s | %s |\n", name, cell(value))
		}
	}
	b.WriteString("| | |\n|---|---|\n")
	row("What it does", p.Does)
	row("When the condition is unknown", p.Unknown)
	row("When it fails", p.Failure)
	row("What it applies to", "`"+strings.Join(p.Applies, "`, `")+"`")
	presets := make([]string, 0, len(p.Presets))
	for _, m := range p.Presets {
		name := "`" + m.Preset + "`"
		switch m.Mode {
		case shadowed.String():
			name += " (only recorded)"
		case disabled.String():
			name += " (switched off)"
		}
		presets = append(presets, name)
	}
	row("Presets", strings.Join(presets, ", "))
	if p.Presets == nil {
		row("Mode", "`"+p.Mode+"`")
	}
	row("What people and the model are told", p.Reason)
	b.WriteString("\n")
}

// sight is what the policy sees and cannot see.
func (p *Page) sight(b *strings.Builder) {
	if p.Sees != "" {
		fmt.Fprintf(b, "## What it sees\n\n%s\n\n", p.Sees)
	}
	if p.Blind != "" {
		fmt.Fprintf(b, "## What it cannot see\n\n%s\n\n", p.Blind)
	}
}

// decides is the rule with its parameters.
func (p *Page) decides(b *strings.Builder) {
	b.WriteString("## Condition\n\n")
	fence(b, "yaml", p.Rule)
	if len(p.Params) == 0 {
		return
	}
	b.WriteString("| Parameter | What it is | Default |\n|---|---|---|\n")
	for i := range p.Params {
		param := &p.Params[i]
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", param.Name, cell(param.Doc), cell(brief(param.Default)))
	}
	b.WriteString("\n")
}

// mostShown is how many values of a list a table shows.
const mostShown = 8

// brief formats a value in short.
func brief(value any) string {
	list, ok := value.([]any)
	switch {
	case !ok:
		return inline(fmt.Sprint(value))
	case len(list) == 0:
		return "empty"
	case len(list) > mostShown:
		return fmt.Sprintf("%d values, see below", len(list))
	}
	shown := make([]string, len(list))
	for i, item := range list {
		shown[i] = inline(fmt.Sprint(item))
	}
	return strings.Join(shown, ", ")
}

// cases are the examples: those that match, by outcome, and those that do not.
func (p *Page) cases(b *strings.Builder) {
	if len(p.Examples) == 0 {
		return
	}
	b.WriteString("## Examples\n\nThey run as tests.\n\n")
	var wants []string
	by := make(map[string][]*Example)
	var others []*Example
	for i := range p.Examples {
		switch e := &p.Examples[i]; {
		case !e.Matches():
			others = append(others, e)
		default:
			if by[e.Want] == nil {
				wants = append(wants, e.Want)
			}
			by[e.Want] = append(by[e.Want], e)
		}
	}
	for _, want := range wants {
		fmt.Fprintf(b, "It matches (%s):\n\n", want)
		listed(b, by[want])
	}
	if others != nil {
		b.WriteString("It does not match:\n\n")
		listed(b, others)
	}
}

// listed formats examples, commands separately from the others.
func listed(b *strings.Builder, examples []*Example) {
	var commands, others strings.Builder
	for _, e := range examples {
		to, comment := &others, "  # "
		if e.Shell != "" {
			to = &commands
		}
		text := e.String()
		if strings.Contains(text, "\n") && len(e.Given) > 0 { // after the last line it could be part of the command
			fmt.Fprintf(to, "# %s\n%s\n", strings.Join(e.Given, ", "), text)
			continue
		}
		to.WriteString(text)
		if len(e.Given) > 0 {
			to.WriteString(comment + strings.Join(e.Given, ", "))
		}
		if e.Gives != "" {
			to.WriteString("\n    gives " + e.Gives)
		}
		to.WriteString("\n")
	}
	fence(b, "sh", commands.String())
	fence(b, "text", others.String())
}

// tuning shows how the parameters are set.
func (p *Page) tuning(b *strings.Builder) {
	if len(p.Params) == 0 || p.Preset == "" {
		return
	}
	b.WriteString("## Tune it\n\nA value replaces the whole default; `{add: [...], remove: [...]}` changes a list and keeps the rest. Leave\nout the parameters that you do not change. These are the defaults:\n\n")
	fence(b, "yaml", "policies:\n  - preset: "+p.Preset+"\n    params:\n"+indented(p.settings(), "      "))
}

// settings are the parameters as they are set in a file.
func (p *Page) settings() string {
	var b strings.Builder
	for i := range p.Params {
		param := &p.Params[i]
		list, ok := param.Default.([]any)
		if !ok || len(list) == 0 {
			b.WriteString(asYAML(map[string]any{param.Name: param.Default}))
			continue
		}
		fmt.Fprintf(&b, "%s:\n%s", param.Name, indented(asYAML(list), "  "))
	}
	return b.String()
}

// exceptions shows how to make exceptions.
func (p *Page) exceptions(b *strings.Builder) {
	if p.Preset == "" {
		return
	}
	fmt.Fprintf(b, "## Exceptions\n\nThe policy does not apply where one of the conditions is true; where a condition is unknown, the policy stays in\nforce. `when: \"true\"` switches it off.\n\n")
	fence(b, "yaml", fmt.Sprintf(`policies:
  - preset: %s
    except:
      - {policy: %s, when: 'session.cwd.under("~/scratch")'}
      - {policy: %[2]s, when: '"operators" in key.groups'}
`, p.Preset, p.Name))
}

// fence writes a block of code, nothing if it is empty.
func fence(b *strings.Builder, language, code string) {
	if code = strings.TrimRight(code, "\n"); code == "" {
		return
	}
	marks := "```"
	for strings.Contains(code, marks) {
		marks += "`"
	}
	fmt.Fprintf(b, "%s%s\n%s\n%s\n\n", marks, language, code, marks)
}

// inline writes a text as code within a line.
func inline(text string) string {
	if !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	return "`` " + text + " ``"
}

// cell writes a text for a cell of a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}

func indented(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}
