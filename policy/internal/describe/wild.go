package describe

// Wild reports whether a text matches a pattern: * stands for anything, ? for one
// byte, and a backslash takes the next byte as it is.
func Wild(pattern, text string) bool {
	star, from := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
			continue
		case p < len(pattern) && pattern[p] == '?':
			p++
			t++
			continue
		case p+1 < len(pattern) && pattern[p] == '\\' && pattern[p+1] == text[t]:
			p += 2
			t++
			continue
		case p < len(pattern) && pattern[p] != '\\' && pattern[p] == text[t]:
			p++
			t++
			continue
		}
		if star < 0 {
			return false
		}
		from++
		p, t = star+1, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
