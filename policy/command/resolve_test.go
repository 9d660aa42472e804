package command

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/describe"
)

// heard is a Host that keeps what it is told.
type heard struct {
	said    []string
	unknown []string
	spare   []string
}

func (h *heard) Effect(e effect.Effect)      { h.said = append(h.said, e.String()) }
func (h *heard) File(kind Kind, path string) { h.said = append(h.said, string(kind)+" "+path) }
func (h *heard) Run(kind Kind, words []string) {
	h.said = append(h.said, string(kind)+" "+strings.Join(words, " "))
}
func (h *heard) Where(kind Kind, name string, _ bool) { h.said = append(h.said, string(kind)+" "+name) }
func (h *heard) Input(kind Kind)                      { h.said = append(h.said, "input "+string(kind)) }
func (h *heard) Hook(name string, _ *Reading)         { h.said = append(h.said, "hook "+name) }
func (h *heard) Context(string, *Reading) bool        { return false }
func (h *heard) Is(_, value string) bool              { return value == "here" }
func (h *heard) Values(string) []string               { return nil }
func (h *heard) Noted(e effect.Effect)                { h.Effect(e) }
func (h *heard) Packages(kind Kind, specs []string, of Registries) {
	from := slices.Concat(of.Instead, of.Beside)
	h.said = append(h.said, string(kind)+" "+strings.Join(specs, " ")+" from "+strings.Join(from, " "))
}
func (h *heard) Document(value string) (string, bool) { return value, true }
func (h *heard) Spare(words []string)                 { h.spare = append(h.spare, words...) }
func (h *heard) Unknown(what string)                  { h.unknown = append(h.unknown, what) }

// environment are surroundings in which no argument is a list.
type environment func(name string) (string, bool)

func (environment) IsListed(int) bool                     { return false }
func (e environment) Variable(name string) (string, bool) { return e(name) }

func resolve(p *Program, args ...string) *heard {
	h := &heard{}
	p.Resolve(&Invocation{Name: p.Names[0], Args: args}, h)
	return h
}

func described(t testing.TB, text string) *Program {
	t.Helper()
	c, err := Parse("test.yaml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Program(c.Names()[0])
}

const tool = `tool:
  flags: {value: [c context, {o output: out:write}], switch: [v verbose], dry: [dry-run]}
  commands:
    db drop|rm:
      flags: {switch: [f force]}
      operands: [name...]
      effects: [{drop: "database {name}", wide: [--force, several name]}]
    db list: {effects: []}
    copy: {operands: ["source:read...", "target:write"]}
    "** delete": {effects: [{destroy: "{command*}[ {words}]", wide: true}]}
    tag delete: {effects: [{destroy: "tag {words}"}]}
    run: {operands: [where], after: "command:argv"}
    scale: {flags: {value: [replicas]}, operands: [what], effects: [{destroy: "{what}", if: ["--replicas=0"]}, {apply: "{what}", unless: ["--replicas=0"]}]}
`

func TestResolveReadsWordsByTheirRoles(t *testing.T) {
	p := described(t, tool)
	for _, c := range []struct {
		args string
		want string
	}{
		{"db drop a", "drop database a"},
		{"-c prod db rm a", "drop database a"},
		{"--context=prod db rm a", "drop database a"},
		{"-cprod -v db rm a", "drop database a"},
		{"-vc prod db rm a", "drop database a"},
		{"db drop a -f", "drop database a, and everything in it"},
		{"db drop a b", "drop database a, and everything in it; drop database b, and everything in it"},
		{"db list", ""},
		{"db drop a --dry-run", ""},
		{"db drop a --dry-run=none", "drop database a"},
		{"db drop a --dry-run=$X", "drop database a"},
		{"copy a b c", "read a; read b; write c"},
		{"copy a -o x c", "write x; read a; write c"},
		{"cloud vm delete x", "destroy cloud vm delete x, and everything in it"},
		{"tag delete x", "destroy tag x"},
		{"run here -- rm -rf x", "argv rm -rf x"},
		{"scale web --replicas 0", "destroy web"},
		{"scale web --replicas 3", "apply web"},
		{"db drop a --help", ""},
	} {
		if got := strings.Join(resolve(p, strings.Fields(c.args)...).said, "; "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.args, got, c.want)
		}
	}
}

const engine = `
engine:
  like: _base
  flags: {value: [f file, {H host: host}], switch: [D debug]}
  commands:
    run:
      syntax: first-ends
      flags: {value: [v volume], switch: [f force]}
      operands: [image, "argv:argv..."]
    compose: {program: composer}
    volume rm: destroy wide
    "** delete": destroy
    "** small delete": {effects: [{drop: }]}
    stop:
      operands: [name...]
      effects: [{stop: "{name}[ on {$ENGINE}]"}, {destroy: "{name}", if: [production host, production $ENGINE]}]
    build: {operands: [context], effects: [{fetch: "{context}", if: [address context]}]}
    exec: {syntax: first-ends, operands: [name, "words:remote-argv..."]}
    on: {syntax: first-ends, operands: [name, "words...:remote-argv"]}
  harmless: ["ps|list, * inspect"]
_base:
  flags: {value: [f], switch: [H]}
  commands: {reset: {effects: [{destroy: everything, wide: [not words=safe*]}]}}
composer:
  flags: {value: [f file, H host]}
  commands: {down: {flags: {switch: [v volumes, f force]}, effects: [{destroy: "project[ {file}]", wide: [--volumes]}]}}
`

func TestResolveKnowsTheFormsOfDescriptions(t *testing.T) {
	c, err := Parse("test.yaml", engine, nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(c.Names(), "_base") || c.Has("_base") || c.Program("_base") != nil {
		t.Error("a base is a program")
	}
	env := func(name string) (string, bool) { return "prod-1", name == "ENGINE" }
	for args, want := range map[string]string{
		"run -v a:b image rm -v x -f": "argv rm -v x -f",
		"run -f image --help":         "argv --help",
		"exec a rm -v x -f":           "remote-argv rm -v x -f",
		"on a rm -v x -f":             "remote-argv rm -v x -f",
		"run image a delete":          "argv a delete", // what runs is no command of the engine
		"-f x run image y":            "argv y",
		"compose -f a.yml down -v":    "destroy project a.yml, and everything in it",
		"-H h compose -f a.yml down":  "destroy project a.yml",
		"volume rm a --unknown=b":     "destroy engine volume rm a b, and everything in it",
		"thing delete x":              "destroy engine thing delete x",
		"small delete x":              "drop engine small delete x",
		"thing delete small delete":   "destroy engine thing delete small delete; drop engine thing delete small delete", // more words take nothing away
		"stop a b":                    "stop a on prod-1; stop b on prod-1; destroy a; destroy b",
		"build $DIR":                  "",
		"build https://x/y.git":       "fetch https://x/y.git",
		"reset":                       "destroy everything, and everything in it",
		"reset safely":                "destroy everything",
		"ps":                          "",
		"thing inspect x":             "",
		"stop a --help":               "",
		"--o a --o a --o a --o a --o a --o a --o a --o a --o a --o a --o a --o a --o a volume rm x": "destroy engine volume rm x, and everything in it",
	} {
		h := &heard{}
		c.Program("engine").Resolve(&Invocation{Name: "engine", Args: strings.Fields(args), In: environment(env)}, h)
		if got := strings.Join(h.said, "; "); got != want || len(h.unknown) > 0 {
			t.Errorf("%s\n got %s %q\nwant %s", args, got, h.unknown, want)
		}
	}
	h := &heard{}
	c.Program("engine").Resolve(&Invocation{Name: "engine", Args: []string{"stop"}, More: true}, h)
	if got := strings.Join(h.said, "; "); got != "stop *" {
		t.Errorf("what comes from elsewhere: %s", got)
	}
	if got := c.Program("engine").Subcommand(&Invocation{Name: "engine", Args: []string{"-H", "x", "--new", "volume", "rm"}}); got != "volume" {
		t.Errorf("the subcommand is %q", got)
	}
}

const keeper = `_locked:
  flags: {switch: [force]}
  always:
    - {disarm: "lock of {program}", if: [--force]}
_found:
  always:
    - {hook: looks}
keeper:
  like: [_locked, _found]
  flags: {value: [name, {s script: script}, {e execute: text}], switch: [x exec]}
  commands:
    db drop|rm: {operands: [name...], effects: [{drop: "{name}"}]}
    list: {operands: [word...], effects: [{spawn: "{script#*!}", if: ["script=*!*"]}, {argv: "{word*}", if: [--exec]}, {shell: "{word*}", unless: [--exec]}, {load: "{text}", if: ["text=*/*"]}]}
  always:
    - {reveal: secrets, if: ["calls token create|show, ** dump"], unless: ["calls token create dry"]}
    - {hook: {told: {if: ["not calls db and --force"]}}}
`

func TestWhatAProgramDoesWhateverItsCommandIs(t *testing.T) {
	c, err := Parse("test.yaml", keeper, nil)
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"db drop a":                 "drop a; hook looks",
		"db drop a --force":         "drop a; disarm lock of keeper; hook looks",
		"token create":              "reveal secrets; hook looks ? subcommand",
		"--name x token show":       "reveal secrets; hook looks ? subcommand",
		"--unheard x token show":    "reveal secrets; hook looks ? variable subcommand",
		"token create dry":          "hook looks ? subcommand",
		"--unheard token create":    "reveal secrets; hook looks ? variable subcommand",
		"a b dump":                  "reveal secrets; hook looks ? subcommand",
		"--force":                   "disarm lock of keeper; hook looks; hook told",
		"--force token create":      "disarm lock of keeper; reveal secrets; hook looks; hook told ? subcommand",
		"list rm -s a!b c":          "shell rm c; spawn b; hook looks",
		"list -x rm a":              "argv rm a; hook looks",
		"list --unheard rm a":       "shell a; shell rm a; hook looks",
		"list --execute ./a -x":     "load ./a; hook looks",
		"list --execute:./a --exec": "load ./a; hook looks",
		"--help token create":       "",
	} {
		h := resolve(c.Program("keeper"), strings.Fields(args)...)
		slices.Sort(h.said)
		got := strings.Join(h.said, "; ")
		if len(h.unknown) > 0 {
			got += " ? " + strings.Join(h.unknown, " ")
		}
		parts, unknown, _ := strings.Cut(want, " ? ")
		sorted := strings.Split(parts, "; ")
		slices.Sort(sorted)
		if want = strings.Join(sorted, "; "); unknown != "" {
			want += " ? " + unknown
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
}

func TestNothingRunsOfWhatIsNotKnown(t *testing.T) {
	p := described(t, "tool:\n  flags: {value: [s]}\n  operands: [word...]\n  effects: [{shell: \"{s}\"}, {argv: \"{word*}\"}, {stop: \"{word}\"}]\n")
	h := &heard{}
	p.Resolve(&Invocation{Name: "tool", More: true}, h)
	if got := strings.Join(h.said, "; "); got != "stop *" {
		t.Errorf("with arguments that follow: %s", got)
	}
}

func TestWildcardsMatchAnyByte(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*_db_*.*", `aws_db_instance.main["a/b"]`, true}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "axxbyy", false},
		{`\*`, "*", true}, {`\*`, "x", false}, {"?x", "ax", true}, {"?x", "x", false}, {"", "", true}, {"*", "", true},
	} {
		if describe.Wild(c.pattern, c.text) != c.want {
			t.Errorf("%s and %s", c.pattern, c.text)
		}
	}
}

func TestResolveReadsOptionsThatAreNotDescribedBothWays(t *testing.T) {
	p := described(t, tool)
	for _, c := range []struct {
		args string
		want []string // among others
	}{
		{"--new x db drop a", []string{"drop database a"}},
		{"--new db drop a", []string{"drop database a"}},
		{"-n x db drop a", []string{"drop database a"}},
		{"db --new x drop a", []string{"drop database a"}},
		{"db drop --new a", []string{"drop database a"}},
		{"db drop --new --dry-run a", []string{"drop database a"}}, // --dry-run may be the value of --new
		{"db list --new", nil},
		{"--new list db drop a", []string{"drop database a"}},
		{"copy a --new b c", []string{"read a", "write c"}},
	} {
		h := resolve(p, strings.Fields(c.args)...)
		for _, want := range c.want {
			if !slices.ContainsFunc(h.said, func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("%s: %q is not among %q", c.args, want, h.said)
			}
		}
	}
}

func TestResolveSaysWhatItDoesNotKnow(t *testing.T) {
	p := described(t, tool)
	for _, args := range []string{"frobnicate x", "db frobnicate", "$SUB x"} {
		if h := resolve(p, strings.Fields(args)...); !slices.Contains(h.unknown, UnknownSubcommand) {
			t.Errorf("%s: %q %q", args, h.said, h.unknown)
		}
	}
	if h := resolve(p, "scale", "web", "--replicas=$N"); !slices.Contains(h.unknown, UnknownValue) {
		t.Errorf("a value that decides is not known: %q %q", h.said, h.unknown)
	}
}

// Adding options that nobody has described, with or without a value, anywhere, never
// takes an effect away.
func TestResolveIsMonotone(t *testing.T) {
	p := described(t, tool)
	random := rand.New(rand.NewPCG(1, 2))
	for _, args := range []string{"db drop a", "-c prod db rm a b", "copy a b", "cloud vm delete x", "tag delete x", "scale web --replicas 0"} {
		before := resolve(p, strings.Fields(args)...)
		for range 2000 {
			var groups [][]string // an option stays with its value
			for word := range strings.FieldsSeq(args) {
				if n := len(groups); n > 0 && (groups[n-1][0] == "-c" || groups[n-1][0] == "--replicas") && len(groups[n-1]) == 1 {
					groups[n-1] = append(groups[n-1], word)
				} else {
					groups = append(groups, []string{word})
				}
			}
			for range 1 + random.IntN(3) {
				added := [][]string{{"--zz"}, {"--zz=1"}, {"--zz", "y"}, {"-Z"}, {"-Z", "y"}, {"-vZ"}}[random.IntN(6)]
				groups = slices.Insert(groups, random.IntN(len(groups)+1), added)
			}
			words := slices.Concat(groups...)
			after := resolve(p, words...)
			for _, want := range before.said {
				// The words before a command may be names of something or values: more of them may be named.
				if !slices.ContainsFunc(after.said, func(s string) bool { return keeps(s, want) }) {
					t.Fatalf("%s has %q, but %q has only %q", args, want, words, after.said)
				}
			}
		}
	}
}

// keeps reports whether an effect says all that another one says.
func keeps(said, want string) bool {
	words := strings.Fields(said)
	for word := range strings.FieldsSeq(want) {
		if !slices.Contains(words, word) && !slices.Contains(words, word+",") {
			return false
		}
	}
	return true
}

func TestDescriptionsAreRefusedWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"tool:\n  flag: {}\n":                                              `test.yaml:2:3: program tool: the description has no key "flag" (did you mean "flags"?)`,
		"tool:\n  flags: {value: [a b], switch: [b]}\n":                    `the flag "b" is listed twice`,
		"tool:\n  effects:\n    - remove: x\n":                             `test.yaml:3:7: program tool: there is no effect "remove" (did you mean "delete"?)`,
		"tool:\n  operands: [a]\n  effects:\n    - destroy: \"{b}\"\n":     `test.yaml:4:3: program tool: no flag or operand gives the role {b}`,
		"tool:\n  effects:\n    - {destroy: x, if: [--force]}\n":           "the flag --force is not described",
		"tool:\n  operands: [\"a:wrtie\"]\n":                               `there is no kind "wrtie" (did you mean "write"?)`,
		"tool:\n  operands: [a..., b...]\n":                                "only one operand can take any number of words",
		"tool:\n  effects:\n    - {destroy: \"[x\"}\n":                     "a [ has no ]",
		"tool:\n  effects:\n    - {destroy: x, wide: [kind in nothing]}\n": `there is no set "nothing"`,
		"tool:\n  like: other\n":                                           `there is no program "other" to be like`,
		"tool:\n  commands: {a: {program: nowhere}}\n":                     `there is no program "nowhere"`,
		"tool:\n  commands: {a: destroys}\n":                               `there is no effect "destroys" (did you mean "destroy"?)`,
		"tool:\n  commands: {a: &x {operands: [*x]}}\n":                    "alias",
		"a:\n  like: b\nb:\n  like: a\n":                                   "to be like",
		"tool:\n  commands: {x: {operands: [a]}\n":                         "did not find expected",
		"tool:\n  always:\n    - {hook: x, if: [a]}\n":                     `test.yaml:3:8: program tool: there is no effect "hook"`,
		"tool:\n  like: [_a, b]\n_a: {}\n":                                 `there is no program "b" to be like`,
		"tool:\n  effects:\n    - {spawn: \"{b}\"}\n":                      "no flag or operand gives the role {b}",
		"tool:\n  operands: [a, \"run:argv\"]\n":                           "write run:argv...",
		"tool:\n  operands: [\"a...b:argv\"]\n":                            `"a...b:argv" is not the name of a role`,
		"tool:\n  commands: {run: {wraps: true}}\n":                        `operands: ["run:argv..."]`,
		"tool:\n  commands: {run: {variables: {A: a}}}\n":                  "variables is for a whole program",
	} {
		_, err := Parse("test.yaml", text, nil)
		var mistake *Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("db drop a --new -xyz -- b $X")
	p := described(f, tool)
	f.Fuzz(func(t *testing.T, args string) {
		words := strings.Fields(args)
		before := resolve(p, words...)
		after := resolve(p, append([]string{"--zz=1"}, words...)...)
		if len(after.said) < len(before.said) && !slices.Contains(words, "--help") {
			t.Errorf("%q: %q, and with one more option %q", words, before.said, after.said)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(tool)
	f.Fuzz(func(_ *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		if c, err := Parse("fuzz.yaml", text, nil); err == nil {
			for _, name := range c.Names() {
				resolve(c.Program(name), "a", "-b", "--c=d", "e")
			}
		}
	})
}

func TestConditionsAreAboutTheValueOfTheEffect(t *testing.T) {
	p := described(t, `tool:
  operands: [name...]
  effects: [{drop: "{name}", wide: [name=prod*], scratch: [tests name], unless: [name=none]}]
`)
	got := resolve(p, "prod-a", "x", "none").said
	if want := []string{"drop prod-a, and everything in it", "drop x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgramsOfWindowsTakeOptionsWithSlashes(t *testing.T) {
	p := described(t, `tool:
  syntax: slash
  flags: {value: [v], optional: [e], switch: [f]}
  commands:
    delete: {operands: [key, file:write], effects: [{destroy: "{key}[ {v}]", wide: [--f], if: [not --e=false]}]}
`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"delete", "a", "/f"}, "destroy a, and everything in it"},
		{[]string{"DELETE", "a", "/V", "b", "-f"}, "destroy a b, and everything in it"},
		{[]string{"/unheard", "x", "delete", "a", "//f"}, "destroy a, and everything in it"},
		{[]string{"delete", "a", "/tmp/x"}, "write /tmp/x destroy a"},
		{[]string{"delete", "a", "/e:false"}, ""},
		{[]string{"delete", "a", "/?"}, ""},
	} {
		if got := strings.Join(resolve(p, c.args...).said, " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
}

func TestVariablesOfTheEnvironmentAreAsGoodAsOptions(t *testing.T) {
	p := described(t, `tool:
  variables: {TOOL_SERVER: server}
  flags: {value: [s server], switch: ["9"]}
  commands:
    set: {operands: [pair:assign...]}
    send: {operands: [what], effects: [{send: "{server}", from: "{what}"}, {kill: "{what}", if: [--9, "--un*"]}]}
`)
	h := &heard{}
	env := func(name string) (string, bool) { return "a.example", name == "TOOL_SERVER" }
	p.Resolve(&Invocation{Name: "tool", Args: []string{"send", "x"}, In: environment(env)}, h)
	p.Resolve(&Invocation{Name: "tool", Args: []string{"-9", "set", "A=b"}}, h)
	p.Resolve(&Invocation{Name: "tool", Args: []string{"send", "-9", "x"}}, h)
	p.Resolve(&Invocation{Name: "tool", Args: []string{"send", "x", "--unheard"}}, h)
	if want := []string{"send x to a.example", "set-variable A to b", "kill x", "kill x"}; !slices.Equal(h.said, want) {
		t.Errorf("got %q, want %q", h.said, want)
	}
}

// counting is a host that counts how often it is asked where a program runs.
type counting struct {
	heard
	asked int
}

func (c *counting) Context(string, *Reading) bool {
	c.asked++
	return true
}

// The cost of a command line grows with its words, not with their square: what is not about
// the one value of an effect is asked once, and what is about it for each.
func TestConditionsOfManyValuesAreAskedOnce(t *testing.T) {
	p := described(t, `tool:
  operands: [name...]
  effects: [{drop: "{name}", wide: [name=prod*], scratch: [context local and tests name], unless: [name=none, not context local]}]
`)
	for _, n := range []int{1, fewValues, fewValues + 1, 500} {
		args := []string{"prod-a", "none", "test-x"}
		for range n {
			args = append(args, "x")
		}
		h := &counting{}
		p.Resolve(&Invocation{Name: "tool", Args: args}, h)
		if want := []string{"drop prod-a, and everything in it", "drop test-x, made for tests", "drop x"}; !slices.Equal(h.said[:3], want) || len(h.said) != n+2 {
			t.Errorf("%d values: %q", n, h.said[:min(4, len(h.said))])
		}
		if most := 2 * (fewValues + 3); h.asked > most {
			t.Errorf("%d values: asked %d times, at most %d may be", n, h.asked, most)
		}
	}
}
