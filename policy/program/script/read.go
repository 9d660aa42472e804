package script

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
	"github.com/sluice-project/sluice/policy/program/values"
)

// Read returns what a program does, in the order of its text. It is safe for
// any text, and for use by several goroutines.
func Read(language library.Language, program string) []library.Use {
	return ReadWith(language, program, Given{})
}

// ReadWith is Read for a program of which it is known what it is given.
func ReadWith(language library.Language, program string, given Given) []library.Use {
	if language < library.Python || language > library.R {
		return []library.Use{{What: library.Unread, Text: "language"}}
	}
	r := &reader{language: language, table: library.Of(language), given: given, operations: operations, clouds: library.Clouds().Named(program), names: map[string]value{}, functions: map[string]*function{}}
	size := min(len(program), MaxText)
	r.Refused = r.refuse
	r.Bytes, r.Work = 2*size+256<<10, 16*size+2<<20
	r.withArgs(given.Args)
	if strings.Contains(program, values.Mark) {
		program = strings.ReplaceAll(program, values.Mark, " ")
	}
	r.program(program)
	r.shape()
	return r.uses
}

// reader follows one program.
type reader struct {
	values.Maker

	language library.Language
	table    *library.Table
	// operations are what descriptions are made of: a reader has them, because they
	// read programs in turn.
	operations map[string]operation
	// tokens are those that are being read: of the program or of a text in it.
	tokens []lexer.Token
	i      int
	// limit is where the tokens end that are being read.
	limit int
	names map[string]value
	// stars are the modules whose names are used without them.
	stars     []string
	functions map[string]*function
	// narrow are the names that conditions around the statement are about.
	narrow       []narrowed
	result       value
	uses         []library.Use
	unread       []string
	depth, evals int
	// blocks is how deep braces nest around the statement.
	blocks int
	column int32
	loops  bool
	// connected is the address of a connection, for the shape of a shell that
	// is given away; handed: standard input and output were given to it.
	connected string
	sockets   bool
	handed    bool
	forks     bool
	// curl is what was set for the next request of PHP's curl.
	curl value
	// given is what is known of where the program runs.
	given Given
	// clouds: it names a library by which programs talk to a cloud.
	clouds bool
	// dir is where the program went, empty for where it began.
	dir string
}

// program reads a program within the current one.
func (r *reader) program(source string) {
	if len(source) > MaxText {
		r.refuse("text")
		source = source[:MaxText]
	}
	read, more := lexer.Tokenize(r.language, source)
	if more {
		r.refuse("tokens")
	}
	tokens, i, limit, blocks, column := r.tokens, r.i, r.limit, r.blocks, r.column
	r.tokens, r.i, r.limit = read, 0, len(read)-1
	r.Steps += 6*len(read) + 2000
	r.blocks, r.column = 0, 0
	r.statements()
	if r.evals == 0 {
		r.uncalled()
	}
	r.tokens, r.i, r.limit, r.blocks, r.column = tokens, i, limit, blocks, column
}

// uncalled reads the functions that nothing calls, as somebody may.
func (r *reader) uncalled() {
	for _, name := range slices.Sorted(maps.Keys(r.functions)) {
		if f := r.functions[name]; !f.called {
			r.invoke(f, nil)
		}
	}
}

// use notes a use and returns its number plus one, 0 if there are too many.
func (r *reader) use(u library.Use) int {
	if len(r.uses) >= MaxUses {
		r.refuse("uses")
		return 0
	}
	if r.dir != "" {
		switch u.What {
		case library.Shell, library.Argv, library.Listen:
			u.Dir = r.dir
		case library.ReadFile, library.WriteFile, library.DeleteFile, library.Mode, library.RunFile:
			u.Text = r.inDir(u.Text)
		default: // is nowhere
		}
	}
	r.uses = append(r.uses, u)
	return len(r.uses)
}

// refuse notes a limit that was reached.
func (r *reader) refuse(limit string) {
	if !slices.Contains(r.unread, limit) {
		r.unread = append(r.unread, limit)
		r.uses = append(r.uses, library.Use{What: library.Unread, Text: limit})
	}
	if limit == "steps" {
		r.i = r.limit
	}
}

// inDir is a path from where the program is.
func (r *reader) inDir(p string) string {
	if r.dir == "" || p != "" && strings.IndexByte("/~$", p[0]) >= 0 || len(p) > 1 && p[1] == ':' {
		return p
	}
	if len(r.dir) > 1024 {
		return "$dir/" + p
	}
	return strings.TrimSuffix(r.dir, "/") + "/" + p
}

// peek is the token n places on, within the limit.
func (r *reader) peek(n int) *lexer.Token {
	if r.i+n < r.limit {
		return &r.tokens[r.i+n]
	}
	return &lexer.EndToken
}

// bind gives a name a value. In a block it may also keep the one it had.
func (r *reader) bind(name string, v value) {
	if old, ok := r.names[name]; ok && r.maybe() {
		v = values.Join(old, v)
	}
	r.names[name] = v
}

// maybe reports whether the current statement may not happen.
func (r *reader) maybe() bool {
	switch r.language {
	case library.Python:
		return r.column > 0
	case library.PHP, library.Perl:
		return r.blocks > 0
	default:
		return true
	}
}

// shape notes what only the whole program shows.
func (r *reader) shape() {
	var files []string
	for i := range r.uses {
		u := &r.uses[i]
		r.handed = r.handed || (u.What == library.Shell || u.What == library.Argv) && givesShell(u)
		if u.What == library.ReadFile && u.Known {
			files = values.Merge(files, []string{u.Text})
		}
	}
	if r.sockets && r.handed {
		r.use(about(library.ReverseShell, r.connected))
	}
	if r.forks && r.loops {
		r.use(library.Use{What: library.Exhaust, Text: "fork", Known: true})
	}
	for i := range r.uses {
		u := &r.uses[i]
		if u.What == library.Send && len(u.From) == 0 && u.Content == values.Mark {
			u.From = files
		}
		if u.Content == values.Mark {
			u.Content = ""
		}
	}
}

// Given is what a program finds when it starts.
type Given struct {
	// Args are its arguments. The first one is its name.
	Args []string
	// Env returns the value of a variable of the environment, if it is known.
	Env func(name string) (value string, known bool)
	// Load reads a module of the program's own and returns its text, if that is known.
	Load func(module string) string
	// Prints: what the program prints is a use.
	Prints bool
}

// withArgs binds the names by which a program finds its arguments.
func (r *reader) withArgs(args []string) {
	const most = 64 // arguments are looked at
	if len(args) < 2 {
		return
	}
	args = args[:min(len(args), most)]
	for _, name := range r.table.Way("argv") {
		r.names[name] = values.Texts(args)
	}
	for _, name := range r.table.Way("args") {
		r.names[name] = values.Texts(args[1:])
	}
}

// Limits of what is read.
const (
	// MaxText is how many bytes of a program are read.
	MaxText = 256 << 10
	// MaxTokens is how many tokens of it are read.
	MaxTokens = lexer.MaxTokens
	// MaxDepth is how deep expressions may nest.
	MaxDepth = 64
	// MaxEval is how deep programs may nest that programs evaluate.
	MaxEval = 4
	// MaxUses is how many uses are returned.
	MaxUses = 1000
)
