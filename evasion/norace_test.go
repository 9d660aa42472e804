//go:build !race

package evasion_test

const looksForRaces = false
