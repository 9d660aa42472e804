package secret_test

import (
	"math/rand/v2"
	"strings"
)

// Secrets in tests are made up when the tests run, so that nobody's search for
// secrets finds any in these files.

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// made makes up a text of n characters; the same one every time.
func made(from string, n int) string {
	r := rand.New(rand.NewPCG(uint64(len(from)), uint64(n)))
	var b strings.Builder
	for range n {
		b.WriteByte(from[r.IntN(len(from))])
	}
	return b.String()
}

func hexes(n int) string   { return made("0123456789abcdef", n) }
func plains(n int) string  { return made(digits+lower+upper, n) }
func lowers(n int) string  { return made(digits+lower, n) }
func uppers(n int) string  { return made(digits+upper, n) }
func urlSafe(n int) string { return made(digits+lower+upper+"-_", n-1) + "x" }
func base64s(n int) string { return made(digits+lower+upper+"+/", n) }
func numbers(n int) string { return "7" + made(digits, n-1) }
func letters(n int) string { return made(lower+upper, n) }
func uuid() string {
	return hexes(8) + "-" + hexes(4) + "-4" + hexes(3) + "-9" + hexes(3) + "-" + hexes(12)
}
func lines(n int) string { return strings.Repeat(base64s(64)+"\n", n-1) + base64s(40) + "==\n" }
func pem(kind string) string {
	return "-----BEGIN " + kind + "-----\n" + lines(8) + "-----END " + kind + "-----"
}
