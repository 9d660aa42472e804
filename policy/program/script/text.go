package script

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/program/decode"
	"github.com/sluice-project/sluice/policy/program/script/lexer"
)

// decoded makes a text of every text that a value can be. What cannot be made is
// not known, and was decoded by how.
func (r *reader) decoded(v value, how string, undo func(string) (string, bool)) value {
	out := value{form: isString}.madeOf(decodedBy(how))
	out.taint(&v)
	if v.form != isString {
		return value{}.madeOf(madeFrom(origin{hidden: how, sources: out.sources(), remote: out.remote()}))
	}
	var all []string
	for _, s := range v.pieces() {
		if !r.looks(len(s)) {
			all = append(all, tooLong)
			continue
		}
		made, ok := "", false
		if isKnown(s) {
			made, ok = undo(s)
			r.looks(len(made))
		}
		if !ok {
			all = append(all, mark+how+mark)
			continue
		}
		all = append(all, r.made(strings.ReplaceAll(made, mark, " ")))
	}
	return out.oneOf(all)
}

func reversed(s string) (string, bool) { return stepped(s, -1), true }

// inflated is what was compressed.
func inflated(s string) (string, bool) { return decode.Inflate(s, mostText) }

// letter is the text of a character's number.
func (r *reader) letter(v value) value {
	n, err := strconv.ParseInt(v.text, 0, 32)
	if v.form != isNum || err != nil {
		out := value{form: isString, text: mark + "chr" + mark}.madeOf(decodedByChr)
		out.taint(&v)
		return out
	}
	if n == 0 {
		return text("")
	}
	return value{form: isString, text: string(rune(n))}.madeOf(decodedByChr)
}

// decodedByChr is shared: there is one letter for each call.
var decodedByChr = decodedBy("chr")

// letters is the text of several characters' numbers.
func (r *reader) letters(codes []value) value {
	letters := make([]value, len(codes))
	for i := range codes {
		letters[i] = r.letter(codes[i])
	}
	return r.joined(text(""), listOf(letters...))
}

// joined is the items of a list with a text between them.
func (r *reader) joined(between, list value) value {
	if list.form != isList {
		out := value{form: isString, text: mark + "joined" + mark}
		out.taint(&list)
		if list.form == isString && isKnown(list.text) && len(list.or()) == 0 && between.text == "" {
			out.text = list.text
		}
		return out
	}
	out, items := text(""), list.items()
	if len(items) == 0 {
		return out
	}
	if !r.looks(perItem * len(items)) {
		out.text = tooLong
		return out
	}
	sep, several, total := between.piece(), between.several(), 0
	parts := make([]string, len(items))
	for i := range items {
		parts[i] = items[i].piece()
		several = several || items[i].several()
		out.taint(&items[i])
		total += len(parts[i]) + len(sep)
	}
	if !several && total <= mostText { // the usual case at once, in time for its length
		out.text = tooLong
		if r.makes(total - len(sep)) {
			out.text = strings.Join(parts, sep)
		}
		out.taint(&list)
		out.taint(&between)
		return out
	}
	for i := range items {
		if i > 0 {
			out = r.concat(out, between)
		}
		out = r.concat(out, items[i])
	}
	return out
}

// format fills %s and the like, or {} and {0}.
func (r *reader) format(pattern value, items []value) value {
	out := text("")
	out.taint(&pattern)
	s, next := pattern.text, 0
	percent := strings.Contains(s, "%") && !strings.Contains(s, "{")
	for s != "" && r.step() {
		at := strings.IndexAny(s, "%{")
		if at < 0 || at+1 >= len(s) {
			break
		}
		out = r.concat(out, text(s[:at]))
		sign, end, place := s[at], at+1, next
		switch {
		case s[end] == sign: // stands for itself
			end++
			place = -1
		case (sign == '%') != percent:
			place = -1
		case percent:
			for end < len(s) && lexer.IsOneOf(s[end], "-+ #0123456789.l$") {
				end++
			}
			if end < len(s) && s[end] == '(' { // %(name)s
				end = len(s) - 1
			}
			end, next = end+1, next+1
		default:
			size := strings.IndexByte(s[at:], '}')
			if size < 0 {
				return r.concat(out, text(s[at:]))
			}
			name, _, _ := strings.Cut(s[end:at+size], ":")
			if n, err := strconv.Atoi(name); err == nil {
				place = n
			} else {
				next++
			}
			end = at + size + 1
		}
		item := text(string(sign))
		if place >= 0 {
			item = value{}
			if place < len(items) {
				item = items[place]
			}
		}
		out = r.concat(out, item)
		s = s[min(end, len(s)):]
	}
	return r.concat(out, text(s))
}

// parent is the directory of a path.
func (r *reader) parent(v value) value {
	out := value{}
	if s, ok := v.known(); ok {
		at := strings.LastIndexByte(s, '/')
		switch {
		case at < 0:
			s = "."
		case at == 0:
			s = "/"
		default:
			s = s[:at]
		}
		out = text(s)
	}
	out.taint(&v)
	return out
}
