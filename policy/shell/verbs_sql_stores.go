package shell

import (
	"strings"
	"unicode"

	"github.com/sluice-project/sluice/policy/effect"
)

// mongo looks for the calls in a script that delete whole collections.
func mongo(a *act) {
	l := a.line(valued("eval f file host port u username p password authenticationDatabase db"))
	texts := l.values("eval")
	for _, operand := range l.operands {
		if strings.HasSuffix(operand, ".js") {
			if content, known := a.file(operand); known {
				texts = append(texts, content)
			} else {
				a.does(effect.Run, a.path(operand))
			}
		}
	}
	if a.in.known {
		texts = append(texts, a.in.text)
	} else if a.in.piped && len(texts) == 0 {
		a.doubt(Pipe)
	}
	a.mongoPlace(&l, texts)
	for _, text := range texts {
		a.mongoScript(text)
	}
}

// mongoCalls are the calls that delete, without blanks.
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

// MongoEffects says what an object for MongoDB deletes: a command, or the stages
// of a pipeline.
func MongoEffects(text string) []effect.Effect {
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

// isScratchCollection reports whether a collection is by its name one that nobody keeps.
func isScratchCollection(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), "}")
	if _, within, ok := strings.Cut(name, "coll:"); ok {
		name = within
	}
	return strings.HasPrefix(name, "tmp") || strings.HasPrefix(name, "temp") || strings.HasSuffix(name, "tmp") || strings.HasSuffix(name, "temp") || strings.HasPrefix(name, "test") || strings.HasSuffix(name, "test")
}

func (a *act) mongoScript(text string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	text = dotted(text)
	for _, c := range mongoCalls {
		rest, found := text, 0
		for found < 16 {
			i := strings.Index(rest, c.call)
			if i < 0 {
				break
			}
			found++
			a.add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace(c.what + receiver(rest[:i])), Wide: c.what != "collection "})
			rest = rest[i+len(c.call):]
		}
	}
	if i := strings.Index(text, ".renameCollection("); i >= 0 && strings.HasPrefix(text[i+len(".renameCollection("):], "\"") && strings.Contains(text[i:], ",true)") {
		a.drops("collection that is replaced")
	}
	for _, e := range MongoEffects(text) {
		a.add(e)
	}
	if i := strings.Index(text, "run(\""); i >= 0 { // the old shell could run programs
		command, _, _ := strings.Cut(text[i+5:], ")")
		a.script(strings.NewReplacer(`"`, "", ",", " ").Replace(command))
	}
}

// dotted writes members in brackets as those behind a dot: db["x"]["drop"]().
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

// receiver is the name before a call: users of db.users.drop().
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

var redisTakes = valued("h p a n u r i s d D x-cmd user pass cacert cert key sni tls-ciphers eval memkeys-samples pattern count")

func redis(a *act) {
	l := cutLine(a.Args, redisTakes, firstEnds)
	a.redisPlace(&l)
	for i, arg := range a.Args {
		if i == 0 || a.Args[i-1] != "--eval" {
			continue
		}
		if made := a.words()[i].made; made != nil && made.known {
			a.redisCommand([]string{"EVAL", made.text})
		} else if content, known := a.file(arg); known {
			a.redisCommand([]string{"EVAL", content})
		}
	}
	switch {
	case len(l.operands) > 0:
		a.redisCommand(l.operands)
		a.redisSecret(l.operands)
	case a.in.known:
		for text := range strings.Lines(a.in.text) {
			a.redisCommand(strings.Fields(text))
		}
	case a.in.piped:
		a.doubt(Pipe)
	}
}

// redisLists is the pattern of the keys that redis-cli lists, empty if it lists
// none or all of them.
func redisLists(a *act) string {
	l := cutLine(a.Args, redisTakes, firstEnds)
	pattern := l.value("pattern")
	if strings.EqualFold(l.operand(0), "KEYS") {
		pattern = l.operand(1)
	}
	if strings.Trim(pattern, "*?[]^-") == "" || unknown(pattern) {
		return ""
	}
	return pattern
}

// redisSome reports whether the keys that a command is given are those of a
// pattern that leaves others out.
func (a *act) redisSome() bool {
	for i := range a.words() {
		if strings.ContainsAny(a.words()[i].about, "*?[") && strings.Trim(a.words()[i].about, "*?[]^-") != "" {
			return true
		}
	}
	return false
}

// joined makes one text of those that a script puts together.
var joined = strings.NewReplacer("'..'", "", `".."`, "", `"..'`, "", `'.."`, "", `"`, "'")

func (a *act) redisCommand(words []string) {
	if len(words) == 0 {
		return
	}
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch name := strings.ToUpper(words[0]); name {
	case "FLUSHALL", "FLUSHDB":
		a.add(effect.Effect{Verb: effect.Drop, Object: "database", Wide: true})
	case "DEL", "UNLINK":
		if (a.More || strings.Contains(word(1), "$(")) && !a.redisSome() {
			a.add(effect.Effect{Verb: effect.Drop, Object: "keys", Wide: true})
		}
	case "CONFIG":
		if key := strings.ToLower(word(2)); strings.EqualFold(word(1), "SET") && (key == "dir" || key == "dbfilename") {
			a.writes(word(3))
			if strings.HasSuffix(strings.TrimRight(word(3), "/"), "/.ssh") {
				a.writes(strings.TrimRight(word(3), "/") + "/authorized_keys")
			}
		}
	case "REPLICAOF", "SLAVEOF": // its data is replaced by that of another
		if !strings.EqualFold(word(1), "no") && word(1) != "" {
			a.drops("database")
		}
	case "EVAL":
		if script := joined.Replace(strings.Map(unspaced, strings.ToUpper(word(1)))); strings.Contains(script, "FLUSHALL") || strings.Contains(script, "FLUSHDB") || strings.Contains(script, "'DEL'") && strings.Contains(script, "'KEYS'") {
			a.add(effect.Effect{Verb: effect.Drop, Object: "database", Wide: true})
		}
	case "MODULE":
		if strings.EqualFold(word(1), "LOAD") {
			a.does(effect.Run, a.path(word(2)))
		}
	case "SHUTDOWN":
		a.does(effect.Stop, "redis")
	}
}
