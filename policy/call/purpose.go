package call

import (
	"strings"
	"unicode/utf8"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// maxWords is how many words of a tool's name are considered.
const maxWords = 12

// wordsOf are the words of a name in lower case: create_issue, create-issue and
// createIssue have two.
func wordsOf(words []string, name string) []string {
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

// sendingWords are verbs of tools that send something to others.
var sendingWords = set("send sends post reply publish upload share tweet forward email notify submit push broadcast dm invite comment respond")

// makingWords are verbs of tools that do so if they create one of publicThings.
var makingWords = set("create add update edit write append open make merge fork set insert save")

var publicThings = set("issue issues comment comments pull pr prs gist page pages release message messages event ticket review discussion wiki draft webhook repository repo post thread reaction file files block blocks email mail doc document sheet row rows record branch task card")

// foreignWords occur in the names of tools that return what others wrote.
var foreignWords = set("web fetch browse browser url urls http page pages crawl scrape mail email emails gmail inbox outlook imap slack discord teams telegram message messages channel issue issues pull pr comment comments notion jira confluence ticket tickets linear rss feed tweet tweets twitter reddit youtube transcript wiki search")

// databases are words in the names of database tools and their servers.
var databases = set("sql postgres postgresql psql pg mysql mariadb sqlite sqlite3 sqlcmd cqlsh mssql sqlserver oracle snowflake bigquery redshift clickhouse duckdb supabase neon cockroach cockroachdb database db dbhub planetscale turso libsql trino presto athena databricks neo4j cypher")

// queries are words in the names of tools that run SQL for such a server.
var queries = set("query execute exec run sql statement read write select insert update delete ddl migration")

// querying are words in the names of tools that run SQL for whatever server.
var querying = set("query queries sql statement")

// asking are words in the names of tools that are asked in prose.
var asking = set("search find web docs doc documentation ask agent workflow graphql log logs metrics prometheus test tests")

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

func anyOf(words []string, in map[string]bool) bool {
	for _, w := range words {
		if in[w] {
			return true
		}
	}
	return false
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
	var room, more [maxWords]string
	words := wordsOf(room[:0], c.doing)
	server := wordsOf(more[:0], c.Server)
	if ok && anyOf(server, drives) {
		c.administers(m, text)
	} else if ok {
		c.asProgram(words, server, m, text)
		if anyOf(server, databases) {
			c.asSQL(m, true)
			c.statements(text)
		}
		if isMongo(server) {
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
	database := anyOf(words, databases) || anyOf(server, databases) && anyOf(words, queries)
	if database || anyOf(words, querying) && !anyOf(words, asking) {
		c.asSQL(m, database)
	}
	if (database || anyOf(server, databases)) && !anyOf(words, asking) {
		c.statements(text)
	}
	if isMongo(words) || isMongo(server) {
		c.mongo(words, text)
	}
	c.administers(m, text)
	if m.has(fieldMethod) && m.has(fieldURL) {
		c.requests(t, m)
	}
	outside := c.Server != "" || c.Kind == KindMCP
	if outside || anyOf(words, foreignWords) {
		c.Untrusted = true
	}
	if anyOf(words, sendingWords) || anyOf(words, makingWords) && anyOf(words, publicThings) && (outside || anyOf(words, foreignWords)) {
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

// giving reports whether a tool gives files to others.
func giving(name string) bool {
	var room [maxWords]string
	return anyOf(wordsOf(room[:0], name), sendingWords)
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
	texts := v.list
	if v.kind == jsonscan.String {
		texts = []string{v.text}
	}
	for _, text := range texts {
		if len(c.SQL) >= maxSQL {
			c.doubt(Shape, Incomplete{Commands: true})
			return
		}
		c.SQL = append(c.SQL, text)
	}
}
