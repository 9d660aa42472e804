package call

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// value is a relevant member.
type value struct {
	field field
	kind  jsonscan.Kind
	text  string   // of a string
	list  []string // strings of an array, and the nulls in that of a command
	raw   []byte   // of anything else
	// from and to are where it is in what was read, both 0 if that is not told.
	from, to int
}

// maxNest is how deep nested objects in the arguments are searched.
const maxNest = 4

// members are the relevant members, in order.
type members []value

// few is the backing array for members, large enough for most calls. It is
// pooled.
type few [6]value

var rooms = sync.Pool{New: func() any { return new(few) }}

func newRoom() *few {
	room, ok := rooms.Get().(*few)
	if !ok {
		room = new(few)
	}
	return room
}

// give returns the backing array to the pool, cleared.
func (room *few) give() {
	*room = few{}
	rooms.Put(room)
}

// membersIn collects the members of valid arguments, in the given backing array. text
// is the same as data.
func membersIn(room members, data []byte, text string) members {
	var s jsonscan.Scanner
	s.Reset(data)
	c := collector{text: text, found: room}
	c.object(&s, 0)
	return c.found
}

// collector walks arguments.
type collector struct {
	text  string // the arguments
	found members
	apart bool // the text is in one of them, and has places of its own
}

// str reads a string. One without escapes aliases the arguments.
func (c *collector) str(s *jsonscan.Scanner) string {
	start := s.Pos()
	raw := s.Raw()
	if len(raw) < 2 {
		return ""
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return c.text[start+1 : start+len(raw)-1]
	}
	text, _ := jsonscan.Text(raw)
	return text
}

func (c *collector) add(v value) { c.found = append(c.found, v) }

func (c *collector) object(s *jsonscan.Scanner, depth int) {
	if !s.Object() {
		s.Skip()
		return
	}
	for key, ok := s.Key(); ok; key, ok = s.Key() {
		f := fieldOf(key)
		if f == noField || depth >= maxNest {
			s.Skip()
			continue
		}
		c.value(s, f, depth)
	}
}

// value reads the value of a member. Objects in a list of files or edits, and
// those that only group members, are flattened.
func (c *collector) value(s *jsonscan.Scanner, f field, depth int) {
	kind := s.Kind()
	switch {
	case f == fieldContent || f == fieldBody: // only its presence matters
		s.Skip()
		c.add(value{field: f, kind: kind})
	case kind == jsonscan.String:
		from := s.Pos()
		text := c.str(s)
		if !c.inner(f, text, depth) {
			c.add(c.placed(value{field: f, kind: kind, text: text}, from, s.Pos()))
		}
	case kind == jsonscan.Object && (f == fieldNest || f == fieldPath || f == fieldCommand || f == fieldCommands):
		if f != fieldNest && f != fieldPath {
			c.add(value{field: f, kind: kind})
		}
		c.object(s, depth+1)
	case kind == jsonscan.Array && f != fieldCalls && f != fieldArguments:
		c.array(s, f, depth)
	default:
		from := s.Pos()
		raw := s.Raw()
		c.add(c.placed(value{field: f, kind: kind, raw: raw}, from, s.Pos()))
	}
}

// placed is a value with its place.
func (c *collector) placed(v value, from, to int) value {
	if !c.apart {
		v.from, v.to = from, to
	}
	return v
}

// inner reads JSON in the text of a member that should be a command or group
// others, and reports whether there was some. A text in quotes is a command, too.
func (c *collector) inner(f field, text string, depth int) bool {
	if f != fieldCommand && f != fieldCommands && f != fieldNest || depth >= maxNest {
		return false
	}
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' && (text[0] != '[' && text[0] != '"' || f == fieldNest) {
		return false
	}
	data := jsonscan.View(text)
	if jsonscan.Valid(data) != nil {
		return false
	}
	var s jsonscan.Scanner
	s.Reset(data)
	within := collector{text: text, found: c.found, apart: true}
	at := len(c.found)
	within.value(&s, f, depth+1)
	c.found = within.found
	return len(c.found) > at && text[0] != '"'
}

// array reads a list: its strings as one value, everything else separately.
func (c *collector) array(s *jsonscan.Scanner, f field, depth int) {
	at := len(c.found)
	c.add(value{field: f, kind: jsonscan.Array})
	var texts []string
	s.Array()
	for s.Elem() {
		switch s.Kind() {
		case jsonscan.String:
			texts = append(texts, c.str(s))
		case jsonscan.Object:
			c.object(s, depth+1)
		case jsonscan.Array:
			if depth >= maxNest {
				s.Skip()
				c.add(value{field: f, kind: jsonscan.Invalid})
				continue
			}
			inside := len(c.found)
			if f == fieldCommands {
				c.array(s, fieldCommand, depth+1) // a list of argument lists
				continue
			}
			c.array(s, f, depth+1)
			if f == fieldCommand { // some clients take them for one list
				texts = append(texts, c.found[inside].list...)
			}
		case jsonscan.Number, jsonscan.True, jsonscan.False: // where a text is expected, it is its text
			texts = append(texts, string(s.Raw()))
		default:
			s.Skip()
			c.add(value{field: f, kind: jsonscan.Invalid})
			if f == fieldCommand {
				texts = append(texts, nullWord)
			}
		}
	}
	c.found[at].list = texts
}

// nullWord is a null among the words of a command.
const nullWord = "\x00null"

// readings are the ways to read the words of a command: clients leave nulls out, or pass them
// on as a text.
func readings(words []string) [][]string {
	if !slices.Contains(words, nullWord) {
		return [][]string{words}
	}
	var without, with []string
	for _, word := range words {
		if with = append(with, strings.TrimPrefix(word, "\x00")); word != nullWord {
			without = append(without, word)
		}
	}
	return [][]string{without, with}
}

// withArguments joins commands with the arguments next to them: {"command":
// "rm", "args": ["-rf", "/"]}.
func (m members) withArguments() {
	command, waiting := -1, -1
	for i := range m {
		switch {
		case m[i].field == fieldCommand && m[i].kind == jsonscan.String:
			command = i
			if waiting >= 0 {
				m[command].extend(&m[waiting])
				waiting, command = -1, -1
			}
		case m[i].field != fieldArguments:
		case command >= 0:
			m[command].extend(&m[i])
			command = -1
		default:
			waiting = i
		}
	}
}

// extend adds arguments to a command.
func (v *value) extend(arguments *value) {
	switch {
	case arguments.kind == jsonscan.String && !looksLikeObject(arguments.text):
		if arguments.text != "" {
			v.text += " " + arguments.text
		}
		return
	case arguments.kind != jsonscan.Array:
		return
	}
	words := arguments.strings()
	if len(words) == 0 {
		return
	}
	if typed := sentKeys(v.text, words); typed != "" {
		v.text = typed
		return
	}
	if !strings.ContainsAny(v.text, " \t\n;|&$`'\"") { // a program
		v.kind, v.list = jsonscan.Array, append([]string{v.text}, words...)
		return
	}
	ways := readings(words)
	if len(ways) > 1 {
		v.list = []string{"sh", "-c", withQuoted(v.text, ways[1])}
	}
	v.text = withQuoted(v.text, ways[0])
}

// withQuoted adds words to a command of a shell.
func withQuoted(text string, words []string) string {
	all := append(make([]string, 0, 1+len(words)), text)
	for _, w := range words {
		all = append(all, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	return strings.Join(all, " ")
}

// strings are the elements of a list that was not read yet, with its nulls.
func (v *value) strings() (list []string) {
	if v.kind != jsonscan.Array {
		return nil
	}
	var s jsonscan.Scanner
	s.Reset(v.raw)
	s.Array()
	for s.Elem() {
		raw := s.Raw()
		word := string(raw)
		if text, ok := jsonscan.Unquote(nil, raw); ok {
			word = string(text)
		} else if word == "null" {
			word = nullWord
		}
		list = append(list, word)
	}
	return list
}

// text returns the first string of a field.
func (m members) text(f field) (string, bool) {
	for i := range m {
		if m[i].field == f && m[i].kind == jsonscan.String {
			return m[i].text, true
		}
	}
	return "", false
}

// has reports whether a field occurs.
func (m members) has(f field) bool { return m.count(f) > 0 }

// count is how many of the members mean a field.
func (m members) count(f field) int {
	n := 0
	for i := range m {
		if m[i].field == f {
			n++
		}
	}
	return n
}

// sentKeys is what a command makes an editor type into its terminal, empty if it
// is another command.
func sentKeys(command string, arguments []string) string {
	if !strings.HasPrefix(command, "workbench.") || !strings.Contains(command, "terminal") {
		return ""
	}
	var typed strings.Builder
	for _, raw := range arguments {
		if looksLikeObject(raw) {
			eachText(raw, func([]byte, jsonscan.Kind) bool { return true }, func(text []byte) { typed.Write(append(text, '\n')) })
		} else {
			typed.WriteString(raw + "\n")
		}
	}
	return typed.String()
}
