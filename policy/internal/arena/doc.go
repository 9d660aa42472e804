// Package arena allocates many small values at once. What is read of one text needs many of
// the same few types, and all of them together are given back when it was read.
package arena
