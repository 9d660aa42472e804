package shell

import (
	"slices"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
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
			if len(list) < invocation.MaxEffects && !slices.Contains(list, e) {
				list = append(list, e)
			}
		}
		r := sql.Read(text, in)
		r.Each(&where, add)
		for _, code := range r.Code {
			for _, e := range Read(invocation.SQLScript(code), invocation.Setting{}).Effects {
				if code.Fed && (e.Verb == effect.Send || e.Verb == effect.Connect) && e.From == "" {
					e.Verb, e.From = effect.Send, invocation.Database
				}
				add(e)
			}
		}
	}
	return list
}
