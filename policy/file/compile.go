package file

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
	"github.com/sluice-project/sluice/policy/tools"

	"go.yaml.in/yaml/v3"
)

// compiler turns policies into guards.
type compiler struct {
	options *Options
	use     *use
	// programs are those that the files describe.
	programs *command.Catalogue
	searches searches
	failed   bool
}

// searches are the searches for secrets of one load, by who redacts: its policies share them, because compiling the
// patterns takes longer than anything else that such a policy needs.
type searches map[*secret.Redactor]search

// search is a search for secrets.
type search struct {
	rules []text.Rule
	chain *text.Chain
}

func newSearch(redactor *secret.Redactor) (search, error) {
	rules := redactor.Rules()
	chain, err := text.Compile(rules...)
	return search{rules, chain}, err
}

// searchOnly is for policies that replace nothing: it is the same in every load.
var searchOnly = sync.OnceValues(func() (search, error) { return newSearch(secret.NewRedactor(nil)) })

func (c *compiler) problem(where place, message, suggestion string) {
	c.failed = true
	c.use.fail(where, c.use.name, message, suggestion)
}

// compile makes a guard, nil if there are problems.
func (c *compiler) compile(params scope, excepts []exception) *guard {
	u := c.use
	g := &guard{
		name: u.name, applies: u.applies, action: u.then.action, reason: u.reason, said: u.reason != "",
		judges: u.onUnknown == "judge", failure: u.onError, brief: u.brief,
	}
	if g.reason == "" {
		g.reason = strings.Join(strings.Fields(u.doc), " ")
	}
	if g.reason == "" {
		g.reason = u.unexplained()
		if u.then.action == policy.Block || u.then.action == policy.BlockEndTurn || u.then.action == policy.BlockFeedback {
			if g.reason = "the policy forbids it"; u.find != nil && len(u.find.signs) > 0 { // what that is follows
				g.reason = "the policy forbids what the call adds"
			}
		}
	}
	switch u.onUnknown {
	case "ask":
		g.unknown = policy.Ask
	case "allow":
		g.unknown = policy.Annotate
	case u.then.action.String():
		g.unknown = u.then.action
	default:
		g.unknown = u.blocking()
	}
	o := rule.Options{Applies: u.applies, Params: params, Programs: c.programs, Written: u.written}
	if u.when != nil {
		g.when = c.condition(u.source, u.when, o)
	}
	for _, x := range excepts {
		o := o
		o.Written = false // an exception must be certain, whatever the policy makes of what is not known
		if e := c.condition(x.source, x.when, o); e != nil {
			g.excepts = append(g.excepts, e)
		}
	}
	for _, a := range u.then.set {
		program, err := rule.CompileValue(a.value.Value, o)
		if err != nil {
			c.expression(u.source, a.value, err)
		}
		g.set = append(g.set, setting{a.argument, program, a.adds})
	}
	switch {
	case u.find == nil:
	case u.find.secret:
		c.secrets(g)
	case u.find.placeholder:
		g.restores = c.redactor()
	case len(u.find.patterns) > 0:
		c.patterns(g)
	case len(u.find.signs) > 0:
		c.additions(g, params)
	}
	if u.tools != nil && u.sound {
		c.lists(g)
	}
	if c.failed {
		return nil
	}
	g.streams = g.changes() && g.chain != nil && g.applies.Has(llm.Content) && g.exchangeOnly() && (g.when == nil || !g.unknown.Blocks())
	return g
}

// exchangeOnly reports whether no condition of the guard depends on the block.
func (g *guard) exchangeOnly() bool {
	if g.when != nil && !g.when.OnlyExchange() {
		return false
	}
	for _, e := range g.excepts {
		if !e.OnlyExchange() {
			return false
		}
	}
	return true
}

func (c *compiler) condition(s *source, n *yaml.Node, o rule.Options) *rule.Program {
	program, err := rule.Compile(n.Value, o)
	if err != nil {
		c.expression(s, n, err)
		return nil
	}
	if c.use.preset == "" || s != c.use.source { // users of a preset cannot change its conditions
		for _, w := range program.Warnings() {
			s.warn(s.within(n, w.Line, w.Column), c.use.name, w.Message, w.Suggestion)
		}
	}
	return program
}

// expression reports what is wrong with an expression, at its position in the
// file.
func (c *compiler) expression(s *source, n *yaml.Node, err error) {
	c.failed = true
	if e, ok := errors.AsType[*rule.Error](err); ok {
		if strings.HasPrefix(e.Message, "syntax") && s.touchedByComment(n) {
			e.Suggestion = "for YAML, what begins with \" #\" is a comment: put the whole expression into single quotes, or write it below KEY: |"
		}
		s.fail(s.within(n, e.Line, e.Column), c.use.name, e.Message, e.Suggestion)
		return
	}
	s.fail(at(n), c.use.name, err.Error(), "")
}

// patterns compiles what is looked for.
func (c *compiler) patterns(g *guard) {
	u := c.use
	r := text.Rule{Name: u.name, Patterns: u.find.patterns, Except: u.find.except, Literal: true}
	if g.changes() {
		r.Replacement, r.Literal = u.then.replacement, u.then.action == policy.Redact
	}
	chain, err := text.Compile(r)
	if err == nil {
		g.rules, g.chain, g.quick = []text.Rule{r}, chain, anyOf(r.Patterns)
		return
	}
	where, message := u.find.where, err.Error()
	if e, ok := errors.AsType[*text.RuleError](err); ok {
		message = strings.TrimSuffix(e.Reason, ", or set Literal")
		nodes := u.find.nodes
		if e.Except {
			nodes = u.find.excepts
		}
		if e.Pattern >= 0 && e.Pattern < len(nodes) {
			where = at(nodes[e.Pattern])
			if refused, instead := pattern.Refused(nodes[e.Pattern].Value); refused != "" {
				c.problem(where, refused, instead)
				return
			}
		}
	}
	if !r.Literal {
		if r.Literal = true; isFine(r) {
			where = at(u.then.node) // the replacement is wrong, not the pattern
		}
	}
	c.problem(where, message, "")
}

// secrets prepares the search for secrets. Redacted secrets are replaced by
// placeholders, which a policy on calls can put back.
func (c *compiler) secrets(g *guard) {
	var redactor *secret.Redactor
	if g.changes() {
		redactor = c.redactor()
	}
	found, known := c.searches[redactor]
	if !known {
		var err error
		if redactor == nil {
			found, err = searchOnly()
		} else {
			found, err = newSearch(redactor)
		}
		if err != nil { // the rules are ours
			c.problem(c.use.find.where, err.Error(), "")
			return
		}
		c.searches[redactor] = found
	}
	g.rules, g.chain, g.secrets = found.rules, found.chain, true
}

// redactor is the host's, nil if it has none that can be used.
func (c *compiler) redactor() *secret.Redactor {
	r, err := c.options.Redactor()
	if err != nil {
		c.problem(c.use.find.where, err.Error(), "")
		return nil
	}
	return r
}

// anyOf returns an expression that matches where one of the patterns does, nil
// if they cannot be combined.
func anyOf(patterns []string) *regexp.Regexp {
	all, err := regexp.Compile("(?:" + strings.Join(patterns, ")|(?:") + ")")
	if err != nil {
		return nil
	}
	return all
}

func isFine(r text.Rule) bool {
	_, err := text.Compile(r)
	return err == nil
}

// lists compiles the lists of tools.
func (c *compiler) lists(g *guard) {
	t, err := tools.New(tools.Config{
		Allow: c.use.tools.allow, Deny: c.use.tools.deny, Schema: c.use.tools.schema,
		Then: g.action, Reason: cmp.Or(c.use.reason, strings.Join(strings.Fields(c.use.doc), " ")),
	})
	if err != nil {
		c.problem(c.use.tools.where, err.Error(), "")
		return
	}
	g.lists = t
}

// definition is the guard as a member of a set.
func (u *use) definition(g *guard) policy.Definition {
	d := policy.Definition{
		Name: u.name, Version: u.version(), Decides: u.decides(), Applies: g.applies, Timeout: u.bound(), OnError: u.onError,
		// A hook can say how to block.
		Feedback: g.action != policy.BlockEndTurn && u.hook == nil, Reason: g.reason, New: g.begin,
		Waits: g.ask != nil,
	}
	if !u.brief {
		d.Describe = g.attempt
	}
	if g.same() {
		always := g.begin(nil)
		d.Policy = &always
	}
	if u.mode == shadowed {
		d.Mode = policy.Shadow
	}
	if g.streams {
		d.Text, d.TextAction = g.rules, g.action
		if held := g.held(); held != 0 {
			d.Applies = held // text of content is replaced without holding it
		}
	}
	return d
}

// unexplained is the reason of a policy that gives none. Notices name it anyway.
func (u *use) unexplained() string {
	switch {
	case u.find != nil:
		return "it has what the policy " + u.name + " looks for"
	case u.when != nil:
		return "the condition of the policy " + u.name + " holds"
	default:
		return "the policy " + u.name + " says so"
	}
}

// times says how often something was found.
func times(n int) string {
	if n == 1 {
		return "found once"
	}
	return fmt.Sprintf("found %d times", n)
}
