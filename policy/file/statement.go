package file

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/internal/vocabulary"

	"go.yaml.in/yaml/v3"
)

// statement is one policy as it was written.
type statement struct {
	*source
	node    *yaml.Node
	name    string
	where   place
	applies policy.Kinds
	// at most one of find, tools, judge and hook is set.
	when  *yaml.Node
	find  *find
	tools *lists
	judge *question
	hook  *callout

	then      outcome
	onUnknown string
	onError   policy.Action
	// unknownAt and errorAt are the positions of on_unknown and on_error.
	unknownAt *yaml.Node
	errorAt   *yaml.Node
	// sound: no problem was found in it.
	sound  bool
	reason string
	// written: texts of a call of which a part is not known are compared as they
	// are written.
	written bool
	// short: notices do not say what a call would have done.
	short bool
	// doc, sees and blind explain the policy to people: what it is for, what
	// it sees and what it cannot see.
	doc, sees, blind string
	mode             mode
	timeout          time.Duration
	params           []param
	examples         []example
}

// find is what a policy looks for in a text.
type find struct {
	where    place
	patterns []string
	nodes    []*yaml.Node
	// except are patterns of what is left as it is.
	except  []string
	excepts []*yaml.Node
	// secret and placeholder: it looks for secrets, or for placeholders of
	// redacted secrets.
	secret, placeholder bool
	// signs are looked for in what a call adds to files.
	signs []sign
}

// lists are the tools that may and may not be called.
type lists struct {
	where       place
	allow, deny []string
	schema      bool
}

// question is what a model is asked.
type question struct {
	where        place
	model        string
	modelParam   string // the parameter that has the model
	modelAt      place
	instructions string
	conversation bool
	threshold    float64
	timeout      time.Duration
	retries      *int
	cache        *time.Duration
}

// callout is the address of a hook.
type callout struct {
	where    place
	url      string
	urlAt    place
	secret   string
	secretAt place
	timeout  time.Duration
	retries  *int
	cache    *time.Duration
}

var kinds = []llm.Kind{
	llm.Content, llm.Thinking, llm.Refusal, llm.ToolCall, llm.ServerTool, llm.ToolResult, policy.Prompt, llm.Opaque,
}

func kindNames() []string {
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return names
}

// namesOf returns the names of the kinds of a set.
func namesOf(set policy.Kinds) []string {
	var names []string
	for _, k := range kinds {
		if set.Has(k) {
			names = append(names, k.String())
		}
	}
	return names
}

// statement reads a policy, and leaves it to check to say what is inconsistent.
func (r *reader) statement(n *yaml.Node, i int) *statement {
	before := r.report.found
	for j := 0; j+1 < len(n.Content); j += 2 { // so that every problem can name its policy
		if n.Content[j].Value == "name" && n.Content[j+1].Kind == yaml.ScalarNode {
			r.policy = clip(n.Content[j+1].Value)
		}
	}
	m := r.object(n, "the policy", keyNames(policyKeys)...)
	s := &statement{
		source: r.source, node: n, where: at(n),
		name:   r.nameOf(n, m["name"], i),
		when:   r.expression(m["when"]),
		reason: r.text(m["reason"]),
		mode:   r.mode(m["mode"]),
		doc:    r.text(m["doc"]),
		sees:   r.text(m["sees"]),
		blind:  r.text(m["blind"]),
		short:  r.short(m["notice"]),

		written: r.written(m["compare"], r.asWritten),
	}
	s.timeout = r.duration(m["timeout"], false)
	s.applies = r.kinds(m["applies_to"])
	if f, ok := m["find"]; ok {
		s.find = r.find(f)
	}
	if t, ok := m["tools"]; ok {
		s.tools = r.tools(t)
	}
	if j, ok := m["judge"]; ok {
		s.judge = r.judge(j)
	}
	if h, ok := m["hook"]; ok {
		s.hook = r.hook(h)
	}
	if p, ok := m["params"]; ok {
		s.params = r.declared(p.value)
	}
	if t, ok := m["then"]; ok {
		s.then = r.outcome(t)
	} else {
		r.problemf(n, "add `then: block`, or another of "+words.OneOf(thenWords), "the policy does not say what happens then")
	}
	s.onUnknown, s.unknownAt = r.word(m["on_unknown"], "judge", "ask", "block", "allow"), m["on_unknown"].value
	s.onError, s.errorAt = r.failure(m["on_error"]), m["on_error"].value
	for _, e := range r.list(m["examples"]) {
		if example, ok := r.example(e); ok {
			s.examples = append(s.examples, example)
		}
	}
	s.check(r, m)
	s.sound = r.report.found == before
	return s
}

// failure reads on_error. A failure that is allowed is always annotated.
func (r *reader) failure(m member) policy.Action {
	switch r.word(m, "ask", "block", "allow") {
	case "ask":
		return policy.Ask
	case "block":
		return policy.Block
	case "allow":
		return policy.Annotate
	}
	return 0
}

func (r *reader) kinds(m member) policy.Kinds {
	if m.value == nil {
		return policy.KindsOf(llm.ToolCall)
	}
	var set policy.Kinds
	for _, n := range r.list(m) {
		word := r.word(member{"applies_to", n, n}, kindNames()...)
		for _, k := range kinds {
			if k.String() == word {
				set |= policy.KindsOf(k)
			}
		}
	}
	return set
}

func (r *reader) find(m member) *find {
	f := &find{where: at(m.key)}
	members := r.object(m.value, "find", keyNames(findKeys)...)
	f.secret, f.placeholder = r.truth(members["secret"]), r.truth(members["placeholder"])
	p, ok := members["pattern"]
	added, adds := members["added"]
	if btoi(ok)+btoi(adds)+btoi(f.secret)+btoi(f.placeholder) > 1 {
		r.problemf(m.value, "make one policy of each", "find looks for one thing: a pattern, what is added, secrets or placeholders")
	}
	if adds {
		f.signs = r.signs(added)
	}
	if e, but := members["except"]; but && !ok {
		r.problemf(e.key, "write it beside pattern", "except takes out some of what a pattern finds, and find has no pattern")
	} else if but {
		f.except, f.excepts = r.texts(e), r.list(e)
	}
	if f.secret || f.placeholder || adds {
		return f
	}
	if !ok {
		if m.value.Kind == yaml.MappingNode && len(m.value.Content) == 0 {
			r.problemf(m.value, `write find: {pattern: "REGULAR EXPRESSION"}`, "find has no pattern")
		}
		return f
	}
	f.patterns, f.nodes = r.texts(p), r.list(p)
	return f
}

func (r *reader) tools(m member) *lists {
	members := r.object(m.value, "tools", keyNames(toolsKeys)...)
	l := &lists{
		where: at(m.key), allow: r.texts(members["allow"]), deny: r.texts(members["deny"]),
		schema: r.truth(members["schema"]),
	}
	r.toolNames(members["allow"])
	r.toolNames(members["deny"])
	if m.value.Kind == yaml.MappingNode && len(m.value.Content) == 0 {
		r.problemf(m.value, "write tools: {deny: [NAME]}, with allow, deny or schema", "tools is empty")
	}
	return l
}

// toolNames rejects kinds that there are not, and warns of names that resemble
// those of a known tool: such a list would have no effect.
func (r *reader) toolNames(m member) {
	for _, n := range r.listed(m) {
		name := strings.TrimSpace(n.Value)
		if kind, ok := strings.CutPrefix(strings.ToLower(name), "kind:"); ok {
			kinds := make([]string, 0, len(call.Kinds()))
			for _, k := range call.Kinds() {
				kinds = append(kinds, string(k))
			}
			if !slices.Contains(kinds, kind) && !strings.Contains(kind, "*") {
				message, suggestion := vocabulary.Members["Call"]["kind"].Never(kind)
				r.problemf(n, suggestion, "%s", strings.Replace(message, "kind of call", "kind of tool", 1))
			}
			continue
		}
		if strings.ContainsAny(name, "*/") || call.IsKnown(name) {
			continue
		}
		if near := words.Nearest(strings.ToLower(name), call.Names(), 2); near != "" && len(name) > 3 {
			r.warn(at(n), r.policy, fmt.Sprintf("no usual tool has the name %q", name), fmt.Sprintf("did you mean %s?", near))
		}
	}
}

// listed are the texts of a list that is there, without saying what is wrong with
// others.
func (r *reader) listed(m member) []*yaml.Node {
	if m.value == nil {
		return nil
	}
	list := []*yaml.Node{m.value}
	if m.value.Kind == yaml.SequenceNode {
		list = m.value.Content
	}
	return slices.DeleteFunc(slices.Clone(list), func(n *yaml.Node) bool { return n.Kind != yaml.ScalarNode })
}

func (r *reader) judge(m member) *question {
	members := r.object(m.value, "judge", keyNames(judgeKeys)...)
	q := &question{
		where: at(m.key), instructions: r.text(members["instructions"]), conversation: r.truth(members["conversation"]),
		threshold: r.fraction(members["threshold"]), timeout: r.duration(members["timeout"], false),
		retries: r.retries(members["retries"]), cache: r.cache(members["cache"]),
	}
	if v, ok := members["model"]; ok {
		q.modelAt = at(v.value)
		if q.modelParam, ok = r.param(v); !ok {
			q.model = r.text(v)
		}
	} else if m.value.Kind == yaml.MappingNode {
		r.problemf(m.value, "add `model:` with the name of a model", "the judge has no model")
	}
	return q
}

func (r *reader) hook(m member) *callout {
	members := r.object(m.value, "hook", keyNames(hookKeys)...)
	c := &callout{
		where: at(m.key), url: r.text(members["url"]), secret: r.text(members["secret_env"]),
		timeout: r.duration(members["timeout"], false), retries: r.retries(members["retries"]),
		cache: r.cache(members["cache"]),
	}
	if v, ok := members["url"]; ok {
		c.urlAt = at(v.value)
	} else if m.value.Kind == yaml.MappingNode {
		r.problemf(m.value, "add `url:` with an https address", "the hook has no url")
	}
	if v, ok := members["secret_env"]; ok {
		c.secretAt = at(v.value)
	}
	return c
}

// maxRetries bounds how often a question is repeated while a block waits.
const maxRetries = 10

func (r *reader) retries(m member) *int {
	if m.value == nil {
		return nil
	}
	n := r.count(m, maxRetries)
	return &n
}

func (r *reader) cache(m member) *time.Duration {
	if m.value == nil {
		return nil
	}
	d := r.duration(m, true)
	return &d
}
