package sql

import (
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/policy/effect"
)

// mongoCalls are the calls of MongoDB's shell that delete, without blanks.
var mongoCalls = []struct{ call, what string }{
	{".dropDatabase(", "database "},
	{".drop(", "collection "},
	{".dropCollection(", "collection "},
	{".deleteMany({})", "rows of "},
	{".deleteMany()", "rows of "},
	{".remove({})", "rows of "},
	{"dropDatabase:1", "database "},
	{".runCommand({drop:", "collection "},
	{".deleteMany({_id:{$exists:true}})", "rows of "},
	{".updateMany({},", "rows of "},
	{".updateMany({},[", "rows of "},
}

// maxCalls is how many calls of one kind in a script are reported.
const maxCalls = 16

// mongoMembers are members of objects that delete, without blanks and quotes.
var mongoMembers = []struct{ member, what string }{
	{"{drop:", "collection"},
	{"dropDatabase:1", "database"},
	{"deleteMany:{filter:{}", "rows"},
	{"deletes:[{q:{},", "rows"},
	{"{$out:", "collection that is replaced"},
	{",$out:", "collection that is replaced"},
	{"whenMatched:replace", "collection that is merged into"},
	{",dropTarget:true", "collection"},
}

// MongoCommand says what an object for MongoDB deletes: a command, or the stages of
// a pipeline.
func MongoCommand(text string) []effect.Effect {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '"' || r == '\'' || r == '\\' {
			return -1
		}
		return r
	}, text)
	var list []effect.Effect
	for _, m := range mongoMembers {
		at := strings.Index(text, m.member)
		if at < 0 {
			continue
		}
		if strings.HasSuffix(m.member, "$out:") && isScratchCollection(text[at+len(m.member):]) {
			continue
		}
		list = append(list, effect.Effect{Verb: effect.Drop, Object: m.what, Wide: true, Command: -1})
	}
	return list
}

// isScratchCollection reports whether nobody keeps the collection that a text
// begins with, judging by its name.
func isScratchCollection(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), "}")
	if _, within, ok := strings.Cut(name, "coll:"); ok {
		name = within
	}
	return strings.HasPrefix(name, "tmp") || strings.HasPrefix(name, "temp") || strings.HasSuffix(name, "tmp") || strings.HasSuffix(name, "temp") || strings.HasPrefix(name, "test") || strings.HasSuffix(name, "test")
}

// MongoScript says what a script for MongoDB's shell deletes and runs.
func MongoScript(text string) *Reading {
	r := &Reading{}
	text = dotted(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text))
	for _, c := range mongoCalls {
		rest := text
		for range maxCalls {
			i := strings.Index(rest, c.call)
			if i < 0 {
				break
			}
			r.Effects = append(r.Effects, effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace(c.what + receiver(rest[:i])), Wide: c.what != "collection "})
			rest = rest[i+len(c.call):]
		}
	}
	if i := strings.Index(text, ".renameCollection("); i >= 0 && strings.HasPrefix(text[i+len(".renameCollection("):], "\"") && strings.Contains(text[i:], ",true)") {
		r.Effects = append(r.Effects, effect.Effect{Verb: effect.Drop, Object: "collection that is replaced", Wide: true})
	}
	r.Effects = append(r.Effects, MongoCommand(text)...)
	if i := strings.Index(text, "run(\""); i >= 0 { // the old shell could run programs
		command, _, _ := strings.Cut(text[i+5:], ")")
		r.shell(strings.NewReplacer(`"`, "", ",", " ").Replace(command))
	}
	return r
}

// dotted writes members in brackets as members behind a dot: db["x"]["drop"]().
func dotted(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '[')
		if i < 0 || i+2 >= len(text) {
			break
		}
		quote := text[i+1]
		end := -1
		if quote == '"' || quote == '\'' {
			end = strings.IndexByte(text[i+2:min(len(text), i+100)], quote)
		}
		if end <= 0 || i+2+end+1 >= len(text) || text[i+2+end+1] != ']' {
			b.WriteString(text[:i+1])
			text = text[i+1:]
			continue
		}
		b.WriteString(text[:i] + "." + text[i+2:i+2+end])
		text = text[i+2+end+2:]
	}
	b.WriteString(text)
	return b.String()
}

// receiver returns the name before a call: users of db.users.drop().
func receiver(before string) string {
	start := len(before)
	for start > 0 && len(before)-start < 80 {
		if c := before[start-1]; isNameByte(c) || strings.IndexByte(`.$[]"'()`, c) >= 0 {
			start--
			continue
		}
		break
	}
	name := strings.TrimPrefix(before[start:], "db.")
	if name == "db" {
		return ""
	}
	return name
}

// mongoSwitches are the calls by which a script goes to another database.
var mongoSwitches = []string{"getSiblingDB", "getDB", "connect", "Mongo"}

// SwitchMongo adds the databases that a script for MongoDB's shell goes to.
func (s *Store) SwitchMongo(script string) {
	for line := range strings.Lines(script) {
		if to, ok := strings.CutPrefix(strings.TrimSpace(line), "use "); ok {
			s.switchMongo(to, strings.HasPrefix(strings.TrimSpace(script), "use "))
		}
	}
	for _, call := range mongoSwitches {
		rest := script
		for {
			before, after, ok := strings.Cut(rest, call)
			if !ok {
				break
			}
			rest = after
			after, called := strings.CutPrefix(strings.TrimLeft(after, " "), "(")
			if !called {
				continue
			}
			to := "?"
			if after = strings.TrimLeft(after, " \n\t"); after != "" && strings.IndexByte("\"'`", after[0]) >= 0 {
				to, _, _ = strings.Cut(after[1:], after[:1])
			}
			s.switchMongo(to, strings.Trim(before, "db =\t\n") == "." || strings.Trim(before, "db =.\t\n") == "")
		}
	}
}

// switchMongo adds one database. A script that goes there first is about that one;
// where no database is named it stays unknown.
func (s *Store) switchMongo(to string, first bool) {
	if first || len(s.Databases) > 0 {
		s.Switch(to)
	} else if effect.IsLive(to) {
		s.Live = true
	}
}
