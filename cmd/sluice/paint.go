package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// painter colours words for a terminal, or leaves them as they are.
type painter struct{ on bool }

type colour string

const (
	plain  colour = ""
	bold   colour = "1"
	dim    colour = "2"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
	blue   colour = "34"
	purple colour = "35"
	cyan   colour = "36"
)

func newPainter(when string, w io.Writer) (painter, error) {
	switch when {
	case "always":
		return painter{on: true}, nil
	case "never":
		return painter{}, nil
	case "auto":
		file, isFile := w.(*os.File)
		if !isFile || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
			return painter{}, nil
		}
		info, err := file.Stat()
		return painter{on: err == nil && info.Mode()&os.ModeCharDevice != 0}, nil
	}
	return painter{}, fmt.Errorf("--color: unknown value %q: use auto, always or never", when)
}

func (p painter) paint(c colour, text string) string {
	if !p.on || c == plain || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// tellf prints progress for people; errors of the writer are ignored.
func tellf(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// oneLine makes text from a stream safe and short enough for one line of a
// terminal: a model must not be able to move the cursor or to hide what it
// says.
func oneLine(text string, most int) string {
	var b strings.Builder
	n := 0
	for i, r := range text {
		if n >= most {
			b.WriteString("…")
			return b.String()
		}
		switch {
		case r == '\n':
			b.WriteString("⏎")
		case r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && text[i] != 0xEF:
			b.WriteString("�")
		case acts(r):
			fmt.Fprintf(&b, "\\u%04x", r)
			n += 5
		default:
			b.WriteRune(r)
		}
		n++
	}
	return b.String()
}

// acts reports whether a character does something to a terminal instead of
// being shown there.
func acts(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs)
}
