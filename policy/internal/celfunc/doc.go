// Package celfunc has functions for CEL on texts and numbers, whose work and results are
// limited.
package celfunc
