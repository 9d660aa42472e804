package tools

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/internal/schema"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
)

// maxReason is the maximum length of a reason in characters, not counting the
// operator's text.
const maxReason = 600

// Config configures which tools may be called. At least one of Allow, Deny and
// Schema must be set.
type Config struct {
	// Allow are patterns of the tools that may be called; empty means all.
	Allow []string
	// Deny are patterns of tools that may not be called, whatever Allow says.
	Deny []string
	// Schema checks the arguments against the declared schema, and that the
	// tool is declared at all.
	Schema bool
	// Then is the action for a call that is not acceptable: Annotate, Ask,
	// Block, BlockFeedback, BlockEndTurn or Abort. Zero means Block.
	Then policy.Action
	// Reason is added to what the model and people are told.
	Reason string
}

// Tools is a policy on the tools that are called. It is safe for concurrent use.
type Tools struct {
	allow, deny list
	schema      bool
	then        policy.Action
	reason      string
	cache       cache
}

// New returns a policy, or an error that says what is wrong with c.
func New(c Config) (*Tools, error) {
	if c.Then == 0 {
		c.Then = policy.Block
	}
	switch {
	case len(c.Allow) == 0 && len(c.Deny) == 0 && !c.Schema:
		return nil, errors.New("tools: nothing to check: set allow, deny or schema")
	case c.Then != policy.Annotate && c.Then != policy.Ask && !c.Then.Blocks() && c.Then != policy.Abort:
		return nil, fmt.Errorf("tools: %s is not possible for a call that is not acceptable: use annotate, ask, block or abort", c.Then)
	}
	t := &Tools{schema: c.Schema, then: c.Then, reason: c.Reason}
	var err error
	if t.allow, err = newList("allow", c.Allow); err != nil {
		return nil, err
	}
	if t.deny, err = newList("deny", c.Deny); err != nil {
		return nil, err
	}
	return t, nil
}

// Definition returns the policy as a member of a set. Its OnError is left for
// the caller to set.
func Definition(name string, c Config) (policy.Definition, error) {
	t, err := New(c)
	if err != nil {
		return policy.Definition{}, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %v %s %q", c.Allow, c.Deny, c.Schema, t.then, c.Reason))
	return policy.Definition{
		Name:     name,
		Version:  hex.EncodeToString(sum[:8]),
		Feedback: t.then != policy.BlockEndTurn,
		New:      func(*policy.Exchange) policy.Policy { return policy.Policy{Judge: t.Judge} },
	}, nil
}

// Judge decides about a tool call. Blocks of other kinds are allowed. It does
// not block.
func (t *Tools) Judge(_ context.Context, s *policy.Subject) policy.Verdict {
	if s.Block.Kind != llm.ToolCall {
		return policy.Verdict{Action: policy.Allow}
	}
	reason, maybe := t.listed(s)
	switch {
	case maybe:
		v := t.refuse(reason)
		v.Cause = policy.CauseUnknown
		return v
	case reason != "":
		return t.refuse(reason)
	}
	if !t.schema {
		return policy.Verdict{Action: policy.Allow}
	}
	if reason := t.undeclared(s); reason != "" {
		return t.refuse(reason)
	}
	tool := s.Tool()
	if tool == nil || len(tool.Schema) == 0 || s.Block.Freeform() || !takesArguments(s.Block.Type) {
		return policy.Verdict{Action: policy.Allow}
	}
	arguments, err := s.Arguments()
	if err != nil {
		return t.refuse(fmt.Sprintf("the arguments of %s are not one JSON object: write them again", show(s.Block.Name)))
	}
	declared, err := t.cache.get(tool.Schema)
	if err != nil {
		return failed(s, err)
	}
	wrong, err := declared.Check(arguments)
	switch {
	case err != nil:
		return failed(s, err)
	case wrong != nil:
		return t.refuse(fmt.Sprintf("the arguments of %s do not fit its declaration: %s", show(s.Block.Name), wrong.Explain("the arguments")))
	}
	return policy.Verdict{Action: policy.Allow}
}

// listed says why a tool may not be called, or one that it passes the call on to, empty if
// it may. maybe: that depends on which server the tool is of, which is not known.
func (t *Tools) listed(s *policy.Subject) (reason string, maybe bool) {
	if len(t.allow) == 0 && len(t.deny) == 0 {
		return "", false
	}
	var c call.Call
	in := call.Setting{Client: clientOf(s)}
	c.Fill(&s.Block, in, false)
	reason, maybe = t.lists(&c, nameOf(s))
	inner, innerMaybe := t.passed(&c, nameOf(s), in)
	switch {
	case inner != "" && (reason == "" || maybe || t.deny.denies([]spelled{spell(nameOf(s), true)}) == nil):
		return inner, innerMaybe
	case reason != "":
		return reason + t.instead(s), maybe
	default:
		return "", false
	}
}

// passed is listed for the tools that a call is passed on to.
func (t *Tools) passed(c *call.Call, outer string, in call.Setting) (reason string, maybe bool) {
	for i := range c.Passed {
		p := &c.Passed[i]
		if p.Name == "" {
			return show(outer) + " calls a tool whose name is not known, and some tools may not be called: write its name", false
		}
		var passed call.Call
		passed.FillPassed(p, in)
		if why, perhaps := t.lists(&passed, p.Name); why != "" && (reason == "" || maybe) {
			reason, maybe = why+", and "+show(outer)+" calls it", perhaps
		}
	}
	return reason, maybe
}

// clientOf is the program that makes the call, empty if it is not known.
func clientOf(s *policy.Subject) string {
	if s.Exchange == nil {
		return ""
	}
	return s.Exchange.Session.Client
}

// lists says why a call may not be made, empty if it may. maybe: it is not known whether
// the tool is one that may not be called.
func (t *Tools) lists(c *call.Call, name string) (reason string, maybe bool) {
	switch own, all := names(c); {
	case t.deny.denies(all) != nil:
		return fmt.Sprintf("the tool %s is on the list of denied tools", show(name)), false
	case len(t.allow) > 0:
		if t.allow.allows(own) == nil {
			return fmt.Sprintf("the tool %s is not on the list of allowed tools", show(name)), false
		}
		return "", false
	case c.ServerUnknown:
		if entry := t.deny.denies(splits(name)); entry != nil {
			return fmt.Sprintf("the tool %s may be on the list of denied tools as %s: it is not known which server it is of", show(name), entry.written), true
		}
	}
	return "", false
}

// nameOf is the tool's name, or the provider's type for calls without one.
func nameOf(s *policy.Subject) string {
	if s.Block.Name == "" {
		return s.Block.Type
	}
	return s.Block.Name
}

// passes reports whether the lists let a declared tool be called.
func (t *Tools) passes(name string) bool {
	own, all := names(call.Read(&llm.Block{Kind: llm.ToolCall, Name: name, Arguments: "{}", Status: llm.Complete}, call.Place{}))
	return t.deny.denies(all) == nil && (len(t.allow) == 0 || t.allow.allows(own) != nil)
}

// declared are the tools that the request declares, none if it is not known.
func declared(s *policy.Subject) []llm.Tool {
	if s.Exchange == nil {
		return nil
	}
	asked := s.Exchange.Asked()
	if asked == nil {
		return nil
	}
	return asked.Tools
}

func (t *Tools) instead(s *policy.Subject) string {
	others := near(s.Block.Name, declared(s), t.passes)
	if len(others) == 0 {
		return ""
	}
	return "; tools that can be called are " + schema.Quoted(others)
}

// undeclared says that the request does not declare a tool. It is empty for
// requests that declare none, for calls of a tool without a name, and if the
// model can search for tools that are declared later.
func (t *Tools) undeclared(s *policy.Subject) string {
	tools := declared(s)
	if len(tools) == 0 || s.Tool() != nil {
		return ""
	}
	if !takesArguments(s.Block.Type) && !s.Block.Freeform() {
		return ""
	}
	for i := range tools {
		if strings.HasPrefix(tools[i].Type, "tool_search") {
			return ""
		}
	}
	return "the request declares no tool " + show(s.Block.Name) + t.instead(s)
}

// takesArguments reports whether calls of a provider's type have arguments that
// a declared schema applies to. The others carry an action that the provider
// defines, such as local_shell_call.
func takesArguments(providerType string) bool {
	switch providerType {
	case "", "tool_use", "function", "function_call", "functionCall":
		return true
	}
	return false
}

func (t *Tools) refuse(reason string) policy.Verdict {
	reason = schema.Printable(reason, maxReason)
	if t.reason != "" {
		reason += ". " + t.reason
	}
	return policy.Verdict{Action: t.then, Reason: reason}
}

func failed(s *policy.Subject, err error) policy.Verdict {
	return policy.Verdict{
		Cause:  policy.CauseError,
		Err:    fmt.Errorf("tools: %s: %w", show(s.Block.Name), err),
		Reason: fmt.Sprintf("the arguments of %s could not be checked", show(s.Block.Name)),
	}
}

// show quotes a tool's name.
func show(name string) string { return strconv.Quote(schema.Printable(name, 64)) }
