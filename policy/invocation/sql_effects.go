package invocation

import (
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// sqlPrograms run the code that statements hold in languages other than a shell's.
var sqlPrograms = map[string][]string{"python": {"python3", "-c"}, "perl": {"perl", "-e"}, "ruby": {"ruby", "-e"}, "tcl": {"tclsh", "-c"}}

// SQLScript is code in statements as a text for a shell.
func SQLScript(code sql.Code) string {
	if program := sqlPrograms[code.Language]; program != nil {
		return Quoted([]string{program[0], program[1], code.Text})
	}
	return code.Text
}

// SQL adds what a text of SQL does.
func (a *Act) SQL(text string, in sql.Dialect) { a.SQLIn(text, in, false) }

// SQLIn is sql for a database that may be scratch: nobody keeps it, so that nothing
// is lost in it.
func (a *Act) SQLIn(text string, in sql.Dialect, scratch bool) {
	r := sql.Read(text, in)
	r.Each(a.Data(), func(e effect.Effect) {
		if e.Verb != effect.Drop || !scratch {
			a.AddStored(e)
		}
	})
	a.SQLCode(r)
	for _, file := range r.Files {
		if _, known := a.File(file); known && a.R.Pay(StepCost+len(file)) && a.R.Depth < MaxDepth {
			a.R.Depth++
			a.SQLFile(file, in)
			a.R.Depth--
		} else {
			a.Does(effect.Run, a.Path(file))
		}
	}
}

// AddStored adds an effect of a statement, whose paths are as written.
func (a *Act) AddStored(e effect.Effect) {
	switch e.Verb {
	case effect.Read, effect.Write, effect.Run:
		if IsNoFile(e.Object) {
			return
		}
		e.Object = a.Path(e.Object)
	default:
	}
	a.Add(e)
}

// SQLCode reads the programs in statements.
func (a *Act) SQLCode(r *sql.Reading) {
	for _, code := range r.Code {
		if code.Fed {
			given := *a
			given.In = Flow{Piped: true, Sources: []string{Database}}
			given.Script(SQLScript(code))
		} else {
			a.Script(SQLScript(code))
		}
	}
}
