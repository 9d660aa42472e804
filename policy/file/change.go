package file

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
)

// replaces reports whether a change is made. What is not known to be exempt is
// changed, unless the policy says that it passes.
func (p *part) replaces(m match) bool {
	switch {
	case m.err != nil:
		return p.failure != policy.Annotate
	case m.outcome == rule.Unknown:
		return p.unknown != policy.Annotate
	default:
		return m.outcome == rule.True
	}
}

// change returns the changed form of a block.
func (p *part) change(_ context.Context, s *policy.Subject) policy.Change {
	m := p.about(s)
	unknown := m.err == nil && m.outcome == rule.Unknown
	switch {
	case m.err != nil:
		return p.failed(m.err)
	case unknown && !p.replaces(m):
		return p.unsureChange(m.what)
	case !p.replaces(m):
		return policy.Change{}
	}
	text, notes, err := p.other(s)
	var inner *unknownInnerError
	switch {
	case unknown && p.stopsUnknown() && (err != nil || text != s.Text()):
		return p.unsureChange(m.what)
	case errors.As(err, &inner):
		return p.unsureChange(inner.what)
	case errors.Is(err, errInner):
		c := p.failed(err)
		c.Reason = strings.TrimRight(p.reason, ".:; ") + " (" + err.Error() + ")"
		return c
	case err != nil:
		return p.failed(err)
	case text == s.Text():
		return policy.Change{}
	}
	c := policy.Change{Action: p.action, Text: text, Reason: p.reason, Notes: notes}
	if unknown {
		why := p.unsureChange(m.what)
		c.Cause, c.Reason, c.Notes = why.Cause, why.Reason, append(c.Notes, why.Notes...)
	}
	return c
}

// stopsUnknown reports whether a call or text is blocked, and not changed, if it is not
// known whether the condition holds.
func (p *part) stopsUnknown() bool { return p.unknown.Blocks() }

// unsureChange is what the policy does, instead of its change, if it is not known whether
// the condition holds.
func (p *part) unsureChange(what string) policy.Change {
	v := p.unsure(what)
	return policy.Change{Action: v.Action, Cause: v.Cause, Reason: v.Reason, Notes: v.Notes}
}

// unknownInnerError says what is not known of a call that is passed on.
type unknownInnerError struct{ what string }

func (e *unknownInnerError) Error() string { return "it is unknown whether the condition holds" }

// failed is the change of a policy that could not make it.
func (p *part) failed(err error) policy.Change {
	return policy.Change{Action: p.failure, Reason: "the policy could not decide", Notes: []string{failureNote + err.Error()}}
}

// failureNote begins the note of a change that could not be made.
const failureNote = "error: "

// failure says why a change could not be made.
func failure(c policy.Change) (text string, failed bool) {
	if len(c.Notes) == 0 {
		return "", false
	}
	return strings.CutPrefix(c.Notes[0], failureNote)
}

// other returns the changed form of a block's text or arguments.
func (p *part) other(s *policy.Subject) (text string, notes []string, err error) {
	if p.chain == nil {
		text, err = p.assign(s)
		return text, nil, err
	}
	found := 0
	replace := func(text string) string {
		if p.rulesOut(text) {
			return text
		}
		changed, hits := p.chain.Replace(text)
		found += hits
		return changed
	}
	switch text = s.Text(); {
	case hasJSON(&s.Block):
		text, err = eachString(text, replace)
	case s.Block.Kind == policy.Prompt && jsonscan.IsObject(text):
		// It can be the arguments of an earlier call, as a text: what was found in
		// each string then has to be found again.
		if text, err = eachString(text, replace); err == nil {
			text = replace(text)
		}
	default:
		text = replace(text)
	}
	return text, []string{times(found)}, err
}

// find counts the matches in a block.
func (g *guard) find(s *policy.Subject) (int, error) {
	found := 0
	count := func(text string) string {
		hits := 0
		if !g.rulesOut(text) {
			hits = len(g.chain.Find(text))
			if strings.IndexByte(text, '%') >= 0 {
				if plain, err := url.QueryUnescape(text); err == nil && plain != text { // as in a URL
					hits += len(g.chain.Find(plain))
				}
			}
		}
		if g.secrets && hits == 0 {
			if plain := effect.Unescaped(text); plain != text && !g.rulesOut(plain) { // as in JSON
				hits = len(g.chain.Find(plain))
			}
		}
		found += hits
		return text
	}
	switch {
	case hasJSON(&s.Block):
		if args := s.Block.Arguments; s.Readable() && strings.IndexByte(args, '\\') < 0 && g.secrets && g.rulesOut(args) {
			return g.inCommands(s), nil // no match in the whole means none in its strings
		}
		_, err := eachString(s.Block.Arguments, count)
		if found == 0 && g.secrets && err == nil {
			found = g.inCommands(s)
		}
		return found, err
	case s.Block.Kind == llm.Opaque:
		count(string(s.Block.Raw))
	default:
		count(s.Text())
	}
	if found == 0 && g.secrets && s.Block.Kind == llm.ToolCall { // a script
		found = g.inCommands(s)
	}
	return found, nil
}

// inCommands counts the matches in the words of a call's commands, and in what these
// write and send, that do not stand in the call as they are: cut by quotes, put together
// from variables, decoded, or in a file that is sent.
func (g *guard) inCommands(s *policy.Subject) int {
	c := rule.CallOf(s)
	found := 0
	look := func(text string) {
		if len(text) >= shortestSecret && !g.rulesOut(text) && !strings.Contains(c.Raw, text) {
			found += len(g.chain.Find(text))
		}
	}
	for i := range c.Commands {
		for _, word := range c.Commands[i].Args {
			look(word)
		}
	}
	for i := range c.Effects {
		if c.Effects[i].Command >= 0 {
			look(c.Effects[i].Content)
		}
	}
	for _, url := range c.URLs { // keys that are glued to other text
		if apart := secret.Apart(url); apart != url {
			look(apart)
		}
	}
	return found
}

// shortestSecret is the length from which a word is looked at.
const shortestSecret = 12

// short is the length up to which a plain regular expression is faster than
// starting a stream. Arguments can have hundreds of thousands of strings.
const short = 256

// mostLookedOver is the length up to which a prefilter runs before the search
// for secrets. The search itself is fast for long texts.
const mostLookedOver = 512

// rulesOut reports that nothing can be found in a text.
func (g *guard) rulesOut(text string) bool {
	if g.secrets {
		return noSecretIn(text)
	}
	return text == "" || len(text) <= short && g.quick != nil && !g.quick.MatchString(text)
}

// noSecretIn is a prefilter: it rules out most short texts without a secret.
func noSecretIn(text string) bool { return len(text) <= mostLookedOver && !secret.Likely(text) }

func hasJSON(b *llm.Block) bool {
	return (b.Kind == llm.ToolCall || b.Kind == llm.ServerTool) && !b.Freeform()
}

// eachString passes every string value of a JSON document to change and returns
// the document with the results. Keys, all other bytes and unchanged strings
// stay as they are.
func eachString(document string, change func(string) string) (string, error) {
	if document == "" {
		return "", nil
	}
	data := jsonscan.View(document)
	if err := jsonscan.Valid(data); err != nil {
		return "", err
	}
	var out []byte
	kept := 0 // what is before it has been written to out
	for i := 0; i < len(data); i++ {
		if data[i] != '"' {
			continue
		}
		end, escaped := jsonscan.StringEnd(data, i)
		if end < 0 {
			return "", errors.New("the arguments are not JSON") // Valid has seen to it
		}
		if !isKey(data[end:]) {
			text := document[i+1 : end-1]
			if escaped {
				text, _ = jsonscan.Text(data[i:end])
			}
			if changed := change(text); changed != text {
				out = append(out, data[kept:i]...)
				out = jsonscan.AppendString(out, changed)
				kept = end
			}
		}
		i = end - 1
	}
	if kept == 0 {
		return document, nil
	}
	return string(append(out, data[kept:]...)), nil
}

// isKey reports whether what follows a string makes it a key.
func isKey(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && rest[0] == ':'
}
