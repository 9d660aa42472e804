package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/values"
)

// batchWords cuts a line into words.
type batchWords struct {
	r   *reader
	src string
	pos int
	// open is how many brackets around commands are open. Others are letters
	// of words.
	open int
}

// groups reports whether a bracket begins or ends a group of commands.
func (b *batchWords) groups(c byte, inside bool) bool {
	switch {
	case c == '(' && !inside:
		b.open++
		return true
	case c == ')' && b.open > 0:
		b.open--
		return true
	}
	return c == ')' && !inside
}

func (b *batchWords) blanks() {
	for b.pos < len(b.src) && strings.IndexByte(" \t\r,;=", b.src[b.pos]) >= 0 {
		b.pos++
	}
}

// mostLoop is how long the head of a loop may be.
const mostLoop = 2048

// loop binds the variable of for %i in (...) do to what is in the brackets.
func (b *batchWords) loop() bool {
	rest := b.src[b.pos:min(len(b.src), b.pos+mostLoop)]
	in := strings.Index(strings.ToLower(rest), " in ")
	open := strings.IndexByte(rest, '(')
	shut := strings.IndexByte(rest, ')')
	b.r.Steps -= len(rest) / 8
	if in < 0 || open < in || shut < open {
		return true
	}
	fields := strings.Fields(rest[:in])
	if len(fields) > 0 {
		name := strings.Trim(fields[len(fields)-1], "%")
		var items value
		set := strings.TrimSpace(rest[open+1 : shut])
		if head := strings.ToLower(rest[:in]); strings.Contains(head, "/f") && set != "" {
			items = b.r.lines(set, strings.Contains(head, "usebackq"))
			if shown(items) == "" && list(items) == nil {
				items = made(name, []value{items})
			}
		} else {
			words := splitWords(strings.ReplaceAll(set, ",", " "))
			if len(fields) > 2 && strings.EqualFold(fields[0], "/r") {
				for i := range words {
					words[i] = fields[1] + "/" + words[i]
				}
			}
			items = values.Texts(words)
		}
		if len(b.r.vars) < 1000 {
			b.r.vars["%"+strings.ToLower(name)] = items
		}
	}
	b.pos += shut + 1
	return true
}

// lines is what for /f goes through: what a command prints, a text, or files.
func (r *reader) lines(set string, back bool) value {
	command, text := byte('\''), byte('"')
	if back {
		command, text = '`', '\''
	}
	switch inner := strings.Trim(set, string(set[0])); set[0] {
	case command:
		out := value{}
		r.deeper(func() { out = r.batchLine(inner, value{}) })
		if out.Kind() == "listing" {
			return out
		}
		return value{}.MadeOf(out.Origin())
	case text:
		return values.Text(inner)
	}
	files := batchWords{r: r, src: set}
	out := value{}
	for files.pos < len(files.src) && r.Step() {
		files.blanks()
		start := files.pos
		read := r.reads(files.word())
		out.Taint(&read)
		files.pos = max(files.pos, start+1)
	}
	return out
}

// word reads a word: quotes, carets and variables.
func (b *batchWords) word() value {
	l := letters{r: b.r, out: value{Form: values.IsText, Bare: true}, pieces: 1}
	quoted := false
	for b.pos < len(b.src) {
		c := b.src[b.pos]
		switch {
		case c == '"':
			quoted = !quoted
			b.pos++
		case c == '^' && !quoted && b.pos+1 < len(b.src):
			l.add(b.src[b.pos+1])
			b.pos += 2
		case !quoted && (strings.IndexByte(" \t\r,;=&|<>", c) >= 0 || c == ')' && b.open > 0) && !((c == '=' || c == ',') && len(l.plain) > 0):
			return l.flush()
		case c == '%' || c == '!' && b.delayed():
			v, size := b.variable()
			if size == 0 {
				l.add(c)
				b.pos++
				continue
			}
			b.pos += size
			if l.flush(); shown(l.out) == "" && len(list(v)) > 0 {
				l.out = v
				continue
			}
			if v.Kind() == "listing" {
				v = values.Text("*")
			}
			l.put(v)
		default:
			l.add(c)
			b.pos++
		}
	}
	return l.flush()
}

// variable reads %NAME%, %NAME:~0,1% or the %i of a loop.
func (b *batchWords) variable() (value, int) {
	sign, skip := b.src[b.pos], 1
	if sign == '%' && strings.HasPrefix(b.src[b.pos+1:], "%") {
		skip = 2
	}
	rest := b.src[b.pos+skip:]
	for _, try := range []string{rest, strings.TrimLeft(rest, "~fdpnxsatz")} {
		if try != "" && sign == '%' {
			if v, ok := b.r.vars["%"+strings.ToLower(try[:1])]; ok && (len(try) == 1 || !isWord(try[1])) {
				return v, skip + len(rest) - len(try) + 1
			}
		}
	}
	end := strings.IndexByte(rest, sign)
	if end <= 0 || end > 64 || strings.ContainsAny(rest[:end], " \"") {
		return value{}, 0
	}
	name, cut, sliced := strings.Cut(strings.ToLower(strings.ReplaceAll(rest[:end], "^", "")), ":")
	v, ok := b.r.vars[name]
	if dir, known := directoryOf(name); known && !ok && (!sliced || name == "comspec") {
		v, ok = values.Text(dir), true
	}
	switch {
	case !ok:
		v = made(name, []value{b.r.variable("env:" + name)})
	case sliced:
		v = slice(v, cut)
	}
	return v, skip + end + 1
}

// delayed reports whether a variable in exclamation marks is next that was set.
func (b *batchWords) delayed() bool {
	rest := b.src[b.pos+1:]
	end := strings.IndexByte(rest[:min(len(rest), 64)], '!')
	if end <= 0 {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(rest[:end]), ":")
	_, ok := b.r.vars[name]
	return ok
}

// slice is %x:~1,2%.
func slice(v value, cut string) value {
	cut, ok := strings.CutPrefix(cut, "~")
	from, size, _ := strings.Cut(cut, ",")
	if s, cuts := decode.Cut(shown(v), from, size); ok && cuts && known(v) {
		return values.Text(s)
	}
	return values.Unknown("x")
}

// has reports whether a sign is next.
func (b *batchWords) has(c byte) bool { return b.pos < len(b.src) && b.src[b.pos] == c }
