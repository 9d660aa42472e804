package alloc

// StringPair returns a and b as strings that share one allocation. Use it for
// strings with the same lifetime: each keeps the other in memory.
func StringPair(a, b []byte) (string, string) {
	var room [128]byte
	joined := string(append(append(room[:0], a...), b...))
	return joined[:len(a)], joined[len(a):]
}
