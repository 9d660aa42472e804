package jsonscan

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
)

// Shape is how tool-call arguments are classified for policies.
type Shape uint8

// The shapes, see [Classify].
const (
	ShapeObject    Shape = iota // a valid JSON object without duplicate keys at any depth
	ShapeOther                  // valid JSON, not an object, without duplicate keys
	ShapeDuplicate              // valid JSON in which some object, at any depth, has duplicate keys
	ShapeTruncated              // a proper prefix of valid JSON: the input ended early
	ShapeInvalid                // cannot become valid JSON whatever follows
)

var shapeNames = [...]string{"object", "other", "duplicate", "truncated", "invalid"}

// String returns the name of the shape in lower case.
func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return shapeNames[ShapeInvalid]
}

// Classify returns the shape of data. Empty input and input of white space only count
// as ShapeObject, because models write "" for {}. Keys are compared byte by byte after
// unescaping. Input that nests deeper than [MaxDepth] is ShapeInvalid. ShapeTruncated
// and ShapeInvalid take precedence over ShapeDuplicate, which takes precedence over
// ShapeOther.
//
// It takes expected linear time: the keys of large objects are looked up in a map whose
// hash the sender cannot predict. It retains nothing of data.
func Classify(data []byte) Shape {
	var s Scanner
	s.Reset(data)
	if s.Pos() == len(data) {
		return ShapeObject
	}
	shape := ShapeOther
	if s.Kind() == Object {
		shape = ShapeObject
	}
	duplicate := hasDuplicateKey(&s)
	if err := s.End(); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return ShapeTruncated
		}
		return ShapeInvalid
	}
	if duplicate {
		return ShapeDuplicate
	}
	return shape
}

// hasDuplicateKey reads the value at the cursor to its end, or to an error, and reports
// whether an object in it has two members of the same name.
func hasDuplicateKey(s *Scanner) bool {
	start := *s
	if found, ok := smallDuplicate(s); ok {
		return found
	}
	*s = start
	return anyDuplicate(s)
}

// What ordinary arguments need: the number of keys in all objects that are open at
// once, and the nesting depth.
const (
	smallKeys  = 16
	smallDepth = 8
)

// smallDuplicate is hasDuplicateKey for ordinary arguments and does not allocate. It
// gives up, with ok false, if there are too many keys or one is escaped.
func smallDuplicate(s *Scanner) (found, ok bool) {
	var (
		keys  [smallKeys][]byte // of the open objects, outermost first
		first [smallDepth]int   // where those of each open object start
		n     int
		depth int
	)
	s.key = s.key[:0] // receives escaped keys
	for {
		switch {
		case s.Object():
			if depth == smallDepth {
				return false, false
			}
			first[depth] = n
			depth++
		case s.Array():
		default:
			s.Skip()
		}
		for advanced := false; !advanced; {
			switch s.state {
			case stObjFirst, stObjNext:
				var key []byte
				if key, advanced = s.Key(); !advanced {
					// The end of the object, or an error, which ends everything.
					depth--
					n = first[depth]
					break
				}
				if n == smallKeys || len(s.key) > 0 {
					return false, false
				}
				for _, other := range keys[first[depth-1]:n] {
					found = found || bytes.Equal(other, key)
				}
				keys[n] = key
				n++
			case stArrFirst, stArrNext:
				advanced = s.Elem()
			default: // the end or an error
				return found, true
			}
		}
	}
}

// anyDuplicate is hasDuplicateKey for all other input.
func anyDuplicate(s *Scanner) bool {
	// Enough for the keys of ordinary arguments.
	keys := keySet{keys: make([][]byte, 0, 4), bytes: make([]byte, 0, 64)}
	found := false
	for {
		switch {
		case s.Object():
			keys.open()
		case s.Array():
		default:
			s.Skip()
		}
		for advanced := false; !advanced; {
			switch s.state {
			case stObjFirst, stObjNext:
				var key []byte
				if key, advanced = s.Key(); advanced {
					found = found || keys.add(key)
				} else {
					keys.close()
				}
			case stArrFirst, stArrNext:
				advanced = s.Elem()
			default: // the end or an error
				return found
			}
		}
	}
}

// scanned is the number of keys up to which an object is searched linearly. Beyond
// that, the hashes of its keys go into a map. Arguments rarely have more, and then need
// no map at all.
const scanned = 16

// keySet holds the keys of the open objects.
type keySet struct {
	objects []openObject
	keys    [][]byte // of the open objects, outermost first, those in large excepted
	bytes   []byte   // what keys points to
	// large has a hash of each further key with its object. One map for all objects
	// avoids a map for each of many objects just over the limit, and hashes avoid
	// storing the keys, of which a small text can have many. Nobody can forge a
	// collision, because the seed is secret.
	large  map[uint64]struct{}
	seed   maphash.Seed
	serial int // of the last object opened
}

// openObject is where the keys of an open object start.
type openObject struct {
	serial, keys, bytes int
}

func (k *keySet) open() {
	k.serial++
	k.objects = append(k.objects, openObject{k.serial, len(k.keys), len(k.bytes)})
}

// close drops the keys of the innermost object.
func (k *keySet) close() {
	last := len(k.objects) - 1
	o := k.objects[last]
	k.objects = k.objects[:last]
	k.keys = k.keys[:o.keys]
	k.bytes = k.bytes[:o.bytes]
}

// add adds a key to the innermost object and reports whether it was there before. The
// key is copied.
func (k *keySet) add(key []byte) bool {
	o := k.objects[len(k.objects)-1]
	own := k.keys[o.keys:]
	for _, other := range own {
		if bytes.Equal(other, key) {
			return true
		}
	}
	if len(own) < scanned {
		start := len(k.bytes)
		k.bytes = append(k.bytes, key...)
		k.keys = append(k.keys, k.bytes[start:])
		return false
	}
	if k.large == nil {
		k.large, k.seed = make(map[uint64]struct{}), maphash.MakeSeed()
	}
	sum := maphash.Bytes(k.seed, key) + uint64(o.serial)*0x9E3779B97F4A7C15
	if _, ok := k.large[sum]; ok {
		return true
	}
	k.large[sum] = struct{}{}
	return false
}

// IsObject reports whether text is one JSON object, ignoring duplicate keys. Empty text
// counts as {}. It is Classify without the cost of looking for duplicates, and does not
// allocate for valid text.
func IsObject(text string) bool {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	if i == len(text) || text[i] != '{' {
		return i == len(text)
	}
	// A Scanner never writes to its input, so the text need not be copied.
	data := View(text)
	return Valid(data) == nil
}
