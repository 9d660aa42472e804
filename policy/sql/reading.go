package sql

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
)

// Reading is what a text would do.
type Reading struct {
	// Effects have a verb and an object, and Wide where more than one named thing
	// is affected. Paths are as written.
	Effects []effect.Effect
	// Code is what the text hands to a shell or to another language.
	Code []Code
	// Files hold further statements that are run too.
	Files []string

	in Dialect
	// temporary holds the tables that end with the session.
	temporary map[string]bool
	// moves are the databases that the text switches to.
	moves []move
	depth int
}

// Code is a program inside of a text of statements: the command of \!, the body of
// a function in Python.
type Code struct {
	// Language is "shell", "python", "perl", "ruby" or "tcl".
	Language string
	Text     string
	// Fed says that the program's input is what the database holds, as in
	// COPY ... TO PROGRAM.
	Fed bool
}

// move is a switch to another database, after some of the effects.
type move struct {
	after int
	to    string
}

const (
	// maxEffects is how many effects a reading has.
	maxEffects = 256
	// maxDepth is how deep texts nest in each other: DO, EXECUTE.
	maxDepth = 4
	// maxInner is how many statements one statement may contain.
	maxInner = 32
)

// unreadable is the object of a text beyond the bounds.
const unreadable = "more than can be read"

// Read says what a text would do in a dialect.
func Read(text string, in Dialect) *Reading {
	r := &Reading{in: in, temporary: map[string]bool{}}
	r.text(text)
	return r
}

// Each calls f for every effect in order, while s follows the text from database to
// database: within f, s says where that effect happens.
func (r *Reading) Each(s *Store, f func(effect.Effect)) {
	moves := r.moves
	for i, e := range r.Effects {
		for ; len(moves) > 0 && moves[0].after <= i; moves = moves[1:] {
			s.Switch(moves[0].to)
		}
		f(e)
	}
	for _, m := range moves {
		s.Switch(m.to)
	}
}

// text reads the statements of a text, which may stand in a string of another one.
func (r *Reading) text(text string) {
	if r.depth >= maxDepth {
		return
	}
	r.depth++
	statements, all := splitStatements(r.clientLines(text), r.in)
	for _, statement := range statements {
		r.statement(statement)
	}
	if runsStrings(text, statements) {
		for _, statement := range statements {
			for _, text := range stringsIn(statement) {
				r.text(text)
			}
		}
	}
	if !all {
		r.drop(unreadable, true)
	}
	r.depth--
}

// moved records that what follows happens in another database.
func (r *Reading) moved(to string) {
	if len(r.moves) < maxEffects {
		r.moves = append(r.moves, move{len(r.Effects), to})
	}
}

func (r *Reading) add(e effect.Effect) {
	if len(r.Effects) < maxEffects && (len(r.moves) > 0 || !slices.Contains(r.Effects, e)) {
		r.Effects = append(r.Effects, e)
	}
}

func (r *Reading) does(verb effect.Verb, object string) {
	r.add(effect.Effect{Verb: verb, Object: object})
}

func (r *Reading) drop(what string, wide bool) {
	r.add(effect.Effect{Verb: effect.Drop, Object: what, Wide: wide})
}

func (r *Reading) shell(command string) {
	r.Code = append(r.Code, Code{Language: "shell", Text: command})
}
