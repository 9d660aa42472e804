package jsonscan

// MaxDepth is how many containers may be open at once. A document that opens
// one more is refused with an error that wraps [ErrDepth].
const MaxDepth = 512

// maxKeptKey bounds the key buffer kept from one document to the next, so that
// one hostile document does not pin memory for the life of a reused Scanner.
const maxKeptKey = 4 << 10

// state is what the grammar allows at the cursor.
type state uint8

const (
	stValue    state = iota // a value; the cursor is on its first byte
	stObjFirst              // just after '{'
	stObjNext               // just after a member's value
	stArrFirst              // just after '['
	stArrNext               // just after an element
	stDone                  // just after the top-level value
	stFailed                // err is set; nothing is allowed
)

// Scanner reads one JSON document from a byte slice. The zero value is ready
// for Reset, and a Scanner should be reused: no method allocates, except for
// the error value of a refused document and for the growth of the buffers that
// receive unescaped keys and strings.
//
// The Scanner borrows the slice given to Reset and never writes to it. Slices
// it returns point into that slice unless documented otherwise, with their
// capacity cut to their length, and are valid as long as its bytes are left
// unchanged. A Scanner must not be used by two goroutines at once.
type Scanner struct {
	data  []byte
	pos   int
	state state
	after state // the state that follows once the value at the cursor is consumed
	depth int   // containers open

	passed int // see Passed

	// One bit per open container, set for an object. Bits at and above depth
	// are scratch space for the scan of a skipped value.
	kinds [MaxDepth / 64]uint64

	key []byte // the last key that had an escape, unescaped
	err *SyntaxError
}

// Reset points the Scanner at a new document and forgets any error. The cursor
// is put on the first byte that is not white space. Reset(nil) releases the
// previous document.
func (s *Scanner) Reset(data []byte) {
	s.data = data
	s.pos = 0
	if len(data) > 0 && data[0] <= ' ' {
		s.pos = skipSpace(data, 0)
	}
	s.state = stValue
	s.after = stDone
	s.depth = 0
	s.passed = 0
	s.err = nil
	if cap(s.key) > maxKeptKey {
		s.key = nil
	}
}

// Pos returns the offset of the cursor in the data given to Reset:
//
//   - after Reset, and after a Key or Elem that returned true: exactly the
//     first byte of the value (len(data) if the input ends there);
//   - after a value was consumed (Skip, Raw, Str, Int, Bool, Null): just past
//     its last byte, before any white space;
//   - after Object or Array returned true: just past the opening bracket;
//   - after Key or Elem returned false without an error: just past the closing
//     bracket, that is just past the last byte of the container;
//   - after an error: where the cursor was when the failing call was made. The
//     offset of the fault is in the error.
//
// Kind and methods that consume nothing leave it unchanged.
func (s *Scanner) Pos() int { return s.pos }

// Passed returns how many values stood in the containers that were consumed as a
// whole since Reset, by Skip or Raw, these containers included.
func (s *Scanner) Passed() int { return s.passed }

// Err returns nil or the first error, always a *[SyntaxError].
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil // not a typed nil
	}
	return s.err
}

// End returns Err, or an error if the top-level value was not read to its end
// or if anything but white space follows it. The error is sticky like others.
func (s *Scanner) End() error {
	switch s.state {
	case stDone:
		if i := skipSpace(s.data, s.pos); i < len(s.data) {
			s.fail(i, reasonTrailing)
		}
	case stValue:
		if s.pos >= len(s.data) {
			s.fail(s.pos, reasonValue)
			break
		}
		s.misuse(reasonUnread)
	default:
		s.misuse(reasonUnread)
	}
	return s.Err()
}

// Object enters the value at the cursor if it is an object: it consumes the
// '{' and returns true, and the members are then read with Key. Otherwise it
// consumes nothing and returns false, which is an error only if the object
// nests too deep.
func (s *Scanner) Object() bool {
	if i := s.pos; s.state != stValue || uint(i) >= uint(len(s.data)) || s.data[i] != '{' {
		return false
	}
	if uint(s.depth) >= MaxDepth {
		s.failDepth(s.pos)
		return false
	}
	s.kinds[s.depth>>6] |= 1 << (s.depth & 63)
	s.depth++
	s.pos++
	s.state, s.after = stObjFirst, stObjNext
	return true
}

// Array is Object for '['; the elements are then read with Elem.
func (s *Scanner) Array() bool {
	if i := s.pos; s.state != stValue || uint(i) >= uint(len(s.data)) || s.data[i] != '[' {
		return false
	}
	if uint(s.depth) >= MaxDepth {
		s.failDepth(s.pos)
		return false
	}
	s.kinds[s.depth>>6] &^= 1 << (s.depth & 63)
	s.depth++
	s.pos++
	s.state, s.after = stArrFirst, stArrNext
	return true
}

// leave closes the innermost container, whose closing bracket is at i.
func (s *Scanner) leave(i int) {
	s.pos = i + 1
	s.depth--
	switch d := s.depth - 1; {
	case d < 0:
		s.after = stDone
	case s.kinds[uint(d>>6)%(MaxDepth/64)]>>(d&63)&1 != 0:
		s.after = stObjNext
	default:
		s.after = stArrNext
	}
	s.state = s.after
}

// Key moves to the next member of the innermost object and returns its
// unescaped name, with the cursor on the first byte of its value. It returns
// nil, false at the closing '}', which it consumes, or on an error. The caller
// must consume the value before the next Key; a Key called with the value
// unread, or outside an object, is an error.
//
// The name is borrowed: from the data if it has no escape, otherwise from a
// buffer of the Scanner that is valid until the next Key or Reset. It must not
// be modified.
func (s *Scanner) Key() ([]byte, bool) {
	data, i := s.data, s.pos
	// The fast path is for what encoders write: a comma, a name, a colon, each
	// followed by one space at most.
	if s.state == stObjNext && i >= 0 && i < len(data)-2 && data[i] == ',' && data[i+1] == '"' {
		i += 2
	} else if s.state == stObjNext && i >= 0 && i < len(data)-2 && data[i] == ',' && data[i+1] == ' ' && data[i+2] == '"' {
		i += 3
	} else if s.state == stObjFirst && i >= 0 && i < len(data) && data[i] == '"' {
		i++
	} else if i = s.nextMember(); i < 0 {
		return nil, false
	}
	start := i
	i, escaped := scanString(data, start)
	if i < 0 {
		s.failString(^i)
		return nil, false
	}
	key := data[start : i-1 : i-1]
	if escaped {
		s.key = unescape(s.key[:0], key)
		key = s.key
	}
	if i < len(data)-2 && data[i] == ':' && data[i+1] > ' ' {
		i++
	} else if i < len(data)-2 && data[i] == ':' && data[i+1] == ' ' && data[i+2] > ' ' {
		i += 2
	} else if i = s.scanColon(i); i < 0 {
		return nil, false
	}
	s.pos = i
	s.state = stValue
	return key, true
}

// nextMember returns the offset just past the opening quote of the next member
// name. At the closing '}', which it consumes, and on an error it returns a
// negative number.
func (s *Scanner) nextMember() int {
	data := s.data
	i := skipSpace(data, s.pos)
	switch s.state {
	case stObjNext:
		if i < len(data) && data[i] == '}' {
			s.leave(i)
			return -1
		}
		if i >= len(data) || data[i] != ',' {
			s.fail(i, reasonObject)
			return -1
		}
		i = skipSpace(data, i+1)
	case stObjFirst:
		if i < len(data) && data[i] == '}' {
			s.leave(i)
			return -1
		}
	default:
		s.misuse(reasonNotInObject)
		return -1
	}
	if i >= len(data) || data[i] != '"' {
		s.fail(i, reasonKey)
		return -1
	}
	return i + 1
}

// Elem moves to the next element of the innermost array and returns true, with
// the cursor on the first byte of the element. It returns false at the closing
// ']', which it consumes, or on an error. The caller must consume the element
// before the next Elem; an Elem called with the element unread, or outside an
// array, is an error.
func (s *Scanner) Elem() bool {
	data := s.data
	i := skipSpace(data, s.pos)
	switch s.state {
	case stArrNext:
		if i >= len(data) {
			s.fail(i, reasonArray)
			return false
		}
		if c := data[i]; c != ',' {
			if c == ']' {
				s.leave(i)
			} else {
				s.fail(i, reasonArray)
			}
			return false
		}
		i = skipSpace(data, i+1)
	case stArrFirst:
		if i < len(data) && data[i] == ']' {
			s.leave(i)
			return false
		}
	default:
		s.misuse(reasonNotInArray)
		return false
	}
	if i >= len(data) || kindOf[data[i]] == Invalid {
		s.fail(i, reasonValue)
		return false
	}
	s.pos = i
	s.state = stValue
	return true
}
