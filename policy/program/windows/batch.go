package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// batch reads lines for cmd.exe.
func (r *reader) batch(text string) { r.batchGiven(text, value{}) }

// batchGiven reads lines whose first command is given something.
func (r *reader) batchGiven(text string, in value) {
	if len(text) > MaxText {
		r.doubt(Limit)
		text = text[:MaxText]
	}
	for l := range strings.SplitSeq(strings.ReplaceAll(text, "^\n", ""), "\n") {
		if !r.step() {
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
	to := value{}
	writes := false
	end := func(piped bool) {
		if len(words) == 0 && !piped && in.text == "" && in.sources == nil {
			return
		}
		out = r.builtin(words, in)
		if writes {
			r.writes(to, out)
		}
		in = value{}
		if piped {
			in = out
		}
		words, to, writes = nil, value{}, false
	}
	b := batchWords{r: r, src: l}
	for b.pos < len(b.src) && r.step() {
		b.blanks()
		if b.pos >= len(b.src) {
			break
		}
		switch c := b.src[b.pos]; {
		case c == '&' || b.groups(c, len(words) > 0) || c == '@' && len(words) == 0:
			b.pos++
			if c != '@' {
				end(false)
			}
		case c == '|':
			b.pos++
			if b.pos < len(b.src) && b.src[b.pos] == '|' {
				b.pos++
				end(false)
			} else {
				end(true)
			}
		case c == '>' || '0' <= c && c <= '9' && b.pos+1 < len(b.src) && b.src[b.pos+1] == '>':
			b.pos += strings.IndexByte(b.src[b.pos:], '>') + 1
			for b.pos < len(b.src) && b.src[b.pos] == '>' {
				b.pos++
			}
			b.blanks()
			if b.pos < len(b.src) && b.src[b.pos] == '&' {
				b.pos += 2
				continue
			}
			to, writes = b.word(), true
		case c == '<':
			b.pos++
			b.blanks()
			in = r.reads(b.word())
		default:
			start := b.pos
			w := b.word()
			if b.pos == start {
				b.pos++
				continue
			}
			if len(words) == 0 && skipWord(&b, w.text) {
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
	switch strings.ToLower(w) {
	case "call", "do", "else", "not":
		return true
	case "if":
		b.blanks()
		for _, w := range []string{"/i", "not"} {
			if len(b.src)-b.pos > len(w) && strings.EqualFold(b.src[b.pos:b.pos+len(w)], w) {
				b.word()
				b.blanks()
			}
		}
		first := b.word()
		switch strings.ToLower(first.text) {
		case "exist", "defined", "errorlevel":
			b.blanks()
			b.word()
		default:
			if !strings.Contains(first.text, "==") {
				b.blanks()
				b.word()
				b.blanks()
				b.word()
			}
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
	name := program(words[0].text)
	// del/f and rd/s need no blank.
	if cut := strings.IndexByte(name, '/'); cut > 0 {
		name = name[:cut]
	}
	rest := words[1:]
	if cut := strings.IndexByte(words[0].text, '/'); cut > 0 {
		switch head := strings.ToLower(words[0].text[:cut]); head {
		case "del", "erase", "rd", "rmdir", "format", "start", "cd", "copy", "dir":
			name = head
			rest = append([]value{{text: words[0].text[cut:], known: true, bare: true}}, rest...)
		}
	}
	flags, paths := batchFlags(rest)
	switch name {
	case "del", "erase":
		r.deletes(strings.Contains(flags, "/s"), value{list: paths})
	case "rd", "rmdir":
		r.deletes(strings.Contains(flags, "/s"), value{list: paths})
	case "type", "sort":
		if len(paths) == 0 {
			return in
		}
		return r.reads(value{list: paths})
	case "copy":
		r.startup(line(rest))
		r.writes(argument(paths, 1), r.reads(argument(paths, 0)))
	case "move", "ren", "rename":
		r.startup(line(rest))
		r.deletes(false, argument(paths, 0))
		r.writes(argument(paths, 1), value{sources: []string{r.path(argument(paths, 0).text)}})
	case "echo", "echo.":
		said := value{text: line(rest), known: true}
		for i := range rest {
			said.taint(rest[i])
			said.known = said.known && rest[i].known
		}
		return said
	case "set":
		if len(rest) == 0 {
			return value{text: "$output", sources: []string{"environment"}}
		}
		if asks, name, _ := strings.Cut(line(rest), " "); strings.EqualFold(asks, "/p") {
			name, _, _ = strings.Cut(name, "=")
			r.bind(name, value{text: "$" + name, sources: in.sources, remote: in.remote})
			return value{}
		}
		r.set(line(rest))
	case "cd", "chdir", "pushd":
		if len(paths) > 0 {
			r.at.Cwd = r.path(paths[0].text)
		}
	case "start":
		for len(paths) > 0 && paths[0].text == "" {
			paths = paths[1:]
		}
		for i := range rest {
			if t := rest[i].text; t != "" && t[0] != '/' {
				if strings.Contains(t, "://") { // in a browser
					return value{}
				}
				return r.builtin(rest[i:], in)
			}
		}
	case "mklink":
		r.writes(argument(paths, 0), value{sources: []string{r.path(argument(paths, 1).text)}})
	case "dir":
		return listing(paths)
	case "md", "mkdir", "cls", "pause", "exit", "goto", "setlocal", "endlocal", "title", "color", "ver", "vol", "popd", "prompt", "path", "date", "time", "shift", "verify", "break", "timeout":
	default:
		if does := r.programs[name]; does != nil {
			return does(r, ownWords(name, rest), in)
		}
		if strings.HasPrefix(words[0].text, "$") && !words[0].known {
			if words[0].remote != "" {
				r.does(effect.RunRemote, words[0].remote)
			}
			r.doubt(Variable)
			return value{}
		}
		return r.other(words, in)
	}
	return value{}
}

// batchFlags parts the flags from the paths: /s /q /f.
func batchFlags(words []value) (flags string, paths []value) {
	var all strings.Builder
	for _, w := range words {
		w.text = short(w.text)
		if strings.HasPrefix(w.text, "/") && len(w.text) > 1 && len(w.text) <= 12 && !strings.Contains(w.text[1:], ":/") {
			all.WriteString(strings.ToLower(w.text) + " ")
			continue
		}
		paths = append(paths, w)
	}
	return all.String(), paths
}

// short is a flag with one slash: shells that take /s for a path are given //s.
func short(flag string) string {
	if strings.HasPrefix(flag, "//") && len(flag) > 2 && len(flag) <= 5 && !strings.ContainsAny(flag[2:], `/\.`) {
		return flag[1:]
	}
	return flag
}

func (r *reader) set(l string) {
	l = strings.TrimSpace(l)
	name, text, ok := strings.Cut(strings.Trim(l, `"`), "=")
	if !ok || strings.HasPrefix(name, "/") || len(r.vars) >= 1000 {
		return
	}
	r.bind(name, value{text: text, known: !strings.Contains(text, "$")})
	r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.TrimSpace(name), From: text})
}

// listing is what dir prints: the files in directories.
func listing(dirs []value) value {
	if len(dirs) == 0 {
		dirs = []value{literal(".")}
	}
	out := value{object: "listing"}
	for _, dir := range dirs {
		if !strings.ContainsAny(dir.text, "*?") {
			dir = literal(strings.TrimRight(dir.text, `/\`) + "/*")
		}
		out.list = append(out.list, dir)
	}
	return out
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
	text := words[0].text
	if !strings.Contains(text, " ") || !words[0].known {
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
	switch name := program(word); name {
	case "del", "erase", "rd", "rmdir", "type", "copy", "move", "ren", "rename", "echo", "start", "call":
		return true
	default:
		return r.programs[name] != nil
	}
}
