package flow

import "strings"

// find finds the first place of each piece in a normal text, where it is no part
// of a longer name; -1 where there is none. It goes through the text once: the
// first bytes of the pieces keep most places away from comparing.
func find(in string, pieces []string) []int {
	places := make([]int, len(pieces))
	var filter [1 << 10]uint64
	begin := make(map[uint32][]int, len(pieces))
	for i, p := range pieces {
		places[i] = -1
		if len(p) < minPiece {
			continue
		}
		k := uint32(p[0])<<24 | uint32(p[1])<<16 | uint32(p[2])<<8 | uint32(p[3])
		begin[k] = append(begin[k], i)
		filter[bucket(k)>>6] |= 1 << (bucket(k) & 63)
	}
	if len(begin) == 0 {
		return places
	}
	left, k := len(pieces), uint32(0)
	for i := range len(in) {
		k = k<<8 | uint32(in[i])
		if filter[bucket(k)>>6]&(1<<(bucket(k)&63)) == 0 || i < minPiece-1 {
			continue
		}
		start := i - (minPiece - 1)
		if start > 0 && inName(in[start-1]) {
			continue
		}
		for _, n := range begin[k] {
			if p := pieces[n]; places[n] < 0 && strings.HasPrefix(in[start:], p) && !goesOnAfter(in[start+len(p):]) {
				if places[n], left = start, left-1; left == 0 {
					return places
				}
			}
		}
	}
	return places
}

// minPiece is how long a piece is at least.
const minPiece = 4

// bucket is where the first bytes of a piece stand in the filter.
func bucket(k uint32) uint32 { return k * 0x9E3779B1 >> 16 }

// inName reports whether a byte can be a part of a name.
func inName(c byte) bool {
	return c == '-' || c == '_' || c == '.' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// goesOnAfter reports whether a name goes on in what follows: after a full stop
// only if a letter or digit comes.
func goesOnAfter(rest string) bool {
	if rest == "" {
		return false
	}
	if rest[0] == '.' {
		return len(rest) > 1 && inName(rest[1]) && rest[1] != '.'
	}
	return inName(rest[0])
}
