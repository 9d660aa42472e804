package connect

import (
	"runtime"
	"slices"
	"strings"
)

// environ is an environment in the form of os.Environ that remembers what was
// changed. Of duplicate variables the last one counts, as in os/exec.
type environ struct {
	list    []string
	changes []Change
}

// Change is one variable that a launch sets.
type Change struct {
	Name  string
	Value string
	// Secret: the value holds a key and must not be shown.
	Secret bool
}

func newEnviron(list []string) *environ { return &environ{list: slices.Clone(list)} }

// is reports whether an entry is that of a variable. Windows ignores case in
// names.
func is(entry, name string) (value string, ok bool) {
	key, value, found := strings.Cut(entry, "=")
	if !found {
		return "", false
	}
	return value, key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)
}

// get returns a variable, empty when it is not set.
func (e *environ) get(name string) string {
	for _, entry := range slices.Backward(e.list) {
		if value, ok := is(entry, name); ok {
			return value
		}
	}
	return ""
}

// first returns the first variable of a list that is not empty.
func (e *environ) first(names ...string) string {
	for _, name := range names {
		if value := e.get(name); value != "" {
			return value
		}
	}
	return ""
}

func (e *environ) set(name, value string) { e.change(Change{Name: name, Value: value}) }

func (e *environ) setSecret(name, value string) {
	e.change(Change{Name: name, Value: value, Secret: true})
}

func (e *environ) change(c Change) {
	e.list = slices.DeleteFunc(e.list, func(entry string) bool { _, ok := is(entry, c.Name); return ok })
	e.list = append(e.list, c.Name+"="+c.Value)
	e.changes = slices.DeleteFunc(e.changes, func(old Change) bool { return old.Name == c.Name })
	e.changes = append(e.changes, c)
}

// truthy reads a switch the way the clients do.
func truthy(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
