//go:build !race

package gateway_test

const looksForRaces = false
