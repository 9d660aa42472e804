package tools

import (
	"sync"

	"github.com/sluice-project/sluice/internal/schema"
)

// maxCacheWeight is roughly how many bytes of compiled schemas are kept.
const maxCacheWeight = 32 << 20

// cache caches compiled schemas, and the errors of those that cannot be
// compiled, by the exact bytes of their declaration. It has two generations:
// when the young one reaches half of the weight it becomes the old one, and
// what was not used since is evicted. The zero value is ready to use.
type cache struct {
	mu         sync.Mutex
	young, old map[string]compiled
	weight     int // of the young
}

type compiled struct {
	schema *schema.Schema
	err    error
}

// get returns the schema of a declaration. Several callers may compile the same
// one concurrently; the result is the same.
func (c *cache) get(raw []byte) (*schema.Schema, error) {
	if len(raw) > schema.MaxBytes {
		return schema.Compile(raw) // which refuses it without reading
	}
	c.mu.Lock()
	known, ok := c.young[string(raw)]
	if !ok {
		if known, ok = c.old[string(raw)]; ok {
			c.keep(raw, known)
		}
	}
	c.mu.Unlock()
	if !ok {
		known.schema, known.err = schema.Compile(raw)
		c.mu.Lock()
		c.keep(raw, known)
		c.mu.Unlock()
	}
	return known.schema, known.err
}

// keep adds an entry to the young generation.
func (c *cache) keep(raw []byte, entry compiled) {
	if _, there := c.young[string(raw)]; there {
		return
	}
	weight := len(raw) + 512
	if entry.schema != nil {
		weight += entry.schema.Weight()
	}
	if c.weight+weight > maxCacheWeight/2 {
		c.old, c.young, c.weight = c.young, nil, 0
	}
	if c.young == nil {
		c.young = make(map[string]compiled)
	}
	c.young[string(raw)] = entry
	c.weight += weight
}
