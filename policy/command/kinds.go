package command

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/describe"
)

// kindIf is a kind that an effect has under a condition.
type kindIf struct {
	kind effect.Kind
	when condition
}

// EffectKinds are the kinds of the program's effects, by their verbs.
func (p *Program) EffectKinds() map[effect.Verb]effect.Kind { return p.kinds }

// EffectKinds are those of the program's effects.
func (r *Reading) EffectKinds() map[effect.Verb]effect.Kind { return r.program.kinds }

// addKind adds the kind of a verb that has none yet.
func (p *Program) addKind(verb effect.Verb, kind effect.Kind) {
	if p.kinds == nil {
		p.kinds = map[effect.Verb]effect.Kind{}
	}
	if p.kinds[verb] == "" {
		p.kinds[verb] = kind
	}
}

// kindsOf reads the kinds of all effects of a program: {delete: shred}.
func (d *decoder) kindsOf(p *Program, n *yaml.Node) error {
	return d.Pairs(n, "kinds", verbNames(), func(key string, _, v *yaml.Node) error {
		kind, err := d.effectKind(effect.Verb(key), v)
		if err == nil {
			if p.kinds == nil {
				p.kinds = map[effect.Verb]effect.Kind{}
			}
			p.kinds[effect.Verb(key)] = kind
		}
		return err
	})
}

// templateKinds reads the kind of one effect, or kinds with their conditions:
// {line: [--full], pattern: true}.
func (d *decoder) templateKinds(t *template, n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		kind, err := d.effectKind(t.verb, n)
		t.kinds = []kindIf{{kind, always}}
		return err
	}
	return d.Pairs(n, "kind", nil, func(_ string, at, v *yaml.Node) error {
		kind, err := d.effectKind(t.verb, at)
		if err != nil {
			return err
		}
		when, err := d.condition(v)
		if err != nil {
			return d.Fail(v, "%v", err)
		}
		t.kinds = append(t.kinds, kindIf{kind, when})
		return nil
	})
}

// effectKind reads the name of a kind that effects of a verb have.
func (d *decoder) effectKind(verb effect.Verb, n *yaml.Node) (effect.Kind, error) {
	var names []string
	for _, doc := range effect.KindDocs() {
		if slices.Contains(doc.Verbs, verb) {
			names = append(names, string(doc.Kind))
		}
	}
	if !slices.Contains(names, n.Value) {
		return "", d.Fail(n, "effects of %s have no kind %q%s", verb, n.Value, describe.Suggestion(n.Value, names))
	}
	return effect.Kind(n.Value), nil
}

func verbNames() []string {
	verbs := effect.Verbs()
	names := make([]string, len(verbs))
	for i, verb := range verbs {
		names[i] = string(verb)
	}
	return names
}

// kind is that of the effect in a reading, empty if it has none.
func (t *template) effectKind(r *Reading) effect.Kind {
	for i := range t.kinds {
		if t.kinds[i].when.holds(r) != no {
			return t.kinds[i].kind
		}
	}
	return ""
}

// onlySeveral reports whether a condition that holds does so only because a role has
// several values.
func (c condition) onlySeveral(r *Reading) bool {
	return !slices.ContainsFunc(c, func(all []test) bool {
		if slices.ContainsFunc(all, func(t test) bool { return t.what == isSeveral && !t.not }) {
			return false
		}
		return condition{all}.holds(r) != no
	})
}
