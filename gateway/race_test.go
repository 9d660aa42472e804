//go:build race

package gateway_test

// looksForRaces: the tests run with the race detector, which makes reading many
// megabytes take minutes.
const looksForRaces = true
