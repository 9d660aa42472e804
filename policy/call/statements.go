package call

import (
	"slices"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// statements treats every text in the arguments of a database tool that begins
// like SQL as SQL, at any depth and under any name.
func (c *Call) statements(text string) {
	enters := func(key []byte, kind jsonscan.Kind) bool {
		return !isKind(key, "aside") && (kind != jsonscan.Array || !isKind(key, "bound"))
	}
	eachText(text, enters, func(raw []byte) {
		if text := string(raw); sql.IsStatement(text) && len(c.SQL) < maxSQL && !slices.Contains(c.SQL, text) {
			c.SQL = append(c.SQL, text)
		}
	})
}

// mongo notes what a tool for MongoDB deletes by a pipeline, a command or an
// update of everything.
func (c *Call) mongo(words []string, text string) {
	list := sql.MongoCommand(text)
	if slices.Contains(words, "update") && slices.Contains(words, "many") && argumentsOf(text).emptyFilter() {
		list = append(list, effect.Effect{Verb: effect.Drop, Object: "rows", Wide: true})
	}
	for _, e := range list {
		e.Command, e.How = -1, c.Name
		c.affect(&e)
	}
}
