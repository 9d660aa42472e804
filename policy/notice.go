package policy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/wire"
)

// notice is the text that replaces a blocked block.
func (e *Engine) notice(r *ruling) string {
	var b strings.Builder
	switch e.opts.Format {
	case wire.OpenAIChat, wire.Gemini:
		// The dialect merges the texts of a message into one.
		if r.block.Position() > 0 {
			b.WriteString("\n\n")
		}
	default:
	}
	b.WriteString("[Sluice ")
	switch kind := r.block.Kind(); {
	case r.isCall():
		b.WriteString("blocked the tool call ")
		b.WriteString(plain(r.calledName(), 80))
		b.WriteString(attempted(&r.verdict))
	case kind == llm.Thinking:
		b.WriteString("removed thinking")
	case kind == llm.Opaque:
		b.WriteString("removed a block of the unknown type ")
		b.WriteString(plain(r.block.Type(), 80))
	default:
		b.WriteString("withheld this text")
	}
	b.WriteString(why(&r.verdict))
	b.WriteString("]")
	return b.String()
}

func (r *ruling) calledName() string {
	name := r.block.Name()
	if r.asCall && len(r.versions) > 0 {
		name = r.versions[0].Block.Name
	}
	if name == "" {
		name = r.block.Type()
	}
	return name
}

// why formats the reason and the policy.
func why(v *Verdict) string {
	text := ""
	if v.Reason != "" {
		text = ": " + strings.TrimRight(plain(v.Reason, 500), ".")
	}
	return text + " (policy " + plain(v.Policy, 80) + ")"
}

// withheldResult is the text that replaces a tool result that a policy kept
// from the model. It differs from that of a denied call, so that the model does
// not confuse the two.
func withheldResult(v *Verdict) string {
	return "[Sluice withheld this tool result" + why(v) + ". The tool did run.]"
}

// plain makes foreign text fit for one line: no control characters, and at most
// n bytes.
func plain(text string, most int) string {
	text = strings.ToValidUTF8(text, "?")
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
	if len(clean) <= most {
		return clean
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(clean[cut]) {
		cut--
	}
	return clean[:cut] + "..."
}
