// Package jsonscan is a validating, allocation-free, single-pass JSON pull
// scanner over a byte slice.
//
// It exists for the hot path of the gateway: small payloads of a stream, of
// which a handful of members matter and the rest only has to be well formed.
// The input is hostile. Every byte the scanner moves over is checked against
// the grammar of RFC 8259, nesting is bounded by [MaxDepth], nothing recurses,
// and no input makes any function of the package panic.
//
// # Walking a document
//
// A [Scanner] has a cursor. Where a value is expected, the caller either takes
// it ([Scanner.Str], [Scanner.Int], [Scanner.Raw], ...), passes over it
// ([Scanner.Skip]) or enters it ([Scanner.Object], [Scanner.Array]). Methods
// that ask for one kind consume nothing when the value is of another kind, so
// alternatives can be tried in turn, with Skip as the last one:
//
//	s.Reset(payload)
//	if !s.Object() { ... }
//	for key, ok := s.Key(); ok; key, ok = s.Key() {
//		switch string(key) { // does not allocate
//		case "id":
//			if id, ok = s.Str(&buf); !ok {
//				s.Skip() // not a string: the value must still be consumed
//			}
//		default:
//			s.Skip()
//		}
//	}
//	if err := s.End(); err != nil { ... }
//
// The first error is sticky: from then on every method returns its zero
// result and consumes nothing, so loops over Key and Elem terminate and one
// check of End (or Err) after the walk is enough. Results taken before the
// error are of a document that is not valid; drop them when End reports one.
//
// # Strings are bytes
//
// Bytes inside strings are never altered: invalid UTF-8 passes through. Escapes
// of surrogate pairs become one UTF-8 character. A lone surrogate escape
// becomes its three byte WTF-8 form (ED A0..BF xx) instead of U+FFFD, because a
// pair can be split over two payloads of a stream; [JoinSurrogates] joins the
// halves and [AppendString] writes a half back as the escape it came from.
package jsonscan
