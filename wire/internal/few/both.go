package few

// Both returns two words as strings in one piece of memory: for those that are
// kept, and forgotten, together.
func Both(a, b []byte) (string, string) {
	var room [128]byte
	joined := string(append(append(room[:0], a...), b...))
	return joined[:len(a)], joined[len(a):]
}
