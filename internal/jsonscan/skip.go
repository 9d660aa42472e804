package jsonscan

// The scan functions below share a convention: they take the offset where a
// token starts and return the offset just past it, or, if the token is
// malformed, the complement (^) of the offset of the byte at fault. That keeps
// the description of errors out of the fast path.

// spaces has a bit for each white space character of JSON.
const spaces = 1<<' ' | 1<<'\t' | 1<<'\n' | 1<<'\r'

// skipSpace returns the offset of the first byte at or after i that is not
// white space, len(data) if there is none.
func skipSpace(data []byte, i int) int {
	for uint(i) < uint(len(data)) && data[i] <= ' ' && uint64(spaces)>>(data[i]&63)&1 != 0 {
		i++
	}
	return i
}

// scanLiteral scans true, false or null, given as lit.
func scanLiteral(data []byte, i int, lit string) int {
	if len(data)-i >= len(lit) && string(data[i:i+len(lit)]) == lit {
		return i + len(lit)
	}
	for n := range len(lit) {
		if i+n >= len(data) || data[i+n] != lit[n] {
			return ^(i + n)
		}
	}
	return ^i // not reached
}

// scanValue scans the value at i. On a fault it records the error and returns
// a negative number. It changes nothing else but scratch bits of s.kinds.
func (s *Scanner) scanValue(i int) int {
	data := s.data
	if uint(i) >= uint(len(data)) {
		s.fail(i, reasonValue)
		return -1
	}
	var end int
	reason := reasonLiteral
	switch kindOf[data[i]] {
	case Object, Array:
		return s.scanContainer(i)
	case String:
		if end, _ = scanString(data, i+1); end < 0 {
			s.failString(^end)
		}
		return end
	case Number:
		end, reason = scanNumber(data, i), reasonNumber
	case True:
		end = scanLiteral(data, i, "true")
	case False:
		end = scanLiteral(data, i, "false")
	case Null:
		end = scanLiteral(data, i, "null")
	default:
		end, reason = ^i, reasonValue
	}
	if end < 0 {
		s.fail(^end, reason)
	}
	return end
}

// scanContainer is scanValue for a container. It keeps the kinds of the open
// containers in s.kinds instead of recursing, so hostile nesting costs a bit a
// level and no stack.
func (s *Scanner) scanContainer(i int) int {
	data := s.data
	depth := s.depth
	object := false // the innermost open container is an object
	values := 0

value: // a value must start at i
	for {
		values++
		if uint(i) >= uint(len(data)) {
			s.fail(i, reasonValue)
			return -1
		}
		switch c := data[i]; c {
		case '{', '[':
			if uint(depth) >= MaxDepth {
				s.failDepth(i)
				return -1
			}
			object = c == '{'
			if bit := uint64(1) << (depth & 63); object {
				s.kinds[depth>>6] |= bit
			} else {
				s.kinds[depth>>6] &^= bit
			}
			depth++
			i++
			if uint(i) < uint(len(data)) && data[i] <= ' ' {
				i = skipSpace(data, i)
			}
			// '}' is '{'+2 and ']' is '['+2.
			if uint(i) >= uint(len(data)) || data[i] != c+2 {
				if object {
					if i = s.scanMemberName(i); i < 0 {
						return -1
					}
				}
				continue value
			}
			// An empty container: the loop below closes it.
		case '"':
			end, _ := scanString(data, i+1)
			if end < 0 {
				s.failString(^end)
				return -1
			}
			i = end
		default:
			if i = s.scanValue(i); i < 0 {
				return -1
			}
		}

		for { // a value or an empty bracket ended at i
			if uint(i) < uint(len(data)) && data[i] <= ' ' {
				i = skipSpace(data, i)
			}
			if uint(i) >= uint(len(data)) {
				s.fail(i, reasonArray)
				return -1
			}
			c := data[i]
			if c == ',' {
				i++
				if uint(i) < uint(len(data)) && data[i] <= ' ' {
					i = skipSpace(data, i)
				}
				if object {
					if i = s.scanMemberName(i); i < 0 {
						return -1
					}
				}
				continue value
			}
			if object && c != '}' {
				s.fail(i, reasonObject)
				return -1
			}
			if !object && c != ']' {
				s.fail(i, reasonArray)
				return -1
			}
			i++
			depth--
			if depth <= s.depth {
				s.passed += values
				return i
			}
			up := uint(depth - 1)
			object = s.kinds[up/64%(MaxDepth/64)]>>(up&63)&1 != 0
		}
	}
}

// scanMemberName scans a member name at i, the colon and the white space up to
// the member's value. On a fault it records the error and returns a negative
// number.
func (s *Scanner) scanMemberName(i int) int {
	data := s.data
	if uint(i) >= uint(len(data)) || data[i] != '"' {
		s.fail(i, reasonKey)
		return -1
	}
	i, _ = scanString(data, i+1)
	if i < 0 {
		s.failString(^i)
		return -1
	}
	if i < len(data)-1 && data[i] == ':' && data[i+1] > ' ' {
		return i + 1
	}
	return s.scanColon(i)
}

// scanColon scans a colon at i and white space around it. On a fault it records
// the error and returns a negative number.
func (s *Scanner) scanColon(i int) int {
	i = skipSpace(s.data, i)
	if i >= len(s.data) || s.data[i] != ':' {
		s.fail(i, reasonColon)
		return -1
	}
	return skipSpace(s.data, i+1)
}
