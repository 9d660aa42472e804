// Package few keeps things of which nearly always there are only a few (the open
// blocks of an answer, the calls of a choice), so that those few cost next to no
// allocations: [Numbered] finds them by a number, [Slab] makes them.
package few
