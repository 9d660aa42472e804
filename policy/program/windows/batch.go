package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

// batchGiven reads lines whose first command is given something.
func (r *reader) batchGiven(text string, in value) {
	for l := range strings.SplitSeq(strings.ReplaceAll(r.within(text), "^\n", ""), "\n") {
		if !r.Step() {
			return
		}
		r.batchLine(strings.TrimSpace(l), in)
		in = value{}
	}
}

// batchLine reads one line: commands with signs between them. It returns what the
// last one prints.
func (r *reader) batchLine(l string, in value) (out value) {
	var words []value
	to, writes := value{}, false
	end := func(piped bool) {
		if len(words) == 0 && !piped && shown(in) == "" && in.Sources() == nil {
			return
		}
		out = r.builtin(words, in)
		if writes {
			r.writes(to, out)
		}
		if in = (value{}); piped {
			in = out
		}
		words, to, writes = nil, value{}, false
	}
	b := batchWords{r: r, src: l}
	for b.blanks(); b.pos < len(b.src) && r.Step(); b.blanks() {
		start := b.pos
		switch c := b.src[b.pos]; {
		case c == '@' && len(words) == 0:
			b.pos++
		case c == '&' || b.groups(c, len(words) > 0):
			b.pos++
			end(false)
		case c == '|':
			b.pos++
			either := b.has('|')
			if either {
				b.pos++
			}
			end(!either)
		case c == '>' || '0' <= c && c <= '9' && b.pos+1 < len(b.src) && b.src[b.pos+1] == '>':
			b.pos += strings.IndexByte(b.src[b.pos:], '>') + 1
			for b.has('>') {
				b.pos++
			}
			if b.blanks(); b.has('&') {
				b.pos += 2
				continue
			}
			to, writes = b.word(), true
		case c == '<':
			b.pos++
			b.blanks()
			in = r.reads(b.word())
		default:
			w := b.word()
			if b.pos == start {
				b.pos++
				continue
			}
			if len(words) == 0 && skipWord(&b, shown(w)) {
				continue
			}
			if len(words) >= mostWords {
				r.doubt(Limit)
				end(false)
				return out
			}
			words = append(words, w)
		}
	}
	end(false)
	return out
}

// skipWord goes over the words before a command: if exist x, for ... do.
func skipWord(b *batchWords, w string) bool {
	next := func() string {
		b.blanks()
		return strings.ToLower(shown(b.word()))
	}
	switch strings.ToLower(w) {
	case "call", "do", "else", "not":
		return true
	case "if":
		first := next()
		for first == "/i" || first == "not" {
			first = next()
		}
		switch {
		case first == "exist", first == "defined", first == "errorlevel", strings.HasSuffix(first, "=="), strings.HasPrefix(strings.TrimLeft(b.src[b.pos:], " \t"), "=="):
			next()
		case !strings.Contains(first, "=="):
			next()
			next()
		}
		return true
	case "for":
		return b.loop()
	case "rem":
		b.pos = len(b.src)
		return true
	}
	return strings.HasPrefix(w, ":")
}

// builtin runs a command of cmd.exe itself, or a program.
func (r *reader) builtin(words []value, in value) value {
	if len(words) == 0 {
		return value{}
	}
	words = r.respelled(words)
	rest, name := words[1:], programName(shown(words[0]))
	if head, flags, ok := strings.Cut(shown(words[0]), "/"); ok && r.isCommand(head) { // del/f and rd/s need no blank
		name = strings.ToLower(head)
		rest = append([]value{{Form: values.IsText, Text: "/" + flags, Bare: true}}, rest...)
	} else if cut := strings.IndexByte(name, '/'); cut > 0 {
		name = name[:cut]
	}
	if v, ok := r.program(name, rest, in, true).described(library.Cmd, "cmd."+name); ok {
		return v
	}
	if v, ok := r.ofWindows(name, rest, in); ok {
		return v
	}
	if strings.HasPrefix(shown(words[0]), "$") && !known(words[0]) {
		if words[0].Remote() != "" {
			r.does(effect.RunRemote, words[0].Remote())
		}
		r.doubt(Variable)
		return value{}
	}
	return r.other(words, in)
}

// short is a flag with one slash: shells that take /s for a path are given //s.
func short(flag string) string {
	if strings.HasPrefix(flag, "//") && len(flag) > 2 && len(flag) <= 5 && !strings.ContainsAny(flag[2:], `/\.`) {
		return flag[1:]
	}
	return flag
}

// shortened is a word that is a flag with one slash.
func shortened(w value) value {
	if s := shown(w); short(s) != s {
		w.Text = short(s)
	}
	return w
}

// bind gives a variable a value.
func (r *reader) bind(name string, v value) {
	if len(r.vars) < 1000 {
		r.vars[strings.ToLower(strings.TrimSpace(name))] = v
	}
}

// respelled are the words of a command of which a variable holds more than the
// first: set x=rd /s & %x% C:\.
func (r *reader) respelled(words []value) []value {
	text := shown(words[0])
	if !strings.Contains(text, " ") || !known(words[0]) {
		return words
	}
	parts := splitWords(text)
	if len(parts) < 2 || !r.isCommand(parts[0]) {
		return words
	}
	return append(literals(parts), words[1:]...)
}

// isCommand reports whether a word is a command of cmd.exe or a program of
// Windows.
func (r *reader) isCommand(word string) bool {
	name, table := programName(word), library.Of(library.Cmd)
	return name == "call" || table.Has("cmd."+name) || table.Has(name)
}

// starts is start, which runs what stands behind its flags and its title.
func starts(r *reader, c *call) value {
	for i := range c.all {
		if t := shown(c.all[i]); t != "" && t[0] != '/' {
			if strings.Contains(t, "://") { // in a browser
				break
			}
			return r.builtin(c.all[i:], c.in)
		}
	}
	return value{}
}

// sets is set: of a variable, by asking for one, or of all to be shown.
func sets(r *reader, c *call) value {
	l := strings.TrimSpace(line(c.all))
	asks, asked, _ := strings.Cut(l, " ")
	name, text, ok := strings.Cut(strings.Trim(l, `"`), "=")
	switch {
	case l == "":
		return values.Unknown("output").MadeOf(values.FromEnvironment)
	case strings.EqualFold(asks, "/p"):
		name, _, _ = strings.Cut(asked, "=")
		r.bind(name, made(name, []value{c.in}))
	case ok && !strings.HasPrefix(name, "/") && len(r.vars) < 1000:
		r.bind(name, written(text, !strings.Contains(text, "$")))
		r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.TrimSpace(name), From: text})
	}
	return value{}
}
