// Package bloom is a small Bloom filter with one hash function for short names. It
// rules out most names that are not in a list, so that the list is rarely searched.
package bloom
