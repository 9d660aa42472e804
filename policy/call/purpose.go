package call

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/sql"
)

// maxWords is how many words of a tool's name are considered.
const maxWords = 12

// wordsOf are the words of a name in lower case: create_issue, create-issue and
// createIssue have two.
func wordsOf(name string) []string {
	words := make([]string, 0, 4)
	start := 0
	cut := func(end int) {
		if end > start && len(words) < maxWords {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == ' ' || c == '.' || c == ':' || c == '/':
			cut(i)
			start = i + 1
		case 'A' <= c && c <= 'Z' && i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z', c >= utf8.RuneSelf && i > start && name[i-1] < utf8.RuneSelf:
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

// purpose says what else a tool is for: queries of a database, messages to
// others, what others wrote. Tools that are not known are judged by the words of
// their names.
func (c *Call) purpose(t *tool, ok bool, m members, text string) {
	for i := range m {
		if m[i].field == fieldSQL && t.kind != KindShell {
			c.addSQL(&m[i])
			if m[i].raw != nil {
				c.statements(string(m[i].raw))
			}
		}
	}
	if t.kind == KindFetch {
		c.Untrusted = true
		c.requests(t, m)
		return
	}
	if ok && c.Server == "" {
		return
	}
	words, server := c.words, c.serverWords
	if ok && says(server, "drives") {
		c.acts(m, text)
	} else if ok {
		c.asProgram(m, text)
		if says(server, "databases") {
			c.asSQL(m, true)
			c.statements(text)
		}
		if says(server, "mongo") {
			c.mongo(words, text)
		}
	}
	if c.atForge() { // those of files are known by the names of usual tools
		c.Untrusted = true
		c.Sends = c.Sends || t.touch&writes != 0 && m.has(fieldPath)
	}
	if ok {
		return
	}
	database := says(words, "databases") || says(server, "databases") && says(words, "queries")
	if database || says(words, "querying") && !says(words, "asking") {
		c.asSQL(m, database)
	}
	if (database || says(server, "databases")) && !says(words, "asking") {
		c.statements(text)
	}
	if says(words, "mongo") || says(server, "mongo") {
		c.mongo(words, text)
	}
	c.acts(m, text)
	if m.has(fieldMethod) && m.has(fieldURL) {
		c.requests(t, m)
	}
	outside := c.Server != "" || c.Kind == KindMCP
	if outside || says(words, "foreign") {
		c.Untrusted = true
	}
	if says(words, "sending") || says(words, "making") && says(words, "public") && (outside || says(words, "foreign")) {
		c.Sends = true
		c.gives(m)
	}
}

// asSQL treats what a tool is asked, and its commands if they are SQL too, as
// texts for a database.
func (c *Call) asSQL(m members, commands bool) {
	for i := range m {
		if m[i].field == fieldPrompt || commands && (m[i].field == fieldCommand || m[i].field == fieldCommands) {
			c.addSQL(&m[i])
		}
	}
}

// requests notes what a tool that fetches sends, and what it asks another machine
// to do.
func (c *Call) requests(t *tool, m members) {
	if !sendsBody(t, m) {
		return
	}
	c.Sends = true
	c.gives(m)
	method, _ := m.text(fieldMethod)
	url, _ := m.text(fieldURL)
	if strings.EqualFold(method, "DELETE") && url != "" {
		c.as("curl", "-X", "DELETE", "--", url)
	}
}

// gives notes the files that a tool gives to others. Beside contents, a path says
// where they go.
func (c *Call) gives(m members) {
	for i := range m {
		v := &m[i]
		switch v.field {
		case fieldAttachment:
		case fieldPath, fieldSource:
			if m.has(fieldContent) {
				continue
			}
		default:
			continue
		}
		for _, p := range v.texts() {
			if len(c.Effects) >= invocation.MaxEffects {
				c.doubt(invocation.Many, everything)
				return
			}
			from, _ := c.at.Resolve(p)
			c.affect(&effect.Effect{Verb: effect.Send, Object: c.recipient(), From: from, How: c.Name, Command: -1})
		}
	}
}

// recipient names whom a tool gives something to: its server, or the tool as it is called
// where it is not known which server that is.
func (c *Call) recipient() string {
	switch {
	case c.Server == "":
		return c.Name
	case c.ServerUnknown:
		return c.RawName
	default:
		return c.Server
	}
}

// sendsBody reports whether a request carries something.
func sendsBody(t *tool, m members) bool {
	if m.has(fieldBody) || m.has(fieldAttachment) {
		return true
	}
	if method, ok := m.text(fieldMethod); ok {
		return !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD")
	}
	return strings.Contains(strings.ToLower(t.name), "post")
}

// maxSQL is how many texts for a database are kept.
const maxSQL = 200

func (c *Call) addSQL(v *value) {
	for _, text := range v.texts() {
		if len(c.SQL) >= maxSQL {
			c.doubt(Shape, Incomplete{Commands: true})
			return
		}
		c.SQL = append(c.SQL, text)
	}
}

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
