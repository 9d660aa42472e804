package windows

import (
	"slices"
	"strings"
)

// value is what is known of a word or an expression. What is not known in its
// text stands as "$name".
type value struct { //nolint:recvcheck // taint alone changes its value
	text  string
	known bool
	list  []value
	// bare: it was written without quotes, so that a dash makes it a parameter.
	bare bool
	// object names what it is, if it is no text: "webclient", a type.
	object string
	// sources are what it was read from, remote is where it was fetched,
	// hidden what it was decoded by.
	sources []string
	remote  string
	hidden  string
	// fields are what a table holds: @{Path = "x"}.
	fields []field
	// function is what a block does when it is called.
	function *function
}

// field is a name in a table with what it stands for.
type field struct {
	name  string
	value value
}

// isNothing reports whether a value holds nothing.
func (v *value) isNothing() bool {
	return v.text == "" && v.list == nil && v.remote == "" && v.sources == nil && v.hidden == "" && v.object == ""
}

func literal(s string) value { return value{text: s, known: true} }

func literals(words []string) []value {
	out := make([]value, 0, len(words))
	for _, w := range words {
		out = append(out, value{text: w, known: !strings.Contains(w, "$"), bare: true})
	}
	return out
}

// paths are the texts of a value, or of its items.
func (v value) paths() []string {
	if len(v.list) == 0 {
		if v.text == "" {
			return nil
		}
		return []string{v.text}
	}
	out := make([]string, 0, len(v.list))
	for i := range v.list {
		out = append(out, v.list[i].paths()...)
		if len(out) > MaxEffects {
			break
		}
	}
	return out
}

func (v *value) taint(from value) {
	for _, s := range from.sources {
		if len(v.sources) < 32 {
			v.sources = append(slices.Clip(v.sources), s)
		}
	}
	if v.remote == "" {
		v.remote = from.remote
	}
	if v.hidden == "" {
		v.hidden = from.hidden
	}
	for i := range from.list {
		if i < 32 {
			v.taint(from.list[i])
		}
	}
}

// concat is one text after the other.
func (r *reader) concat(a, b value) value {
	if len(a.list) > 0 && len(a.list) < 1000 {
		return value{list: slices.Concat(a.list, b.items()), known: a.known && b.known}
	}
	out := value{text: r.made(a.text + b.text), known: a.known && b.known}
	out.taint(a)
	out.taint(b)
	return out
}

// glued is one text after the other within a word: for each of those that a loop goes
// through.
func (r *reader) glued(a, b value) value {
	if len(a.list)+len(b.list) == 0 {
		return r.concat(a, b)
	}
	out := value{known: true}
	for _, x := range a.items() {
		for _, y := range b.items() {
			if len(out.list) >= mostBetween || !r.step() {
				r.doubt(Limit)
				return out
			}
			item := r.concat(value{text: x.text, known: x.known}, y)
			item.taint(x)
			out.list, out.known = append(out.list, item), out.known && item.known
		}
	}
	return out
}

// items are those of a list, or the value alone.
func (v value) items() []value {
	if len(v.list) > 0 {
		return v.list
	}
	return []value{v}
}

// made counts the bytes of a new text.
func (r *reader) made(s string) string {
	r.bytes += len(s)
	if len(s) > mostText || r.bytes > 4<<20 {
		r.doubt(Limit)
		return "$long"
	}
	return s
}

// and is a list with a further item.
func (v value) and(next value) value {
	if len(v.list) == 0 {
		v = value{list: []value{v}, known: v.known}
	}
	v.list = append(v.list, next)
	v.known = v.known && next.known
	return v
}

// texts are values of texts.
func texts(words []string) []value {
	out := make([]value, 0, len(words))
	for _, w := range words {
		out = append(out, literal(w))
	}
	return out
}

// letters is a word that is put together: of letters, and of values in it.
type letters struct {
	r     *reader
	out   value
	plain []byte
	// pieces is how many there were: a word of one piece is that piece.
	pieces int
}

func (l *letters) add(c byte) { l.plain = append(l.plain, c) }

func (l *letters) put(v value) {
	bare := l.out.bare
	if l.flush(); l.pieces == 0 {
		l.out = v
	} else {
		l.out = l.r.glued(l.out, v)
	}
	l.out.bare = bare
	l.pieces++
}

// isEmpty reports whether there was nothing yet.
func (l *letters) isEmpty() bool { return len(l.plain)+l.pieces == 0 }

// flush makes a piece of the letters, and is the word so far.
func (l *letters) flush() value {
	if plain := string(l.plain); plain != "" {
		l.plain = l.plain[:0]
		l.put(literal(plain))
	}
	return l.out
}
