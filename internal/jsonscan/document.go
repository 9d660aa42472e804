package jsonscan

// Valid returns nil if data is exactly one valid JSON value with optional white
// space around it, and otherwise a *[SyntaxError]. It does not allocate for
// valid data.
func Valid(data []byte) error {
	var s Scanner
	s.Reset(data)
	s.Skip()
	return s.End()
}

// Compact appends raw, one JSON value, to dst without its insignificant white
// space and returns the extended slice. Strings and numbers keep their bytes,
// members their order. If raw is not valid it returns dst unchanged and a
// *[SyntaxError]. To compact in place, pass raw[:0] as dst; otherwise raw must
// not overlap the spare capacity of dst.
func Compact(dst, raw []byte) ([]byte, error) {
	if err := Valid(raw); err != nil {
		return dst, err
	}
	start := 0 // of the run of bytes not yet copied
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			i, _ = scanString(raw, i+1)
		case c <= ' ':
			dst = append(dst, raw[start:i]...)
			i = skipSpace(raw, i)
			start = i
		default:
			i++
		}
	}
	return append(dst, raw[start:]...), nil
}

// Get looks up a value by a path of object keys, each compared with the
// unescaped member names, and returns its bytes, a sub-slice of data, and their
// offsets: raw is data[span[0]:span[1]]. Of members with the same name the
// first counts, also if the rest of the path is not found in it. An empty path
// means the whole value.
//
// If there is no such member, or the data up to the end of the value is
// malformed, it returns nil, a zero span and false. What follows the value is
// not looked at: call [Valid] for that.
func Get(data []byte, path ...string) (raw []byte, span [2]int, ok bool) {
	var s Scanner
	s.Reset(data)
	for _, name := range path {
		if !s.Object() || !s.find(name) {
			return nil, span, false
		}
	}
	start := s.Pos()
	if raw = s.Raw(); raw == nil {
		return nil, span, false
	}
	return raw, [2]int{start, s.Pos()}, true
}

// find moves the cursor to the value of the next member with the given name in
// the innermost object.
func (s *Scanner) find(name string) bool {
	for {
		key, ok := s.Key()
		if !ok {
			return false
		}
		if string(key) == name {
			return true
		}
		s.Skip()
	}
}
