package windows

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// value is what is known of a word or an expression.
type value = values.Value

// shown is the text of a value, in which what is not known stands as "$name".
func shown(v value) string {
	switch {
	case v.Keys() != nil:
		return "$map"
	case v.Form != values.IsText:
		return ""
	}
	return values.ShownIn(v.Text, "$", "")
}

// known reports whether a value, or all that is in a list, is a text that is known.
func known(v value) bool {
	if v.Form == values.IsList && v.Keys() == nil {
		return !slices.ContainsFunc(v.Items(), func(item value) bool { return !known(item) })
	}
	return v.Form == values.IsText && values.IsKnown(v.Text)
}

// written is a text as somebody wrote it, which may not be all that is known.
func written(s string, known bool) value {
	if known {
		return values.Text(s)
	}
	return values.Perhaps(s)
}

// isNothing reports whether a value holds nothing.
func isNothing(v value) bool {
	return v.Text == "" && len(v.Items()) == 0 && v.Origin() == nil && v.Kind() == ""
}

// literals are the words of somebody else's command. In those with a dollar sign
// something is not known.
func literals(words []string) []value {
	out := make([]value, 0, len(words))
	for _, w := range words {
		v := written(strings.ReplaceAll(w, values.Mark, " "), !strings.Contains(w, "$"))
		v.Bare = true
		out = append(out, v)
	}
	return out
}

// object is an object of which only the kind is known.
func object(kind string) value { return value{}.As(kind) }

// fetched is what came from an address, and readFrom what was read from files or the
// environment.
func fetched(address string) value { return value{}.MadeOf(values.FromRemote(address)) }

func readFrom(sources ...string) value { return value{}.MadeOf(values.FromSources(sources...)) }

// taint gives a value what another one was made from.
func taint(v *value, from value) { v.Taint(&from) }

// paths are the texts of a value, or of its items.
func paths(v value) []string {
	if s := shown(v); s != "" {
		return []string{s}
	}
	out := make([]string, 0, len(v.Items()))
	for _, item := range list(v) {
		out = append(out, paths(item)...)
		if len(out) > MaxEffects {
			break
		}
	}
	return out
}

// list are the items of a list, which a table is not.
func list(v value) []value {
	if v.Keys() != nil {
		return nil
	}
	return v.Items()
}

// items are those of a list, or the value alone.
func items(v value) []value {
	if all := list(v); len(all) > 0 {
		return all
	}
	return []value{v}
}

// and is a list with a further item.
func and(v, next value) value { return values.List(append(items(v), next)...) }

// concat is one text after the other, or a list with more.
func (r *reader) concat(a, b value) value {
	if all := list(a); len(all) > 0 && len(all) < 1000 {
		return values.List(slices.Concat(all, items(b))...)
	}
	return r.together(a, b)
}

// together is two values in one text.
func (r *reader) together(a, b value) value {
	out := r.Concat(inText(a), inText(b))
	out.Text = values.PerhapsLast(out.Text)
	return out
}

// inText is a value as it stands in a text, where nothing is an empty one: C:\$()Users.
func inText(v value) value {
	switch {
	case v.Keys() != nil:
		return made("map", []value{v})
	case v.Form == values.IsUnknown, v.Form == values.IsList && len(v.Items()) != 1:
		nothing := values.Perhaps("")
		nothing.Taint(&v)
		return nothing
	}
	return v
}

// glued is one text after the other within a word: for each of those that a loop goes
// through.
func (r *reader) glued(a, b value) value {
	if len(list(a))+len(list(b)) == 0 {
		return r.concat(a, b)
	}
	var all []value
	for _, x := range items(a) {
		for _, y := range items(b) {
			if len(all) >= mostBetween || !r.Step() {
				r.doubt(Limit)
				return values.List(all...)
			}
			all = append(all, r.together(x, y))
		}
	}
	return values.List(all...)
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
	bare := l.out.Bare
	if l.flush(); l.pieces == 0 {
		l.out = v
	} else {
		l.out = l.r.glued(l.out, v)
	}
	l.out.Bare = bare
	l.pieces++
}

// isEmpty reports whether there was nothing yet.
func (l *letters) isEmpty() bool { return len(l.plain)+l.pieces == 0 }

// flush makes a piece of the letters, and is the word so far.
func (l *letters) flush() value {
	if plain := string(l.plain); plain != "" {
		l.plain = l.plain[:0]
		l.put(values.Text(plain))
	}
	return l.out
}
