package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// batch reads lines for cmd.exe.
func (r *reader) batch(text string) {
	if len(text) > MaxText {
		r.doubt(Limit)
		text = text[:MaxText]
	}
	for l := range strings.SplitSeq(strings.ReplaceAll(text, "^\n", ""), "\n") {
		if !r.step() {
			return
		}
		r.batchLine(strings.TrimSpace(l))
	}
}

// batchLine reads one line: commands with signs between them.
func (r *reader) batchLine(l string) {
	in := value{}
	var words []value
	to := value{}
	writes := false
	end := func(piped bool) {
		out := r.builtin(words, in)
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
		case c == '&' || c == '(' || c == ')' || c == '@' && len(words) == 0:
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
				return
			}
			words = append(words, w)
		}
	}
	end(false)
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
	case "type", "more":
		return r.reads(value{list: paths})
	case "copy":
		r.startup(line(rest))
		r.writes(argument(paths, 1), r.reads(argument(paths, 0)))
	case "move", "ren", "rename":
		r.startup(line(rest))
		r.deletes(false, argument(paths, 0))
		r.writes(argument(paths, 1), value{sources: []string{r.path(argument(paths, 0).text)}})
	case "echo", "echo.":
		return value{text: line(rest), known: true}
	case "set":
		if len(rest) == 0 {
			return value{text: "$output", sources: []string{"environment"}}
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
	case "assoc", "ftype", "dir", "md", "mkdir", "cls", "pause", "exit", "goto", "setlocal", "endlocal", "title", "color", "ver", "vol", "popd", "prompt", "path", "date", "time", "shift", "verify", "break", "timeout":
	default:
		if does := r.programs[name]; does != nil {
			return does(r, rest, in)
		}
		if strings.HasPrefix(words[0].text, "$") && !words[0].known {
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
	r.vars[strings.ToLower(strings.TrimSpace(name))] = value{text: text, known: !strings.Contains(text, "$")}
	r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.TrimSpace(name), From: text})
}
