package settings

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/sluice-project/sluice/internal/words"
)

// Sources are where a configuration comes from. The zero value is the
// defaults alone.
type Sources struct {
	// Flags are those that Flags, ServeFlags and SessionFlags registered,
	// parsed; nil if there are none. Only those that were given count.
	Flags *pflag.FlagSet
	// Environ is the environment as os.Environ returns it. Variables that are
	// empty are not set.
	Environ []string
	// File is a configuration file that must exist. If it is empty, --config and
	// SLUICE_CONFIG name it, and else the user's own is read if there is one.
	File string
	// MakesKeys says that keys are about to be issued, so that an address that
	// needs some is accepted.
	MakesKeys bool
}

// Load reads a configuration: flags take precedence over variables, variables
// over the file, and the file over the defaults. The error is of type Problems
// and lists everything that is wrong.
func Load(from Sources) (*Settings, error) {
	l := newLoading(from)
	name, data := l.open(from)
	return l.finish(name, data)
}

// loading is one load.
type loading struct {
	report
	catalog  catalog
	settings *Settings
	flags    *pflag.FlagSet
	// makesKeys: keys are about to be issued.
	makesKeys bool
	env       map[string]string
	home      string
	// literal: the file has a key itself, not its hash or variable.
	literal bool
	// mode is that of the file.
	mode fs.FileMode
	// places are the positions of the values of lists.
	places map[place]origin
}

// place is one value of a list.
type place struct{ path, text string }

func newLoading(from Sources) *loading {
	l := &loading{
		catalog:  newCatalog(),
		settings: &Settings{origins: make(map[string]origin)},
		flags:    from.Flags, makesKeys: from.MakesKeys,
		env:    make(map[string]string, len(from.Environ)),
		places: make(map[place]origin),
	}
	for _, pair := range from.Environ {
		if name, text, ok := strings.Cut(pair, "="); ok {
			l.env[name] = text
		}
	}
	l.home = homeOf(l.env)
	return l
}

// given is what one source says about a key.
type given struct {
	from   origin
	values []value
	// node and file are set if the source is the file; there are no values then.
	node *yaml.Node
	file *source
}

// finish reads all sources, the weakest first, so that the strongest stays.
// Problems of a weaker one are reported even if a stronger one overrides it:
// they should not surface only when that one is removed.
func (l *loading) finish(name string, data []byte) (*Settings, error) {
	l.settings.File = name
	l.settings.Data = dataDir(l.env)
	said := l.read(name, data)
	for i := range l.catalog {
		k := &l.catalog[i]
		l.settings.origins[k.path] = byDefault
		if k.fallback != "" {
			l.take(k, given{from: byDefault, values: []value{{text: k.fallback, from: byDefault}}})
		}
		if g, ok := said[k.path]; ok {
			l.take(k, g)
		}
		if text := l.env[k.variable]; text != "" {
			l.take(k, l.texts(k, origin{name: k.variable}, splitIf(k.many, text)))
		}
		if f := l.flag(k.flag); f != nil {
			texts := []string{f.Value.String()}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				texts = list.GetSlice()
			}
			l.take(k, l.texts(k, origin{name: "flag --" + k.flag}, texts))
		}
	}
	l.strayVariables()
	if l.settings.Data != "" {
		l.settings.IssuedKeys = filepath.Join(l.settings.Data, issuedKeys)
	}
	l.check()
	if len(l.problems) > 0 {
		return nil, l.problems.sorted()
	}
	l.settings.Warnings = l.warnings.sorted()
	return l.settings, nil
}

func (l *loading) take(k *key, g given) {
	if k.read(l, k, g) {
		l.settings.origins[k.path] = g.from
	}
}

func (l *loading) texts(k *key, from origin, texts []string) given {
	g := given{from: from, values: make([]value, 0, len(texts))}
	if len(texts) > maxList {
		l.problemf(from, "", "%s has more than %d values", k.path, maxList)
		texts = texts[:maxList]
	}
	for _, text := range texts {
		g.values = append(g.values, value{text: text, from: from, home: l.home})
	}
	return g
}

// splitIf splits a variable at its commas if the key has several values.
func splitIf(many bool, text string) []string {
	if !many {
		return []string{strings.TrimSpace(text)}
	}
	var texts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			texts = append(texts, part)
		}
	}
	return texts
}

// flag returns a flag that was given, else nil.
func (l *loading) flag(name string) *pflag.Flag {
	if l.flags == nil || name == "" {
		return nil
	}
	if f := l.flags.Lookup(name); f != nil && f.Changed {
		return f
	}
	return nil
}

// strayVariables warns about variables that look like misspelt ones of this
// package. Others that begin with SLUICE_ belong to something else.
func (l *loading) strayVariables() {
	for name, advice := range elsewhere {
		if variable := "SLUICE_" + strings.ToUpper(name); l.env[variable] != "" {
			l.warningf(origin{name: variable}, advice, "the variable is not known")
		}
	}
	known := []string{configVariable, "SLUICE_KEY"}
	for _, k := range l.catalog {
		if k.variable != "" {
			known = append(known, k.variable)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.env)) {
		if near := meantVariable(name, known); near != "" && !slices.Contains(known, name) {
			l.warningf(origin{name: name}, "did you mean "+near+"?", "the variable is not known")
		}
	}
}

// variablePrefix is what the variables of this package begin with.
const variablePrefix = "SLUICE_"

// meantVariable is the known variable that an unknown one looks like, empty if there is
// none. The prefix can be mistyped or in small letters, if what follows it is all the more
// like a variable.
func meantVariable(name string, known []string) string {
	first, rest, ok := strings.Cut(name, "_")
	if !ok || rest == "" {
		return ""
	}
	if first+"_" != variablePrefix {
		if words.Nearest(first, []string{strings.TrimSuffix(variablePrefix, "_")}, 3) == "" || len(first) < 5 {
			return ""
		}
		near := words.Nearest(variablePrefix+strings.ToUpper(rest), known, 2)
		if more := len(near) - len(variablePrefix+rest); more < -1 || more > 1 { // it only has a part of the name
			return ""
		}
		return near
	}
	if near := words.Nearest(name, known, 3); near != "" {
		return near
	}
	rests := make([]string, 0, len(known))
	for _, k := range known {
		rests = append(rests, strings.TrimPrefix(k, variablePrefix))
	}
	if near := words.Nearest(rest, rests, min(words.Most(rest), 3)); near != "" && near[0] == rest[0] {
		return variablePrefix + near
	}
	return ""
}

// open finds and reads the configuration file; the name is empty if there is
// none. The working directory is never searched: whoever wrote the files there
// must not be able to switch policies off.
func (l *loading) open(from Sources) (name string, data []byte) {
	where, required := origin{name: from.File}, true
	switch f := l.flag(configFlag); {
	case from.File != "":
		name = from.File
	case f != nil:
		name, where = f.Value.String(), origin{name: "flag --" + configFlag}
		if name == "" {
			l.problemf(where, "name a file, or leave the flag out", "no file is named")
			return "", nil
		}
	case l.env[configVariable] != "":
		name, where = l.env[configVariable], origin{name: configVariable}
	default:
		name, required = configFile(l.env), false
		where = origin{name: name}
	}
	if name == "" {
		return "", nil
	}
	name, w := filename(value{text: name, home: l.home})
	if w != nil {
		l.problemf(where, w.suggestion, "the name of the file %s", w.message)
		return "", nil
	}
	data, mode, err := readFile(name, maxFile)
	switch {
	case err == nil:
	case !required && errors.Is(err, fs.ErrNotExist):
		return "", nil
	default:
		l.problemf(where, "", "the configuration file cannot be read: %s", fileError(name, err))
		return "", nil
	}
	l.mode = mode
	return name, data
}

// readFile reads a file, up to one byte more than allowed.
func readFile(name string, most int64) ([]byte, fs.FileMode, error) {
	f, err := os.Open(name) //nolint:gosec // the user says which file is read
	if err != nil {
		return nil, 0, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	return data, info.Mode(), err
}

// fileError formats the system's error about a file, with its name once.
func fileError(name string, err error) string {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	return quotePath(name) + ": " + err.Error()
}
