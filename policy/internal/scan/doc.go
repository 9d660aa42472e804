// Package scan finds names and quoted texts in programs and files of which the
// grammar is not known.
package scan
