package command

import (
	"slices"
	"strings"
	"testing"
)

// takers are the options of a description that take effects away, but for those that choose
// another command: those of a dry run and, by whole words, those of what is done "unless".
func (p *Program) takers() []string {
	names := []string{"help"}
	var places []string // options by which words mean something else
	for _, c := range p.all() {
		for i := range c.operands {
			for _, tests := range slices.Concat(c.operands[i].when, c.operands[i].unless) {
				for j := range tests {
					places = append(places, tests[j].name)
				}
			}
		}
	}
	note := func(c condition) {
		for _, tests := range c {
			for i := range tests {
				t := &tests[i]
				if f := p.every[t.name]; t.what == hasOption && !t.not && t.among == nil && len(t.name) > 1 && f != nil && f.arity == plain && !slices.Contains(append(places, names...), t.name) {
					names = append(names, t.name)
				}
			}
		}
	}
	for name, f := range p.every {
		if f.dry {
			names = append(names, name)
		}
	}
	for _, c := range p.all() {
		note(c.inputUnless)
		for i := range c.effects {
			note(c.effects[i].unless)
		}
		for i := range c.hooks {
			note(c.hooks[i].unless)
		}
	}
	slices.Sort(names)
	return names
}

// takenBack are words that give an option and take it back, or give it with a value that
// says no.
func (p *Program) takenBack(name string, ahead bool) [][]string {
	dashes := "--"
	if len(name) == 1 {
		dashes = "-"
	}
	option := dashes + name
	list := [][]string{
		{option + "=false"}, {option + "=FALSE"}, {option + "=0"}, {option + "=none"}, {option + "="}, {option + "=off"},
		{option, option + "=false"}, {option + "=false", option},
		{option, "--no-" + name}, {"--no-" + name, option},
	}
	if !ahead { // before a word they may be options that have it as their value
		list = append(list, []string{option, "--no" + name}, []string{option, "--disable-" + name})
	}
	if len(name) > 2 {
		if !ahead {
			list = append(list, []string{option, "--no-" + name[:len(name)-1]})
		}
		if short := name[:len(name)-1]; !p.isAmbiguous(short) {
			list = append(list, []string{option, "--" + short + "=no"})
		}
		list = append(list, []string{option, "--" + strings.ReplaceAll(name, "-", "_") + "=false"}, []string{option, "--" + strings.ToUpper(name) + "=false"})
	}
	return list
}

// isAmbiguous reports whether several options begin with some letters.
func (p *Program) isAmbiguous(letters string) bool {
	n := 0
	for name := range p.every {
		if strings.HasPrefix(name, letters) {
			n++
		}
	}
	return n > 1
}

// missing are the effects that are not said any more.
func missing(before, after []string) []string {
	var list []string
	for _, said := range before {
		if !slices.ContainsFunc(after, func(s string) bool {
			return keeps(strings.ReplaceAll(s, ",", ""), strings.ReplaceAll(said, ",", ""))
		}) {
			list = append(list, said)
		}
	}
	return list
}

// What takes an effect away must be certain: with every description, every option that does so
// for one of its examples, and every way to take that option back.
func TestAnOptionThatIsTakenBackTakesNoEffectAway(t *testing.T) {
	c := Builtin()
	seen := map[*Program]bool{}
	tried := 0
	for _, name := range c.Names() {
		p := c.Program(name)
		if seen[p] || p.syntax.slash || p.syntax.bundled {
			continue
		}
		seen[p] = true
		for _, x := range p.Examples() {
			words := strings.Fields(x.Run)
			if strings.ContainsAny(x.Run, "|;&<>()$`'\"\n\\") || strings.Contains(x.Run, " -- ") || len(words) == 0 || words[0] != name && !slices.Contains(p.Names, words[0]) {
				continue
			}
			args := slices.Clip(words[1:])
			before := resolve(p, args...).said
			for _, taker := range p.takers() {
				dashes := "--"
				if len(taker) == 1 {
					dashes = "-"
				}
				for _, ahead := range []bool{false, true} {
					place := func(options ...string) []string {
						if ahead {
							return append(slices.Clone(options), args...)
						}
						return append(args, options...)
					}
					if len(missing(before, resolve(p, place(dashes+taker)...).said)) == 0 {
						continue
					}
					for _, options := range p.takenBack(taker, ahead) {
						tried++
						after := resolve(p, place(options...)...).said
						if lost := missing(before, after); len(lost) > 0 {
							t.Errorf("%s %s: %q is lost, there is only %q", p.Names[0], strings.Join(place(options...), " "), lost, after)
						}
					}
				}
			}
		}
	}
	if tried < 10000 {
		t.Errorf("only %d command lines were tried", tried)
	}
}

const shipper = `shipit:
  flags: {value: [e environment], switch: [f force, check], optional: [color], dry: [n dry-run]}
  commands:
    ship: {operands: [where], effects: [{apply: "{where}", unless: [--check]}]}
`

func TestOnlyACertainOptionTakesAnEffectAway(t *testing.T) {
	c, err := Parse("test.yaml", shipper, Builtin())
	if err != nil {
		t.Fatal(err)
	}
	helps, err := Parse("test.yaml", strings.Replace(shipper, "switch: [", "switch: [help, ", 1), Builtin())
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"ship prod":                       "apply prod",
		"ship prod --dry-run":             "",
		"ship prod -n":                    "",
		"ship prod -fn":                   "",
		"ship prod -nf":                   "",
		"ship prod --dry-run=true":        "",
		"ship prod --check":               "",
		"ship prod --check --color=never": "",
		"ship prod -Zn":                   "apply prod", // may be the value of -Z
		"ship prod -e --dry-run":          "apply prod", // the environment
		"ship prod --new --dry-run":       "apply prod",
		"ship prod --dry-r":               "apply prod", // perhaps no option at all
		"ship prod --dry-run=$X":          "apply prod",
		"ship prod --dry-run=perhaps":     "apply prod",
		"ship prod --dryRun=false -n":     "apply prod",
		"ship prod --dry-run false":       "apply prod", // some take the word as its value
		"ship prod -- --dry-run":          "apply prod",
		"ship prod --check --un-check":    "apply prod",
		"ship prod --check false":         "apply prod",
		"ship prod --help":                "apply prod", // nothing says that it knows that
		"ship prod --help=true":           "apply prod",
	} {
		said := resolve(c.Program("shipit"), strings.Fields(args)...).said
		if got := strings.Join(said, "; "); got != want && (want == "" || len(missing([]string{"apply prod"}, said)) > 0) {
			t.Errorf("%s\n got %q\nwant %q", args, got, want)
		}
	}
	for args, want := range map[string]string{
		"ship prod --help": "", "--help ship prod": "", "ship --help prod": "", "ship prod --help -f": "", "ship prod -e x --help": "",
		"ship prod --help=true": "apply prod", "ship prod --help=": "apply prod", "ship prod -e --help": "apply prod", "ship prod --help false": "apply prod",
		"ship prod -- --help": "apply prod", "ship prod --new --help": "apply prod", "ship prod --hel": "apply prod", "ship prod --help --no-help": "apply prod",
	} {
		if got := strings.Join(resolve(helps.Program("shipit"), strings.Fields(args)...).said, "; "); got != want {
			t.Errorf("with help: %s\n got %q\nwant %q", args, got, want)
		}
	}
}
