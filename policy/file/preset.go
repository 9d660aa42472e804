package file

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/words"
	"github.com/sluice-project/sluice/policy"
)

//go:embed presets/*.yaml
var embedded embed.FS

// presetPrefix marks the name of a preset where a path is expected.
const presetPrefix = "preset:"

// Presets returns the names of the presets that o offers, sorted.
func Presets(o Options) []string {
	files, err := fs.Glob(o.presets(), "*.yaml")
	if err != nil {
		return nil // the pattern is right, so this cannot be
	}
	names := make([]string, 0, len(files))
	for _, name := range files {
		names = append(names, strings.TrimSuffix(path.Base(name), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// presets is where presets are found: NAME.yaml.
func (o *Options) presets() fs.FS {
	if o.Presets != nil {
		return o.Presets
	}
	sub, err := fs.Sub(embedded, "presets")
	if err != nil {
		return embedded // the name is valid, so this cannot be
	}
	return sub
}

// use is a policy that takes part: what was written, and what those add who
// use the preset that it stands in.
type use struct {
	*statement
	preset string
	mode   mode
	// params is the scope in force; standard is the one without what users of
	// presets set, for which the examples were written.
	params, standard scope
	// declared are the parameters that the policy can use, as they were written.
	declared []param
	excepts  []exception
	// changed: somebody set parameters or made exceptions.
	changed bool
	// brief: notices do not say what a call would have done.
	brief bool
	// host is what the host says that failures count as, zero if nothing.
	host policy.Action
}

// library reads presets, each once.
type library struct {
	options *Options
	report  *report
	read    map[string]*document
	// used says where each preset was used: a set holds it once.
	used map[string]string
}

// open returns a preset, nil if there is none of that name.
func (l *library) open(name string) *document {
	if d, known := l.read[name]; known {
		return d
	}
	var d *document
	if !strings.ContainsAny(name, `/\`) {
		data, err := fs.ReadFile(l.options.presets(), name+".yaml")
		switch {
		case err == nil:
			d = read(l.report, presetPrefix+name, data)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
			l.report.add(Problem{File: presetPrefix + name, Message: "the preset cannot be read: " + err.Error()})
			d = &document{source: &source{name: presetPrefix + name, report: l.report}}
		}
	}
	l.read[name] = d
	return d
}

// expansion of presets: what is in force at one level of it.
type level struct {
	preset  string // the outermost preset, empty in a file
	open    []string
	mode    mode
	set     scope // what users set, the outermost winning
	short   bool  // notices are
	excepts []exception
}

// uses puts the policies of a document and of the presets that it names in
// order.
func (l *library) uses(d *document, at level) []use {
	var list []use
	base := scope{}.with(d.params)
	at.short = at.short || d.short
	for _, e := range d.entries {
		switch {
		case e.policy != nil:
			standard := base.with(e.policy.params)
			u := use{
				statement: e.policy, preset: at.preset, mode: max(e.policy.mode, at.mode),
				standard: standard, params: standard.overridden(at.set), declared: slices.Concat(d.params, e.policy.params),
			}
			for _, x := range at.excepts {
				if x.policy == e.policy.name {
					*x.used = true
					u.excepts = append(u.excepts, x)
				}
			}
			u.brief = e.policy.short || at.short || l.options.ShortNotices
			u.changed = len(at.set) > 0 || len(u.excepts) > 0
			list = append(list, u)
		case e.preset != nil && e.preset.name != "":
			list = append(list, l.expand(d.source, e.preset, at)...)
		}
		if len(list) > maxPolicies {
			break
		}
	}
	return list
}

// expand returns the policies of a preset as somebody uses it.
func (l *library) expand(s *source, ref *reference, at level) []use {
	r := &reader{source: s}
	if slices.Contains(at.open, ref.name) {
		s.fail(ref.where, "", "the preset "+ref.name+" uses itself", "remove the entry")
		return nil
	}
	d := l.open(ref.name)
	if d == nil {
		s.fail(ref.where, "", "there is no preset "+quote(ref.name), words.Suggest(ref.name, Presets(*l.options)))
		return nil
	}
	if place, twice := l.used[ref.name]; twice {
		s.fail(ref.where, "", "the preset "+ref.name+" is already there: "+place, "remove one of the two, or what uses it")
		return nil
	}
	l.used[ref.name] = fmt.Sprintf("%s:%d", s.name, ref.where.line)
	inner := level{
		preset: at.preset, mode: max(at.mode, ref.mode), short: at.short,
		open: append(slices.Clone(at.open), ref.name),
	}
	if inner.preset == "" {
		inner.preset = ref.name
	}
	inner.set = r.set(ref.params, l.declared(d, inner.open))
	maps.Copy(inner.set, at.set)
	inner.excepts = append(slices.Clone(ref.excepts), at.excepts...)
	list := l.uses(d, inner)
	for _, x := range ref.excepts {
		if *x.used {
			continue
		}
		names := make([]string, 0, len(list))
		for _, u := range list {
			names = append(names, u.name)
		}
		hint := "it has " + strings.Join(names, ", ")
		if near := words.Suggest(x.policy, names); strings.HasPrefix(near, "did you mean") {
			hint = near + " " + hint
		}
		s.fail(x.where, "", "the preset "+ref.name+" has no policy "+quote(x.policy), hint)
	}
	return list
}

// declared returns the parameters of a preset, those of the presets that it
// uses included.
func (l *library) declared(d *document, open []string) []param {
	list := slices.Clone(d.params)
	for _, e := range d.entries {
		switch {
		case e.policy != nil:
			list = append(list, e.policy.params...)
		case e.preset != nil && !slices.Contains(open, e.preset.name):
			if inner := l.open(e.preset.name); inner != nil {
				list = append(list, l.declared(inner, append(slices.Clone(open), e.preset.name))...)
			}
		}
	}
	return list
}
