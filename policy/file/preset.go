package file

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

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
		return nil // the pattern is valid, so this cannot happen
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
		return embedded // the name is valid, so this cannot happen
	}
	return sub
}

// use is a policy in force: its definition, and what users of its preset have
// changed.
type use struct {
	*statement
	preset string
	mode   mode
	// params is the scope in force; standard is the one without the settings of
	// preset users, for which the examples were written.
	params, standard scope
	// declared are the parameters that the policy can use, as they were written.
	declared []param
	excepts  []exception
	// changed: parameters were set or exceptions made.
	changed bool
	// implied: it is in force although its preset was not named.
	implied bool
	// brief: notices do not say what a call would have done.
	brief bool
	// host is the host's setting for failures, zero if there is none.
	host policy.Action
	// programs are the descriptions of programs that change what its conditions see.
	programs []*yaml.Node
	// silent: its hook is not asked, see ErrNotAsked.
	silent bool
	// hashed is the version, once somebody asked for it.
	hashed string
}

// library reads presets, each once.
type library struct {
	options *Options
	report  *report
	read    map[string]*document
	// used says where each preset was used: a set includes it once.
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
			d = read(l.report, presetPrefix+name, "", data)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid):
			l.report.add(Problem{File: presetPrefix + name, Message: "the preset cannot be read: " + err.Error()})
			d = &document{source: &source{name: presetPrefix + name, report: l.report}}
		}
	}
	l.read[name] = d
	return d
}

// expansion is the state at one level of the expansion of presets.
type level struct {
	preset  string // the outermost preset, empty in a file
	open    []string
	mode    mode
	set     settings // what users set, the outermost last
	short   bool     // notices are
	excepts []exception
	implied bool
}

// uses lists the policies of a document and of the presets that it names, in
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
				standard: standard, params: standard.changed(at.set), declared: slices.Concat(d.params, e.policy.params),
				implied: at.implied,
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
		case e.preset != nil && e.preset.name != "" && e.preset.name != NoPreset:
			list = append(list, l.expand(e.preset, at)...)
		}
		if len(list) > maxPolicies {
			break
		}
	}
	return list
}

// expand returns the policies of a preset with its user's settings.
func (l *library) expand(ref *reference, at level) []use {
	if slices.Contains(at.open, ref.name) {
		ref.fail(ref.where, "", "the preset "+ref.name+" uses itself", "remove the entry")
		return nil
	}
	d := l.open(ref.name)
	if d == nil {
		ref.fail(ref.where, "", "there is no preset "+quote(ref.name), words.Suggest(ref.name, append(Presets(*l.options), NoPreset)))
		return nil
	}
	if place, twice := l.used[ref.name]; twice {
		ref.fail(ref.where, "", "the preset "+ref.name+" is already included: "+place, "remove one of the two, or what uses it")
		return nil
	}
	l.used[ref.name] = ref.place()
	all := append([]*reference{ref}, ref.again...)
	inner := level{
		preset: at.preset, mode: at.mode, short: at.short,
		open: append(slices.Clone(at.open), ref.name), implied: at.implied || ref.implied,
	}
	if inner.preset == "" {
		inner.preset = ref.name
	}
	for _, r := range all {
		inner.mode = max(inner.mode, r.mode)
		inner.set = inner.set.then(l.settingsOf(r, inner.set))
		inner.excepts = append(inner.excepts, r.excepts...)
	}
	inner.set = inner.set.then(at.set)
	inner.excepts = append(inner.excepts, at.excepts...)
	list := l.uses(d, inner)
	for _, r := range all {
		r.unusedExceptions(list)
	}
	return list
}

// unusedExceptions reports exceptions for policies that the preset does not have.
func (ref *reference) unusedExceptions(list []use) {
	for _, x := range ref.excepts {
		if *x.used {
			continue
		}
		names := make([]string, 0, len(list))
		for _, u := range list {
			names = append(names, u.name)
		}
		ref.fail(x.where, "", "the preset "+ref.name+" has no policy "+quote(x.policy), words.Suggest(x.policy, names))
	}
}

// settingsOf reads a reference's settings of a preset's parameters, once. before
// are others' settings of the same preset.
func (l *library) settingsOf(ref *reference, before settings) settings {
	if ref.set == nil {
		r := &reader{source: ref.source}
		ref.set = r.set(ref.params, l.declared(l.open(ref.name), []string{ref.name}), before)
	}
	return ref.set
}

// declared returns the parameters of a preset, including those of the presets
// that it uses, with the values that it gives them.
func (l *library) declared(d *document, open []string) []param {
	if d == nil {
		return nil
	}
	list := slices.Clone(d.params)
	for _, e := range d.entries {
		switch {
		case e.policy != nil:
			list = append(list, e.policy.params...)
		case e.preset != nil && e.preset.name != NoPreset && !slices.Contains(open, e.preset.name):
			set := l.settingsOf(e.preset, nil)
			for _, p := range l.declared(l.open(e.preset.name), append(slices.Clone(open), e.preset.name)) {
				for _, s := range set[p.name] {
					p.value = s.on(p.value)
				}
				list = append(list, p)
			}
		}
	}
	return list
}
