package agent

import (
	"context"
	"maps"
	"sync"
)

// Values are named values that a caller, advisors and tools share during a run.
// They last from the first round to the last, and the model never sees them.
// They are safe for concurrent use. The zero value is empty and ready to use.
type Values struct {
	mu sync.RWMutex
	m  map[string]any
}

// NewValues returns values with a copy of m.
func NewValues(m map[string]any) *Values { return &Values{m: maps.Clone(m)} }

// Get returns a value, nil if there is none.
func (v *Values) Get(name string) any {
	if v == nil {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.m[name]
}

// Set sets a value.
func (v *Values) Set(name string, value any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m == nil {
		v.m = make(map[string]any)
	}
	v.m[name] = value
}

// All returns a copy of the values.
func (v *Values) All() map[string]any {
	if v == nil {
		return nil
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	return maps.Clone(v.m)
}

type valuesKey struct{}

// ValuesOf returns the values of the run that calls a tool with ctx. Outside a
// run they are empty, and values set in them are lost.
func ValuesOf(ctx context.Context) *Values {
	if v, ok := ctx.Value(valuesKey{}).(*Values); ok {
		return v
	}
	return &Values{}
}
