package jsonscan

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. Invalid is what Kind returns where no value starts.
const (
	Invalid Kind = iota
	Object
	Array
	String
	Number
	True
	False
	Null
)

var kindNames = [...]string{"invalid", "object", "array", "string", "number", "true", "false", "null"}

// String returns the name of the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

// kindOf returns the kind of a value by its first byte.
var kindOf = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': True, 'f': False, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Kind returns the kind of the value at the cursor and consumes nothing. It
// looks at the first byte only: the value is checked when it is consumed. It
// returns Invalid where no value starts: at the end of the input, at a byte
// that begins no value, after an error, or where Key or Elem has to be called
// first.
func (s *Scanner) Kind() Kind {
	if s.state != stValue || uint(s.pos) >= uint(len(s.data)) {
		return Invalid
	}
	return kindOf[s.data[s.pos]]
}

// Skip consumes the value at the cursor, whatever it is, and validates it
// fully. Where there is no value it fails.
func (s *Scanner) Skip() {
	if s.state != stValue {
		s.misuse(reasonNoValue)
		return
	}
	data, i := s.data, s.pos
	if uint(i) < uint(len(data)) && data[i] == '"' {
		// Strings and nulls are the bulk of what is skipped: save them a call.
		end, _ := scanString(data, i+1)
		if end < 0 {
			s.failString(^end)
			return
		}
		s.pos = end
		s.state = s.after
		return
	}
	if i >= 0 && i <= len(data)-4 && string(data[i:i+4]) == "null" {
		s.pos = i + 4
		s.state = s.after
		return
	}
	if end := s.scanValue(i); end >= 0 {
		s.pos = end
		s.state = s.after
	}
}

// Raw consumes the value at the cursor like Skip and returns its bytes, a
// sub-slice of the data without surrounding white space. It returns nil on an
// error, and only then.
func (s *Scanner) Raw() []byte {
	start := s.pos
	s.Skip()
	if s.err != nil {
		return nil
	}
	return s.data[start:s.pos:s.pos]
}

// Str consumes the value at the cursor if it is a string, and returns its
// unescaped bytes. Otherwise it consumes nothing and returns nil, false, which
// is an error only if the value is a malformed string.
//
// A string without escapes is returned as a sub-slice of the data. Any other is
// appended to *buf and the new part of *buf is returned; slices returned
// earlier stay valid, also when *buf has to be reallocated, until the caller
// truncates *buf and reuses it. A nil buf means a buffer of its own for this
// string. The slice of an empty string is not nil.
func (s *Scanner) Str(buf *[]byte) ([]byte, bool) {
	data, start := s.data, s.pos+1
	if s.state != stValue || uint(start-1) >= uint(len(data)) || data[start-1] != '"' {
		return nil, false
	}
	end, escaped := scanString(data, start)
	if end < 0 {
		s.failString(^end)
		return nil, false
	}
	str := data[start : end-1 : end-1]
	s.pos = end
	s.state = s.after
	if escaped {
		if buf == nil {
			return unescape(nil, str), true
		}
		n := len(*buf)
		b := unescape(*buf, str)
		*buf = b
		str = b[n:len(b):len(b)]
	}
	return str, true
}

// Bool consumes the value at the cursor if it is true or false and returns it
// as v, with ok true. Otherwise it consumes nothing and both are false, which
// is an error only if the value is a malformed true or false.
func (s *Scanner) Bool() (v, ok bool) {
	switch s.Kind() {
	case True:
		ok = s.literal("true")
		return ok, ok
	case False:
		return false, s.literal("false")
	default:
	}
	return false, false
}

// Null consumes the value at the cursor if it is null. Otherwise it consumes
// nothing and returns false, which is an error only if it is a malformed null.
func (s *Scanner) Null() bool {
	return s.Kind() == Null && s.literal("null")
}

// literal consumes lit, whose first byte is known to be at the cursor. A
// malformed literal is a fault, so that it is not taken for another kind.
func (s *Scanner) literal(lit string) bool {
	end := scanLiteral(s.data, s.pos, lit)
	if end < 0 {
		s.fail(^end, reasonLiteral)
		return false
	}
	s.pos = end
	s.state = s.after
	return true
}
