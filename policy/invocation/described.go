package invocation

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
	"github.com/sluice-project/sluice/policy/sql"
)

// IsListed reports whether the shell makes any number of words of an argument: a
// wildcard, or what another command prints.
func (a *Act) IsListed(i int) bool {
	if i >= len(a.Given) {
		return false
	}
	given := &a.Given[i]
	return !given.Quoted && strings.ContainsAny(given.As, "*?[`") || !given.Quoted && strings.Contains(given.As, "$(")
}

// DescribedAct passes on what the description of a program says that it does.
type DescribedAct struct {
	*Act

	// windows: it is a program of Windows, where a backslash is between the names of a
	// path, and programs are called by their files.
	Windows bool

	// written are the files that it writes: what it reads, and so what is in them, is
	// known when all was read.
	written []effect.Effect
}

var _ command.Host = &DescribedAct{}

// Part reads a part of a command line with a description of its own.
func (a *Act) Part(name string, args ...string) {
	d := DescribedAct{Act: a}
	command.Builtin().Part(name).Resolve(&command.Invocation{Name: a.Name, Args: args}, &d)
	d.Write()
}

// Effect notes an effect that a description gives.
func (d *DescribedAct) Effect(e effect.Effect) {
	if e.Guess && !d.Guess {
		d.Guess = true
		defer func() { d.Guess = false }()
	}
	d.told = told{e.Kind, e.Several, e.Possible}
	defer func() { d.told = told{} }()
	if e.Verb.OfFile() {
		e.Object = strings.TrimPrefix(e.Object, "file://")
	}
	if d.Windows {
		e.Object = strings.ReplaceAll(e.Object, `\`, "/")
		if e.Verb == effect.Kill {
			e.Object = strings.ToLower(BaseName(LastOf(strings.Fields(e.Object)))) // IMAGENAME eq x.exe
		}
	}
	switch e.Verb {
	case effect.Run:
		if strings.HasPrefix(e.Object, "./") || strings.HasPrefix(e.Object, "/") || strings.HasPrefix(e.Object, "~") {
			e.Object = d.Path(e.Object)
		}
		d.Add(e)
	case effect.Install:
		if command.IsAddress(e.From) {
			e.Object, e.Content = strings.Replace(e.Object, e.From, AddressName(e.From), 1), ByAddress
		}
		d.Add(e)
	case effect.Send: // with what the input and the words were made from
		if e.Wide && e.From != "" {
			e.From = d.Path(e.From)
			d.Add(e)
			return
		}
		d.SendsTo(e.Object, SentFile(e.From))
	case effect.Fetch: // whoever is asked may be told something by that
		d.Asks(e.Object, false)
	case effect.Listen:
		if e.From != "" {
			d.Serves(e.Object, e.From)
		} else {
			d.Add(e)
		}
	case effect.Read:
		d.Looks(e.Wide, e.Object)
	case effect.Write:
		d.written = append(d.written, e)
	case effect.Delete:
		if e.Remote {
			d.Add(e)
		} else {
			d.erase(e.Wide, e.Object)
		}
	case effect.Mode:
		d.Attributes(e.Content, e.Wide, []string{e.Object})
	case effect.Discard: // from where it lies
		if e.From == "." {
			e.From = d.At.Cwd
		} else if e.From != "" {
			e.From = d.Path(e.From)
		}
		d.Add(e)
	case effect.Link:
		if e.Object = d.Path(e.Object); e.From != "" {
			e.From = d.Path(e.From)
		}
		d.Add(e)
	default:
		d.Add(e)
	}
}

// File does to a file what the kind of its role says.
func (d *DescribedAct) File(kind command.Kind, path string) {
	path = strings.TrimPrefix(path, "file://")
	if d.Windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	switch kind {
	case command.Read, command.ReadTree:
		d.Looks(kind == command.ReadTree, path)
	case command.Write, command.WriteTree:
		d.written = append(d.written, effect.Effect{Verb: effect.Write, Object: path, Wide: kind == command.WriteTree})
	case command.Delete, command.DeleteTree:
		d.erase(kind == command.DeleteTree, path)
	case command.Format:
		d.formats(path)
	case command.Load:
		d.Runs(path)
	default:
	}
}

// Write notes the files that were written, and from what.
func (d *DescribedAct) Write() {
	for i := range d.written {
		e := &d.written[i]
		d.told = told{e.Kind, e.Several, e.Possible}
		if name, _, ok := strings.Cut(e.From, ":"); ok && (name == "" || strings.IndexByte("/.~", name[0]) < 0) { // it lies elsewhere
			if !IsNoFile(e.Object) {
				d.Add(effect.Effect{Verb: effect.Write, Object: d.Path(e.Object), From: e.From, Wide: e.Wide})
			}
			continue
		}
		from, taken := d.madeOf(), d.Taken()
		if e.From != "" {
			taken = nil
		}
		switch e.From {
		case "":
		case "-":
			from = d.CameFrom()
		default:
			if from = e.From; !command.IsAddress(from) {
				from = d.Path(d.Searched(from)[0])
			}
		}
		if from == d.Path(e.Object) { // changed in place
			from = ""
		}
		if e.Wide {
			d.Within(e.Object, from)
		} else {
			d.PutAll(e.Object, from, taken)
		}
	}
	d.told = told{}
}

// madeOf is what a file is made of that the command writes: the one file that it reads,
// of several the one that matters, or else its input.
func (a *Act) madeOf() string {
	if from := a.Packed(); from != "" {
		return from
	}
	from := ""
	for _, e := range a.R.Reading.Effects[min(a.First, len(a.R.Reading.Effects)):] {
		switch {
		case e.Verb != effect.Read || e.Command != a.Number || e.Object == from:
		case from != "":
			return ""
		default:
			from = e.Object
		}
	}
	if from == "" {
		from = a.CameFrom()
	}
	return from
}

// Run reads words that the program runs.
func (d *DescribedAct) Run(kind command.Kind, words []string) {
	switch kind {
	case command.Shell:
		for _, text := range words {
			if d.Windows {
				d.Act.Windows(windows.RunLine(text, d.At))
			} else {
				d.Passes(d.R.Shell.Inner(text, d.Origin(), d.In))
			}
		}
	case command.Spawn:
		for _, text := range words {
			d.Script(text)
		}
	case command.RemoteShell:
		for _, text := range words {
			d.Remotely(text)
		}
	case command.Argv:
		switch {
		case IsAssignment(words[0]): // variables for it come first
			words = append([]string{"env"}, words...)
		case strings.Contains(words[0], " "): // a name with blanks is a text
			d.Passes(d.R.Shell.Inner(strings.TrimSpace(words[0]+" "+Quoted(words[1:])), d.Origin(), d.In))
			return
		}
		d.Passes(d.R.Shell.Argv(words, d.Origin(), d.In))
	case command.RemoteArgv:
		if strings.Contains(words[0], " ") { // so is the first of several
			d.Remotely(strings.TrimSpace(words[0] + " " + Quoted(words[1:])))
		}
		d.Remotely(Quoted(words))
	case command.SQL, command.Postgres, command.MySQL:
		for _, text := range words {
			in := d.dialect(kind)
			d.SQLIn(text, in, d.Data().Schemas && sql.IsRolledBack(text) && !d.Data().IsLive())
			d.sqlFetched()
		}
	case command.SQLFile, command.PostgresFile, command.MySQLFile:
		for _, file := range words {
			if file != "-" {
				d.SQLFile(file, d.dialect(kind))
			}
			d.sqlFetched()
		}
	case command.PackageArgv:
		d.Passes(d.R.Shell.Argv(append([]string{packageProgram(words[0])}, words[1:]...), d.Origin(), d.In))
	case command.Script:
		for _, file := range words {
			d.Argv([]string{"sh", file})
		}
	default:
	}
}

// dialect is that of statements of a kind. In those of PostgreSQL the name before a dot
// is a part of the database.
func (d *DescribedAct) dialect(kind command.Kind) sql.Dialect {
	switch kind {
	case command.MySQL, command.MySQLFile:
		return MySQL
	case command.Postgres, command.PostgresFile:
		d.Data().Schemas = true
	default:
	}
	return StandardSQL
}

// mostNamed is how many of the files that an input names are looked at.
const mostNamed = 64

// Input does to the input what its kind says.
func (d *DescribedAct) Input(kind command.Kind) {
	switch kind {
	case command.SQL, command.Postgres, command.MySQL:
		d.SQLInput(d.dialect(kind))
	case command.Shell:
		d.R.Shell.RunInput(d.Act)
	case command.Read, command.ReadTree: // of what it names
		names := d.In.Roots
		if len(names) == 0 && d.In.Known {
			names = strings.FieldsFunc(d.In.Text, func(c rune) bool { return c == '\n' || c == 0 })
		}
		d.Looks(kind == command.ReadTree, names[:min(len(names), mostNamed)]...)
	default:
	}
}

// Hook calls the code that a description names.
func (d *DescribedAct) Hook(name string, in *command.Reading) { d.R.Hooks[name](d.Act, in) }

// Context asks the code that a condition names.
func (d *DescribedAct) Context(name string, in *command.Reading) bool {
	return d.R.Contexts[name](d.Act, in)
}

// Is answers a question about a value; see [command.Knowledge].
func (d *DescribedAct) Is(what, value string) bool {
	switch what {
	case "foreign":
		return isForeign(value)
	case "program":
		return d.R.Shell.IsProgram(value)
	case "elsewhere":
		return MayBeElsewhere(value)
	}
	return value != "" && !Unknown(value) && IsInside(HostOf(value))
}

// Noted adds an effect of something that Values gave.
func (d *DescribedAct) Noted(e effect.Effect) {
	if e.Verb == effect.Send {
		e.Object = KnownHost(Reachable(e.Object))
	}
	d.Add(e)
}

// Values are those of a role that only the host knows.
func (d *DescribedAct) Values(role string) []string {
	switch role {
	case "@sources":
		return d.Sources()
	case "@contents":
		return slices.DeleteFunc(slices.Clone(d.Sources()), func(s string) bool { return strings.HasPrefix(s, "$") })
	case "@input":
		if d.In.By == "yes" {
			return []string{"y"}
		}
		if d.In.Known && d.In.Text != "" {
			return []string{d.In.Text}
		}
		return nil
	case "@remote":
		if d.In.Remote != "" {
			return []string{d.In.Remote}
		}
		return nil
	case "@variables":
		return slices.Sorted(maps.Keys(d.Env))
	default:
		return d.settingsRegistries()
	}
}

// Document is the text of a value, or what is in the file that it names: file://name,
// @name, a name, or - for the input.
func (d *DescribedAct) Document(value string) (text string, known bool) {
	file, named := value, false
	for _, sign := range [...]string{"file://", "fileb://", "@"} {
		if rest, ok := strings.CutPrefix(value, sign); ok {
			file, named = rest, true
			break
		}
	}
	switch {
	case file == "-" || file == "/dev/stdin":
		text, known = d.In.Text, d.In.Known
	case named || !strings.ContainsAny(value, "{[\n"):
		text, known = d.Act.File(file)
	default:
		text, known = value, true
	}
	if named && !known {
		d.Doubt(Unseen)
	}
	return text, known && d.R.Pay(len(text))
}

// Spare keeps the words that a description says nothing about: nobody else may read them.
func (d *DescribedAct) Spare(words []string) { d.Act.Spare = words }

// Unknown notes what is not described: with a subcommand that is not, a program is as good as unknown.
func (d *DescribedAct) Unknown(what string) {
	d.Doubt(what)
	if what == command.UnknownSubcommand {
		d.R.Shell.Stranger(d.Act)
	}
}
