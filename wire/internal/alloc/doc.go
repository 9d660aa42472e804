// Package alloc keeps small collections cheap. An answer nearly always has only a
// few open blocks and a choice only a few calls; [SmallMap] and [Pool] hold those
// with next to no allocations.
package alloc
