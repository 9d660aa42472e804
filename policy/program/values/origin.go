package values

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// Origin is what a value was made from. It never changes, so that values can
// share it; nil is that of a value that was made from nothing.
type Origin struct {
	// Sources are files, and Environment; Remote is the address that it comes
	// from, Hidden what it was decoded by.
	Sources []string
	Remote  string
	Hidden  string
}

// MadeOf is the value with another origin.
func (v Value) MadeOf(o *Origin) Value {
	if o == v.Origin() {
		return v
	}
	e := v.extras()
	e.made = o
	v.extra = &e
	return v
}

// FromSources is the origin of what was read from files.
func FromSources(sources ...string) *Origin { return MadeFrom(Origin{Sources: sources}) }

// FromRemote is the origin of what came from an address.
func FromRemote(address string) *Origin { return MadeFrom(Origin{Remote: address}) }

// DecodedBy is the origin of what was decoded.
func DecodedBy(how string) *Origin { return MadeFrom(Origin{Hidden: how}) }

// MadeFrom is an origin, nil if there is nothing in it.
func MadeFrom(o Origin) *Origin {
	if len(o.Sources) == 0 && o.Remote == "" && o.Hidden == "" {
		return nil
	}
	return &o
}

// And is an origin with what another one adds to it.
func (o *Origin) And(more *Origin) *Origin {
	switch {
	case more == nil || more == o:
		return o
	case o == nil:
		return more
	}
	out := Origin{Merge(o.Sources, more.Sources), o.Remote, o.Hidden}
	if out.Remote == "" {
		out.Remote = more.Remote
	}
	if out.Hidden == "" {
		out.Hidden = more.Hidden
	}
	if len(out.Sources) == len(o.Sources) && out.Remote == o.Remote && out.Hidden == o.Hidden {
		return o
	}
	return &out
}

// FromEnvironment is the origin of what is made from the environment.
var FromEnvironment = FromSources(library.Environment)

// Taint gives a value what another one was made from.
func (v *Value) Taint(from *Value) {
	if from.extra == nil && from.Form != IsName {
		return // most
	}
	made := v.Origin().And(from.Origin())
	if from.Form == IsName && len(from.Items()) == 0 && (IsEnvironment(from.Text) || strings.HasPrefix(from.Text, "ENV.")) {
		made = made.And(FromEnvironment)
	}
	if from.extra != nil {
		made = made.And(from.held)
	}
	*v = v.MadeOf(made)
}

// heldBy is what the items of a value were made from. It is found when they are
// put together: a list of lists of lists has too many ways down to be asked later.
func heldBy(items []Value) *Origin {
	all := Value{}
	for i := range items[:min(len(items), MostSources)] {
		all.Taint(&items[i])
	}
	return all.Origin()
}

// Merge is a list with what it does not have of another one.
func Merge(list, more []string) []string {
	for _, s := range more {
		if len(list) < MostSources && !slices.Contains(list, s) {
			list = append(slices.Clip(list), s)
		}
	}
	return list
}

func (o *Origin) get() *Origin {
	if o == nil {
		return &noOrigin
	}
	return o
}

var noOrigin Origin

// IsEnvironment reports whether a name is that of a map with the environment.
func IsEnvironment(name string) bool { return slices.Contains(environments, name) }

var environments = []string{"os.environ", "environ", "ENV", "$_ENV", "$_SERVER", "$ENV", "%ENV", "os.environb", "_ENV"}
