package shell

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// SQLEffects says what a text of SQL would destroy, read, write or grant, for tools
// that hand it to a database. It is read in every dialect: what one takes for a
// comment or a string another may run. Paths are those of the database's machine,
// and the commands that it would run there count too.
func SQLEffects(text string) []effect.Effect {
	var list []effect.Effect
	for _, in := range sql.Dialects() {
		where := sql.Store{}
		add := func(e effect.Effect) {
			e.Command, e.Remote = -1, true
			e.Scratch = e.Verb == effect.Drop && where.IsScratch(e.Object)
			if e.How == "" {
				e.How = "sql"
			}
			if len(list) < MaxEffects && !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
		r := sql.Read(text, in)
		r.Each(&where, add)
		for _, code := range r.Code {
			for _, e := range Read(sqlScript(code), Setting{}).Effects {
				if code.Fed && (e.Verb == effect.Send || e.Verb == effect.Connect) && e.From == "" {
					e.Verb, e.From = effect.Send, database
				}
				add(e)
			}
		}
	}
	return list
}

// sqlPrograms run the code that statements hold in languages other than a shell's.
var sqlPrograms = map[string][]string{"python": {"python3", "-c"}, "perl": {"perl", "-e"}, "ruby": {"ruby", "-e"}, "tcl": {"tclsh", "-c"}}

// sqlScript is code in statements as a text for a shell.
func sqlScript(code sql.Code) string {
	if program := sqlPrograms[code.Language]; program != nil {
		return quoted([]string{program[0], program[1], code.Text})
	}
	return code.Text
}

// sql adds what a text of SQL does.
func (a *act) sql(text string, in sql.Dialect) { a.sqlIn(text, in, false) }

// sqlIn is sql for a database that may be scratch: nobody keeps it, so that nothing
// is lost in it.
func (a *act) sqlIn(text string, in sql.Dialect, scratch bool) {
	r := sql.Read(text, in)
	r.Each(a.data(), func(e effect.Effect) {
		if e.Verb != effect.Drop || !scratch {
			a.addStored(e)
		}
	})
	a.sqlCode(r)
	for _, file := range r.Files {
		if _, known := a.file(file); known && a.r.pay(stepCost+len(file)) && a.r.depth < MaxDepth {
			a.r.depth++
			a.sqlFile(file, in)
			a.r.depth--
		} else {
			a.does(effect.Run, a.path(file))
		}
	}
}

// addStored adds an effect of a statement, whose paths are as written.
func (a *act) addStored(e effect.Effect) {
	switch e.Verb {
	case effect.Read, effect.Write, effect.Run:
		if isNoFile(e.Object) {
			return
		}
		e.Object = a.path(e.Object)
	default:
	}
	a.add(e)
}

// sqlCode reads the programs in statements.
func (a *act) sqlCode(r *sql.Reading) {
	for _, code := range r.Code {
		if code.Fed {
			given := *a
			given.in = flow{piped: true, sources: []string{database}}
			given.script(sqlScript(code))
		} else {
			a.script(sqlScript(code))
		}
	}
}
