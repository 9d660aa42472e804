// Package celtree reads the syntax trees of CEL: constants, and the macros over lists
// that its parser has expanded.
package celtree
