package file

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/pattern"
	"github.com/sluice-project/sluice/policy/text"
)

// sign is a named pattern to look for in what a call adds to files, or the keys that
// are no examples.
type sign struct {
	name     string
	where    place
	live     bool
	patterns []string
	nodes    []*yaml.Node
	except   []string
	excepts  []*yaml.Node
	files    pathList
}

// pathList are paths as they were written, or the parameter that has them.
type pathList struct {
	where place
	list  []string
	param string
}

// signs reads NAME: PATTERN, a list of patterns, {pattern: …, files: …}, or
// {secret: true, files: …}.
func (r *reader) signs(m member) []sign {
	members := r.members(m.value, m.name)
	if m.value.Kind == yaml.MappingNode && len(m.value.Content) == 0 {
		r.problemf(m.value, `write added: {NAME: "REGULAR EXPRESSION"}`, "added names nothing")
	}
	list := make([]sign, 0, len(members))
	for _, one := range members {
		s := sign{name: one.name, where: at(one.key)}
		patterns := one
		if one.value.Kind == yaml.MappingNode {
			long := r.object(one.value, one.name, "pattern", "except", "files", "secret")
			if files, ok := long["files"]; ok {
				s.files = r.paths(files)
			}
			var ok bool
			patterns, ok = long["pattern"]
			if e, but := long["except"]; but && !ok {
				r.problemf(e.key, "write it beside pattern", "except takes out some of what a pattern finds, and %s has no pattern", quote(one.name))
			} else if but {
				s.except, s.excepts = r.texts(e), r.list(e)
			}
			switch s.live = r.truth(long["secret"]); {
			case s.live && ok:
				r.problemf(one.value, "make two of it", "%s looks for a pattern and for keys", quote(one.name))
			case s.live:
				list = append(list, s)
				continue
			case !ok:
				r.problemf(one.value, "add `pattern:`", "%s has no pattern", quote(one.name))
				continue
			}
		}
		s.patterns, s.nodes = r.texts(patterns), r.list(patterns)
		list = append(list, s)
	}
	return list
}

// paths reads a list of paths, or the parameter that has it.
func (r *reader) paths(m member) pathList {
	if name, ok := r.param(m); ok {
		return pathList{where: at(m.value), param: name}
	}
	return pathList{where: at(m.value), list: r.texts(m)}
}

// param reads {param: NAME}, which refers to the value of a parameter; false if
// it is something else.
func (r *reader) param(m member) (name string, ok bool) {
	if m.value == nil || m.value.Kind != yaml.MappingNode {
		return "", false
	}
	inner := r.object(m.value, m.name, "param")
	if _, ok := inner["param"]; !ok && len(m.value.Content) == 0 {
		r.problemf(m.value, "write {param: NAME}", "%s names no parameter", m.name)
	}
	return r.text(inner["param"]), true
}

// additions compiles the signs.
func (c *compiler) additions(g *guard, params scope) {
	f := c.use.find
	found := &additions{live: -1}
	rules := make([]text.Rule, 0, len(f.signs))
	var all []string
	for i := range f.signs {
		s := &f.signs[i]
		found.names = append(found.names, s.name)
		found.files = append(found.files, c.paths(s.files, params))
		if s.live {
			found.live = i
			continue
		}
		found.signs = append(found.signs, i)
		rules = append(rules, text.Rule{Name: s.name, Patterns: s.patterns, Except: s.except, Literal: true})
		all = append(all, s.patterns...)
	}
	g.adds = found
	if len(rules) == 0 {
		return
	}
	chain, err := text.Compile(rules...)
	if err != nil {
		c.wrongSign(err, found.signs)
		return
	}
	found.chain, found.words = chain, keywordsOf(all)
}

// wrongSign reports an invalid pattern, at its position.
func (c *compiler) wrongSign(err error, signs []int) {
	where, message := c.use.find.where, err.Error()
	if e, ok := errors.AsType[*text.RuleError](err); ok && e.Rule < len(signs) {
		s := &c.use.find.signs[signs[e.Rule]]
		where, message = s.where, strings.TrimSuffix(e.Reason, ", or set Literal")
		nodes := s.nodes
		if e.Except {
			nodes = s.excepts
		}
		if e.Pattern >= 0 && e.Pattern < len(nodes) {
			where = at(nodes[e.Pattern])
			if refused, instead := pattern.Refused(nodes[e.Pattern].Value); refused != "" {
				c.problem(where, refused, instead)
				return
			}
		}
	}
	c.problem(where, message, "")
}

// paths returns the paths that a list or its parameter has, nil if nothing was
// written.
func (c *compiler) paths(p pathList, params scope) *effect.Paths {
	list := p.list
	if p.param != "" {
		values, ok := c.value(p.where, p.param, params).([]any)
		for _, value := range values {
			path, isText := value.(string)
			ok = ok && isText
			list = append(list, path)
		}
		if !ok && !c.failed {
			c.problem(p.where, "the parameter "+p.param+" is not a list of paths", "")
		}
		if ok && len(list) == 0 {
			return effect.NewPaths(nil) // none
		}
	}
	if list == nil {
		return nil
	}
	return effect.NewPaths(list)
}
