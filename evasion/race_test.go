//go:build race

package evasion_test

// looksForRaces: the tests run with the race detector, which makes them take ten times
// as long.
const looksForRaces = true
