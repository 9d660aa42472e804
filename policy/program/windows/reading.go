package windows

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// Reading is what a script would do.
type Reading struct {
	// Effects have paths with slashes, resolved as far as the place is known.
	Effects []effect.Effect
	// Commands are calls of programs that are no part of Windows.
	Commands []Command
	// Scripts are files with PowerShell that are run, as written.
	Scripts []string
	// Unknown are the reasons why more may happen, each once.
	Unknown []string
}

// Command is a program with its arguments. What is not known in them stands as
// "$name".
type Command struct {
	Words []string
	// Sudo: with more rights than the script.
	Sudo bool
	// Sources are what its input was read from: files, and "environment".
	Sources []string
	// Piped: it has input. Input is all of it if Known; Remote is where it was
	// fetched, Hidden what it was decoded by.
	Piped, Known          bool
	Input, Remote, Hidden string
}

// Reasons why something may be missing.
const (
	// Eval: a text that is not known is run as a script.
	Eval = "eval"
	// Variable: a name or path is not known.
	Variable = "variable"
	// Limit: the text is longer or nests deeper than what is read.
	Limit = "limit"
)

// Limits of what is read.
const (
	// MaxText is how many bytes of a script are read.
	MaxText = 256 << 10
	// MaxDepth is how deep brackets, blocks and scripts may nest.
	MaxDepth = 24
	// MaxEffects is how many effects and commands are returned, each.
	MaxEffects = 1000

	mostSteps = 25_000
	mostBytes = 4 << 20 // of texts that are made
	mostText  = 64 << 10
	// mostWords is how many words one command may have.
	mostWords = 4096
)

// PowerShell reads a script. The place is where it would run.
func PowerShell(text string, at effect.Place) Reading {
	return read(at, func(r *reader) { r.script(text) })
}

// Cmd reads a line or batch file for cmd.exe.
func Cmd(text string, at effect.Place) Reading {
	return read(at, func(r *reader) { r.batchGiven(text, value{}) })
}

// RunPowerShell reads a call of powershell or pwsh with its arguments.
func RunPowerShell(args []string, at effect.Place) Reading {
	return read(at, func(r *reader) { r.powershellWith(literals(args), value{}) })
}

// RunCmd reads a call of cmd.exe with its arguments.
func RunCmd(args []string, at effect.Place) Reading {
	return read(at, func(r *reader) { r.cmd(literals(args), value{}) })
}

// RunLine reads a command line that starts a program without a shell.
func RunLine(line string, at effect.Place) Reading {
	return read(at, func(r *reader) { r.run(literals(splitWords(line)), value{}) })
}

// ReadsInput reports whether PowerShell with these arguments takes its script
// from its input.
func ReadsInput(args []string) bool {
	for i, arg := range args {
		name := strings.ToLower(strings.TrimLeft(arg, "-/"))
		switch {
		case !strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "/"):
			return false
		case (begins("command", name) || begins("file", name)) && i+1 < len(args):
			return args[i+1] == "-"
		case begins("encodedcommand", name) && name != "":
			return false
		case arg == "-":
			return true
		}
	}
	return len(args) == 0
}

// reader follows one script.
type reader struct {
	values.Maker

	at    effect.Place
	out   Reading
	vars  map[string]value
	depth int
	sudo  bool
	// remote: what runs does so on another machine.
	remote bool
	// connected is the address of a connection, evals whether text was run
	// beside it.
	connected string
	evals     bool
	// fetched are the paths of what came from elsewhere, with its address.
	fetched map[string]string
	// drives are the letters of drives that stand for shares.
	drives map[string]string
	// since is the first effect of what stands in the command that is read.
	since int
	// aliases and functions are those that the script makes.
	aliases   map[string]string
	functions map[string]*function
	// operations are what descriptions are made of: a reader has them, because they
	// read scripts in turn.
	operations map[string]operation
}

func (r *reader) doubt(reason string) {
	if !slices.Contains(r.out.Unknown, reason) {
		r.out.Unknown = append(r.out.Unknown, reason)
	}
}

func (r *reader) add(e effect.Effect) {
	if len(r.out.Effects) >= MaxEffects {
		r.doubt(Limit)
		return
	}
	e.Sudo, e.Remote, e.Command = r.sudo, e.Remote || r.remote, -1
	r.out.Effects = append(r.out.Effects, e)
}

func (r *reader) does(verb effect.Verb, object string) {
	r.add(effect.Effect{Verb: verb, Object: object})
}

// Expand puts the directory that a variable names in front of a path into its place:
// %TEMP%/x.exe.
func Expand(p string) string {
	name, rest, ok := strings.Cut(strings.TrimPrefix(p, "%"), "%")
	if dir, known := directoryOf(name); ok && known && p[0] == '%' {
		return dir + rest
	}
	return p
}

// path is a path as the script means it.
func (r *reader) path(p string) string {
	p = onDrive(strings.ReplaceAll(p, `\`, "/"))
	if len(p) >= 2 && p[1] == ':' && isWord(p[0]) && (len(p) == 2 || p[2] != '/') { // the drive, wherever one is in it
		p = p[:2] + "/" + p[2:]
	}
	resolved, known := r.at.Resolve(p)
	if !known {
		r.doubt(Variable)
	}
	if len(resolved) == 2 && resolved[1] == ':' {
		resolved += "/"
	}
	return resolved
}

func (r *reader) reads(v value) value {
	out := value{}
	for _, p := range files(v) {
		resolved := r.path(p)
		r.does(effect.Read, resolved)
		made := values.Origin{Sources: []string{resolved}}
		if from := r.cameFrom(p); from != Decoder {
			made.Remote = from
		}
		out = out.MadeOf(out.Origin().And(values.MadeFrom(made)))
	}
	return out
}

func (r *reader) writes(v, contents value) {
	for _, p := range files(v) {
		e := effect.Effect{Verb: effect.Write, Object: r.path(p), From: contents.Remote()}
		if e.From == "" && len(contents.Sources()) > 0 {
			e.From = contents.Sources()[0]
		}
		if known(contents) && len(list(contents)) == 0 {
			e.Content = shown(contents)
		}
		r.add(e)
		r.startup(e.Object)
		r.keep(e.Object, contents.Remote())
		if address, ok := share(r.undriven(p)); ok {
			r.sends(address, contents)
		}
	}
}

// startup notes a path among the programs that start with a session.
func (r *reader) startup(p string) {
	if has("startups", strings.ToLower(strings.ReplaceAll(p, `\`, "/"))) {
		r.does(effect.Persist, "startup folder")
	}
}

func (r *reader) deletes(wide bool, v value) {
	for _, p := range files(v) {
		name, variable := inEnvironment(p)
		key, registered := registry(p)
		switch {
		case strings.HasPrefix(p, "$") && !strings.ContainsAny(p, `/\`):
			r.doubt(Variable)
		case variable:
			r.does(effect.UnsetVariable, name)
		case registered:
			r.add(effect.Effect{Verb: effect.Destroy, Object: "registry " + key, Wide: wide})
			r.unguards(key)
		default:
			r.add(effect.Effect{Verb: effect.Delete, Object: r.path(p), Wide: wide || strings.ContainsAny(p, "*?")})
		}
	}
}

// sends notes that something is given to an address.
func (r *reader) sends(address string, data value) {
	if len(data.Sources()) == 0 {
		r.does(effect.Send, address)
	}
	for _, from := range data.Sources() {
		r.add(effect.Effect{Verb: effect.Send, Object: address, From: from})
	}
}

// evaluate runs a text as a script.
func (r *reader) evaluate(v value) value {
	r.evals = true
	return r.runText(v)
}

// runText reads a text that runs as a script.
func (r *reader) runText(v value) value {
	switch {
	case known(v) && v.Remote() == "":
		return r.nested(joined(v))
	case r.foreign(&v):
		return value{}
	}
	r.doubt(Eval)
	if shown(v) == "" {
		return value{}
	}
	return r.nested(shown(v))
}

// perStep is how many bytes of a script within the script cost a step.
const perStep = 64

// nested reads a script within the script.
func (r *reader) nested(text string) (v value) {
	r.Steps -= len(text) / perStep
	r.deeper(func() { v = r.script(text) })
	return v
}

// shape notes what only the whole script shows.
func (r *reader) shape() {
	if r.connected != "" && r.evals {
		r.does(effect.ReverseShell, r.connected)
	}
}

// read reads something in a place.
func read(at effect.Place, what func(r *reader)) Reading {
	r := &reader{at: at, vars: map[string]value{}, fetched: map[string]string{}, drives: map[string]string{}, aliases: map[string]string{}, functions: map[string]*function{}, operations: operations}
	r.Steps, r.Bytes, r.Work = mostSteps, mostBytes, mostBytes
	r.Refused = func(string) { r.doubt(Limit) }
	what(r)
	r.shape()
	return r.out
}

// deeper does something one level further down, unless that is too deep.
func (r *reader) deeper(what func()) {
	if r.depth >= MaxDepth {
		r.doubt(Limit)
		return
	}
	r.depth++
	what()
	r.depth--
}

// foreign notes that what runs was fetched or decoded, and reports whether it was.
func (r *reader) foreign(v *value) bool {
	switch {
	case v.Remote() != "":
		r.does(effect.RunRemote, v.Remote())
	case v.Hidden() != "":
		r.does(effect.RunHidden, v.Hidden())
	default:
		return false
	}
	return true
}

// directoryOf is the directory that a variable of the environment names.
func directoryOf(name string) (string, bool) {
	return library.Of(library.Cmd).Constant(strings.ToLower(name))
}

// within is a text as far as it is read.
func (r *reader) within(text string) string {
	if len(text) > MaxText {
		r.doubt(Limit)
		text = text[:MaxText]
	}
	return strings.ReplaceAll(text, values.Mark, " ")
}

// nothings are names of files that hold nothing.
var nothings = []string{"", "nul", "$null", "/dev/null", "con", "&1", "&2"}

// files are the texts of a value that name a file.
func files(v value) []string {
	return slices.DeleteFunc(paths(v), func(p string) bool { return slices.Contains(nothings, strings.ToLower(p)) })
}

// variables are paths of PowerShell that name a variable of the environment, keys those of
// the registry.
var (
	variables = regexp.MustCompile(`(?i)^(?:.*environment::|env:[\\/]?)(.+?)[\\/]*$`)
	keys      = regexp.MustCompile(`(?i)^(?:HKLM|HKCU|HKEY_|HKCR|HKU|REGISTRY::)`)
)

// inEnvironment returns the variable that a path of PowerShell's env: names.
func inEnvironment(p string) (string, bool) {
	if m := variables.FindStringSubmatch(p); m != nil {
		return strings.ToUpper(m[1]), true
	}
	return "", false
}

// registry returns the key that a path of the registry names.
func registry(p string) (string, bool) {
	return strings.ReplaceAll(strings.Replace(p, ":", "", 1), `\`, "/"), keys.MatchString(p)
}
