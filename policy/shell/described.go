package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/windows"
	"github.com/sluice-project/sluice/policy/sql"
)

// described is what a program of the catalogue does.
func described(name string) verb {
	return func(a *act) { a.resolve(command.Builtin().Program(name)) }
}

// resolve reads the command with the description of its program.
func (a *act) resolve(p *command.Program) {
	d := describedAct{act: a, windows: p.IsForWindows()}
	args := a.Args
	if d.windows {
		args = a.windowsArgs()
	}
	p.Resolve(a.invocation(args), &d)
	d.write()
}

// describedPrints reports whether the command prints what it reads and the words it is given, as
// far as the catalogue says so.
func (a *act) describedPrints() (contents, words bool) {
	if !a.facts().described {
		return false, false
	}
	return command.Builtin().Program(a.Name).Prints(a.invocation(a.Args), &describedAct{act: a})
}

// invocation is the command with some arguments, for those who read descriptions.
func (a *act) invocation(args []string) *command.Invocation {
	own := len(args) == len(a.Args) && (len(args) == 0 || &args[0] == &a.Args[0])
	if own && a.invokedOf == a.Command {
		return &a.invoked
	}
	in := &a.invoked // which most commands need no other than
	if a.invokedOf = a.Command; !own {
		in, a.invokedOf = new(command.Invocation), nil
	}
	*in = command.Invocation{Name: a.Name, Args: args, More: a.More, In: a}
	return in
}

// reading is a command line by the description of a program, nil if it does not say
// what the command line is.
func (a *act) reading(program string, args []string) *command.Reading {
	return command.Builtin().Program(program).Read(a.invocation(args))
}

// IsListed reports whether the shell makes any number of words of an argument: a
// wildcard, or what another command prints.
func (a *act) IsListed(i int) bool {
	if i >= len(a.args) {
		return false
	}
	given := &a.args[i]
	return !given.quoted && strings.ContainsAny(given.as, "*?[`") || !given.quoted && strings.Contains(given.as, "$(")
}

// describedAct passes on what the description of a program says that it does.
type describedAct struct {
	*act

	// windows: it is a program of Windows, where a backslash is between the names of a
	// path, and programs are called by their files.
	windows bool

	// written are the files that it writes: what it reads, and so what is in them, is
	// known when all was read.
	written []effect.Effect
}

var _ command.Host = &describedAct{}

func (d *describedAct) Effect(e effect.Effect) {
	if e.Verb.OfFile() {
		e.Object = strings.TrimPrefix(e.Object, "file://")
	}
	if d.windows {
		e.Object = strings.ReplaceAll(e.Object, `\`, "/")
		if e.Verb == effect.Kill {
			e.Object = strings.ToLower(baseName(lastOf(strings.Fields(e.Object)))) // IMAGENAME eq x.exe
		}
	}
	switch e.Verb {
	case effect.Run:
		if strings.HasPrefix(e.Object, "./") {
			e.Object = d.path(e.Object)
		}
		d.add(e)
	case effect.Install:
		if command.IsAddress(e.From) {
			e.Object, e.Content = strings.Replace(e.Object, e.From, addressName(e.From), 1), byAddress
		}
		d.add(e)
	case effect.Send: // with what the input and the words were made from
		d.sendsTo(e.Object, sentFile(e.From))
	case effect.Fetch: // whoever is asked may be told something by that
		d.asks(e.Object, false)
	case effect.Listen:
		if e.From != "" {
			d.serves(e.Object, e.From)
		} else {
			d.add(e)
		}
	case effect.Read:
		d.looks(e.Wide, e.Object)
	case effect.Write:
		d.written = append(d.written, e)
	case effect.Delete:
		d.erase(e.Wide, e.Object)
	case effect.Mode:
		d.attributes(e.Content, e.Wide, []string{e.Object})
	case effect.Discard: // from where it lies
		if e.From == "." {
			e.From = d.at.Cwd
		} else if e.From != "" {
			e.From = d.path(e.From)
		}
		d.add(e)
	case effect.Link:
		if e.Object = d.path(e.Object); e.From != "" {
			e.From = d.path(e.From)
		}
		d.add(e)
	default:
		d.add(e)
	}
}

func (d *describedAct) File(kind command.Kind, path string) {
	path = strings.TrimPrefix(path, "file://")
	if d.windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	switch kind {
	case command.Read, command.ReadTree:
		d.looks(kind == command.ReadTree, path)
	case command.Write, command.WriteTree:
		d.written = append(d.written, effect.Effect{Verb: effect.Write, Object: path, Wide: kind == command.WriteTree})
	case command.Delete, command.DeleteTree:
		d.erase(kind == command.DeleteTree, path)
	case command.Format:
		d.formats(path)
	case command.Load:
		d.runs(path)
	default:
	}
}

// write notes the files that were written, and from what.
func (d *describedAct) write() {
	for i := range d.written {
		e := &d.written[i]
		from := d.madeOf()
		switch e.From {
		case "":
		case "-":
			from = d.cameFrom()
		default:
			from = d.path(d.searched(e.From)[0])
		}
		if from == d.path(e.Object) { // changed in place
			from = ""
		}
		if e.Wide {
			d.within(e.Object, from)
		} else {
			d.put(e.Object, from)
		}
	}
}

// madeOf is what a file is made of that the command writes: the one file that it reads,
// of several the one that matters, or else its input.
func (a *act) madeOf() string {
	if from := a.packed(); from != "" {
		return from
	}
	from := ""
	for _, e := range a.r.reading.Effects[min(a.first, len(a.r.reading.Effects)):] {
		switch {
		case e.Verb != effect.Read || e.Command != a.number || e.Object == from:
		case from != "":
			return ""
		default:
			from = e.Object
		}
	}
	if from == "" {
		from = a.cameFrom()
	}
	return from
}

func (d *describedAct) Run(kind command.Kind, words []string) {
	switch kind {
	case command.Shell:
		for _, text := range words {
			if d.windows {
				d.act.windows(windows.RunLine(text, d.at))
			} else {
				d.passes(d.r.inner(text, d.origin(), d.in))
			}
		}
	case command.RemoteShell:
		for _, text := range words {
			d.remotely(text)
		}
	case command.Argv:
		switch {
		case isAssignment(words[0]): // variables for it come first
			words = append([]string{"env"}, words...)
		case strings.Contains(words[0], " "): // a name with blanks is a text
			d.passes(d.r.inner(strings.TrimSpace(words[0]+" "+quoted(words[1:])), d.origin(), d.in))
			return
		}
		d.passes(d.r.argv(words, d.origin(), d.in))
	case command.RemoteArgv:
		if strings.Contains(words[0], " ") { // so is the first of several
			d.remotely(strings.TrimSpace(words[0] + " " + quoted(words[1:])))
		}
		d.remotely(quoted(words))
	case command.SQL, command.Postgres, command.MySQL:
		for _, text := range words {
			in := d.dialect(kind)
			d.sqlIn(text, in, d.data().Schemas && sql.IsRolledBack(text) && !d.data().IsLive())
			d.sqlFetched()
		}
	case command.SQLFile, command.PostgresFile, command.MySQLFile:
		for _, file := range words {
			if file != "-" {
				d.sqlFile(file, d.dialect(kind))
			}
			d.sqlFetched()
		}
	case command.Script:
		for _, file := range words {
			d.argv([]string{"sh", file})
		}
	default:
	}
}

// dialect is that of statements of a kind. In those of PostgreSQL the name before a dot
// is a part of the database.
func (d *describedAct) dialect(kind command.Kind) sql.Dialect {
	switch kind {
	case command.MySQL, command.MySQLFile:
		return mySQL
	case command.Postgres, command.PostgresFile:
		d.data().Schemas = true
	default:
	}
	return standardSQL
}

// Where: a client that is given the dump of a database on its input sends it there.
func (d *describedAct) Where(kind command.Kind, name string, certain bool) {
	host := hostOf(name)
	if !certain { // it may as well be another
		d.data().In("$")
	}
	if kind == command.Server {
		d.data().On(name)
	} else {
		d.data().In(name)
		_, said, ok := strings.Cut(name, "host=")
		if host, _, _ = strings.Cut(said, " "); !ok && strings.Contains(name, "://") {
			host = hostOf(name)
		}
	}
	if slices.Contains(d.in.sources, database) && isOutside(host) {
		d.add(effect.Effect{Verb: effect.Send, Object: host, From: database})
	}
}

func (d *describedAct) Input(kind command.Kind) {
	switch kind {
	case command.SQL, command.Postgres, command.MySQL:
		d.sqlInput(d.dialect(kind))
	case command.Shell:
		d.r.runInput(d.act)
	default:
	}
}

func (d *describedAct) Hook(name string, in *command.Reading) { hooks[name](d.act, in) }

func (d *describedAct) Context(name string, in *command.Reading) bool {
	return contexts[name](d.act, in)
}

// Unknown: with a subcommand that is not described a program is as good as unknown.
func (d *describedAct) Unknown(what string) {
	d.doubt(what)
	if what == command.UnknownSubcommand {
		d.r.stranger(d.act)
	}
}
