package windows

import "strings"

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
	b.r.steps += len(rest) / 8
	if in < 0 || open < in || shut < open {
		return true
	}
	fields := strings.Fields(rest[:in])
	if len(fields) > 0 {
		name := strings.Trim(fields[len(fields)-1], "%")
		items := value{known: true}
		set := strings.TrimSpace(rest[open+1 : shut])
		if head := strings.ToLower(rest[:in]); strings.Contains(head, "/f") && set != "" {
			items = b.r.lines(set, strings.Contains(head, "usebackq"))
			if items.text == "" && items.list == nil {
				items.text = "$" + name
			}
		} else {
			items.list = textList(splitWords(strings.ReplaceAll(set, ",", " ")))
			if len(fields) > 2 && strings.EqualFold(fields[0], "/r") {
				for i := range items.list {
					items.list[i].text = fields[1] + "/" + items.list[i].text
				}
			}
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
		r.depth++
		if r.depth < MaxDepth {
			out = r.batchLine(inner, value{})
		}
		r.depth--
		if out.object == "listing" {
			return out
		}
		return value{sources: out.sources, remote: out.remote, hidden: out.hidden}
	case text:
		return literal(inner)
	}
	files := batchWords{r: r, src: set}
	out := value{}
	for files.pos < len(files.src) && r.step() {
		files.blanks()
		start := files.pos
		out.taint(r.reads(files.word()))
		files.pos = max(files.pos, start+1)
	}
	return out
}

// word reads a word: quotes, carets and variables.
func (b *batchWords) word() value {
	out := value{known: true, bare: true}
	var plain []byte
	quoted := false
	flush := func() {
		if len(plain) > 0 {
			bare := out.bare
			out = b.r.concat(out, value{text: string(plain), known: true})
			out.bare = bare
			plain = plain[:0]
		}
	}
	for b.pos < len(b.src) {
		c := b.src[b.pos]
		switch {
		case c == '"':
			quoted = !quoted
			b.pos++
		case c == '^' && !quoted && b.pos+1 < len(b.src):
			plain = append(plain, b.src[b.pos+1])
			b.pos += 2
		case !quoted && (strings.IndexByte(" \t\r,;=&|<>", c) >= 0 || c == ')' && b.open > 0) && !(c == '=' && len(plain) > 0) && !(c == ',' && len(plain) > 0):
			flush()
			return out
		case c == '%' || c == '!' && b.delayed():
			v, size := b.variable()
			if size == 0 {
				plain = append(plain, c)
				b.pos++
				continue
			}
			flush()
			if out.text == "" && len(v.list) > 0 {
				out = v
			} else {
				bare := out.bare
				switch {
				case v.object == "listing":
					v = literal("*")
				case len(v.list) > 0:
					v = v.list[0]
				}
				out = b.r.concat(out, v)
				out.bare = bare
			}
			b.pos += size
		default:
			plain = append(plain, c)
			b.pos++
		}
	}
	flush()
	return out
}

// variable reads %NAME%, %NAME:~0,1% or the %i of a loop.
func (b *batchWords) variable() (value, int) {
	sign := b.src[b.pos]
	rest := b.src[b.pos+1:]
	doubled := sign == '%' && strings.HasPrefix(rest, "%")
	if doubled {
		rest = rest[1:]
	}
	skip := 1
	if doubled {
		skip = 2
	}
	letter := strings.TrimLeft(rest, "~fdpnxsatz")
	for _, try := range []string{rest, letter} {
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
	size := skip + end + 1
	if v, ok := b.r.vars[name]; ok {
		if sliced {
			return slice(v, cut), size
		}
		return v, size
	}
	if name == "comspec" {
		v := literal(`C:\Windows\System32\cmd.exe`)
		if sliced {
			return slice(v, cut), size
		}
		return v, size
	}
	if dir, ok := places[name]; ok && !sliced {
		return literal(dir), size
	}
	v := value{text: "$" + name}
	v.taint(b.r.variable("env:" + name))
	return v, size
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
	from, count := 0, len(v.text)
	if n := scan(cut, &from, &count); n == 0 || !v.known {
		return value{text: "$x"}
	}
	if from < 0 {
		from = max(0, len(v.text)+from)
	}
	from = min(from, len(v.text))
	if count < 0 {
		count = max(0, len(v.text)-from+count)
	}
	return literal(v.text[from:min(len(v.text), from+count)])
}

func scan(cut string, from, count *int) int {
	cut, ok := strings.CutPrefix(cut, "~")
	if !ok {
		return 0
	}
	a, c, two := strings.Cut(cut, ",")
	n := 0
	if v, ok := integer(a); ok {
		*from = v
		n++
	}
	if two {
		if v, ok := integer(c); ok {
			*count = v
			n++
		}
	}
	return n
}

func integer(s string) (int, bool) {
	n, sign := 0, 1
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		s, sign = rest, -1
	}
	if s == "" || len(s) > 6 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n * sign, true
}
