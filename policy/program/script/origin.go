package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// origin is what a value was made from. It never changes, so that values can
// share it; nil is that of a value that was made from nothing.
type origin struct {
	// sources are files, and Environment; remote is the address that it comes
	// from, hidden what it was decoded by.
	sources []string
	remote  string
	hidden  string
}

// madeOf is the value with another origin.
func (v value) madeOf(o *origin) value {
	if o == v.origin() {
		return v
	}
	e := v.extras()
	e.made = o
	v.extra = &e
	return v
}

func fromSources(sources ...string) *origin { return madeFrom(origin{sources: sources}) }

func fromRemote(address string) *origin { return madeFrom(origin{remote: address}) }

func decodedBy(how string) *origin { return madeFrom(origin{hidden: how}) }

func madeFrom(o origin) *origin {
	if len(o.sources) == 0 && o.remote == "" && o.hidden == "" {
		return nil
	}
	return &o
}

// and is an origin with what another one adds to it.
func (o *origin) and(more *origin) *origin {
	switch {
	case more == nil || more == o:
		return o
	case o == nil:
		return more
	}
	out := origin{merge(o.sources, more.sources), o.remote, o.hidden}
	if out.remote == "" {
		out.remote = more.remote
	}
	if out.hidden == "" {
		out.hidden = more.hidden
	}
	if len(out.sources) == len(o.sources) && out.remote == o.remote && out.hidden == o.hidden {
		return o
	}
	return &out
}

// fromEnvironment is the origin of what is made from the environment.
var fromEnvironment = fromSources(library.Environment)

// taint gives a value what another one was made from.
func (v *value) taint(from *value) {
	if from.extra == nil && from.form != isRef {
		return // most
	}
	made := v.origin().and(from.origin())
	if from.form == isRef && len(from.items()) == 0 && (isEnvironment(from.text) || strings.HasPrefix(from.text, "ENV.")) {
		made = made.and(fromEnvironment)
	}
	if from.extra != nil {
		made = made.and(from.held)
	}
	*v = v.madeOf(made)
}

// heldBy is what the items of a value were made from. It is found when they are
// put together: a list of lists of lists has too many ways down to be asked later.
func heldBy(items []value) *origin {
	all := value{}
	for i := range items[:min(len(items), mostSources)] {
		all.taint(&items[i])
	}
	return all.origin()
}

func merge(list, more []string) []string {
	for _, s := range more {
		if len(list) < mostSources && !slices.Contains(list, s) {
			list = append(slices.Clip(list), s)
		}
	}
	return list
}

func (o *origin) get() *origin {
	if o == nil {
		return &noOrigin
	}
	return o
}

var noOrigin origin

// isEnvironment reports whether a name is that of a map with the environment.
func isEnvironment(name string) bool { return slices.Contains(environments, name) }

var environments = []string{"os.environ", "environ", "ENV", "$_ENV", "$_SERVER", "$ENV", "%ENV", "os.environb", "_ENV"}
