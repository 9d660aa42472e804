package file

import (
	"strings"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// What a policy does, in sentences.

// what names what the policy applies to.
func (u *use) what() string {
	switch u.applies {
	case policy.KindsOf(llm.ToolCall):
		return "the call"
	case policy.KindsOf(llm.ToolResult):
		return "the result of the tool"
	case policy.KindsOf(llm.Content), policy.KindsOf(llm.Refusal):
		return "the text"
	case policy.KindsOf(llm.Thinking):
		return "the thinking"
	case policy.KindsOf(policy.Prompt):
		return "the prompt"
	default:
		return "the block"
	}
}

// does says what happens when the policy applies.
func (u *use) does() string {
	what := u.what()
	switch {
	case u.judge != nil:
		return "Asks " + u.judged() + ", which can say: " + u.then.action.String() + "."
	case u.hook != nil:
		return "Asks the program at " + u.hook.url + ", which can say: " + u.then.action.String() + "."
	case u.find != nil && u.find.placeholder:
		return "Restores the secrets that placeholders stand for where its condition holds. Where it does not, or where a placeholder is not known, blocks " + what + "."
	}
	if u.applies == policy.KindsOf(policy.Prompt) && u.then.action.Blocks() {
		return "Refuses the request."
	}
	switch u.then.action {
	case policy.Allow:
		return "Lets " + what + " pass."
	case policy.Annotate:
		return "Lets " + what + " pass and notes it in the records."
	case policy.Redact:
		if u.find != nil && u.find.secret {
			return "Replaces each secret in " + what + " by a placeholder, the same one for the same secret."
		}
		return "Replaces what it finds in " + what + " by " + quote(u.then.replacement) + "."
	case policy.Rewrite:
		if u.then.set != nil {
			return "Sets " + words.OneOf(u.sets()) + " of the call."
		}
		return "Rewrites what it finds in " + what + "."
	case policy.Ask:
		return "Asks a person about " + what + ". Where nobody can be asked, blocks it."
	case policy.BlockFeedback:
		return "Blocks " + what + " and tells the model why, which may try another way."
	case policy.BlockEndTurn:
		return "Blocks " + what + ". The client gets a text in its place."
	case policy.Abort:
		return "Ends the whole answer with an error."
	default:
		return "Blocks " + what + "."
	}
}

// judged names the model that is asked.
func (u *use) judged() string {
	name := u.judge.model
	if u.judge.modelParam != "" {
		name, _ = u.params[u.judge.modelParam].(string)
	}
	if name == "" {
		return "a model"
	}
	return "the model " + name
}

func (u *use) sets() []string {
	names := make([]string, 0, len(u.then.set))
	for _, a := range u.then.set {
		names = append(names, a.argument)
	}
	return names
}

// unsure says what happens when it is unknown whether the policy applies, empty
// if that cannot happen.
func (u *use) unsure() string {
	if u.when == nil {
		return ""
	}
	switch {
	case u.find != nil && u.find.placeholder:
		return "Blocks " + u.what() + "."
	case u.onUnknown == "judge":
		return "Asks the same about it."
	case u.onUnknown == "ask":
		return "Asks a person. Where nobody can be asked, blocks " + u.what() + "."
	case u.onUnknown == "allow":
		return "Judges what can be read, lets the rest pass and notes that it could not tell."
	case u.changes() && u.onUnknown == u.then.action.String():
		return "Does the same."
	default:
		return "Blocks " + u.what() + "."
	}
}

// fails says what happens when the policy fails.
func (u *use) fails() string {
	switch u.onError {
	case policy.Annotate:
		return "Lets " + u.what() + " pass and notes the failure."
	case policy.Ask:
		return "Asks a person. Where nobody can be asked, blocks " + u.what() + "."
	default:
		return "Blocks " + u.what() + "."
	}
}

// Try is the command line for trying one of the page's examples: the first that
// matches, preferably a command. It is empty if there are no examples.
func (p *Page) Try() string {
	if len(p.Examples) == 0 {
		return ""
	}
	e := &p.Examples[0]
	for i := range p.Examples {
		if p.Examples[i].worth() > e.worth() {
			e = &p.Examples[i]
		}
	}
	parts := []string{"sluice policy try"}
	add := func(flag, value string) {
		if value != "" {
			parts = append(parts, flag, inQuotes(value))
		}
	}
	if p.source() != presetPrefix+"recommended" {
		add("--policies", p.source())
	}
	add("--session-cwd", e.Cwd)
	add("--session-home", e.Home)
	add("--shell", e.Shell)
	add("--tool", e.Tool)
	add("--arguments", e.Arguments)
	if e.Result {
		add("--result", e.Text)
	} else {
		add("--text", e.Text)
	}
	return strings.Join(parts, " ")
}

// worth ranks examples by how much there is to see when they are tried.
func (e *Example) worth() int { return 2*btoi(e.Matches()) + btoi(e.Shell != "") }

// source is what to name to load the policy.
func (p *Page) source() string {
	if p.Preset != "" {
		return presetPrefix + p.Preset
	}
	return p.File
}

// inQuotes quotes a text as one word for a shell.
func inQuotes(text string) string {
	if text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
