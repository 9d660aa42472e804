package policy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxAttempt is the maximum length in bytes of the description of what a call would
// have done.
const MaxAttempt = 240

// describe adds to a verdict that stops a call what the call would have done.
func (e *Engine) describe(v *Verdict, r *ruling) {
	if v.Attempt != "" || v.Action < Ask || e.assembly == nil || len(r.versions) == 0 || !r.isCall() {
		return
	}
	def := e.definition(v.Policy)
	if def == nil || def.Describe == nil {
		return
	}
	forms := r.versions
	if r.changed { // secrets may have been put back that the model never saw
		forms = []*Subject{e.subject(r, e.shown(r))}
	}
	var said []string
	for _, s := range forms { // it is not known which form the client would use
		if text := harmless(def.ask(s)); text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	v.Attempt = clip(strings.Join(said, " or "), MaxAttempt)
}

// definition returns the named policy's definition, nil if it takes no part.
func (e *Engine) definition(name string) *Definition {
	for i := range e.parts {
		if e.parts[i].def.Name == name {
			return e.parts[i].def
		}
	}
	return nil
}

// ask calls Describe. A description must not stop anything, so one that panics
// yields an empty text.
func (d *Definition) ask(s *Subject) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return d.Describe(s)
}

// attempted formats what a call would have done, to follow its name.
func attempted(v *Verdict) string {
	if v.Attempt == "" {
		return ""
	}
	return " (" + v.Attempt + ")"
}

// harmless sanitizes text that a model contributed to, so that it can be quoted in a
// notice: one line with nothing in it to act on. Agents scan text for tags, fenced
// code, JSON and "Action:", terminals for escapes, pages for links and images, and
// readers of notices for their brackets; so every character that these are made of is
// removed, not only the patterns known today.
func harmless(text string) string {
	text = strings.ToValidUTF8(text, "_")
	var b strings.Builder
	gap := false
	for i, c := range text {
		switch {
		case unicode.IsSpace(c):
			gap = b.Len() > 0
			continue
		case unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c):
			continue // invisible characters hide what is between them
		case c == ':' && !pathOrPort(text[i+1:]), !isPlain(c):
			c = '_'
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(c)
		if b.Len() > MaxAttempt {
			break
		}
	}
	return b.String()
}

// isPlain reports whether a character occurs in words, paths, addresses and options.
func isPlain(c rune) bool {
	if c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/._-~@,+=%*?&#$;:'^|\\", c)
	}
	return c == '…' || unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c)
}

// pathOrPort reports whether what follows a colon makes it part of an address or
// a path, and not the end of a keyword.
func pathOrPort(rest string) bool {
	return rest != "" && (rest[0] == '/' || rest[0] == '\\' || rest[0] >= '0' && rest[0] <= '9')
}

// clip cuts a text to at most n bytes.
func clip(text string, most int) string {
	const dots = "..."
	if len(text) <= most {
		return text
	}
	cut := most - len(dots)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + dots
}
