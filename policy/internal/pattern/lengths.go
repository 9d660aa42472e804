package pattern

import "regexp/syntax"

// reach is the maximum distance in characters from the beginning of a text to
// the end of a match, or from a match to the end of the text, -1 if the
// expression is not anchored there or has no limit. The anchors are OpBeginText
// and OpEndText.
func reach(re *syntax.Regexp, bounds ...syntax.Op) int {
	switch re.Op {
	case syntax.OpCapture:
		return reach(re.Sub[0], bounds...)
	case syntax.OpAlternate:
		return longestOf(re.Sub, func(part *syntax.Regexp) int { return reach(part, bounds...) }, func(a, b int) int { return max(a, b) })
	case syntax.OpConcat:
		for _, bound := range bounds {
			part := re.Sub[0]
			if bound == syntax.OpEndText {
				part = re.Sub[len(re.Sub)-1]
			}
			if part.Op != bound {
				return -1
			}
		}
		return longestMatch(re)
	default:
		return -1
	}
}

// longestMatch is the length of the longest match in characters, -1 if there is
// no limit.
func longestMatch(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpQuest:
		return longestMatch(re.Sub[0])
	case syntax.OpConcat:
		return longestOf(re.Sub, longestMatch, func(a, b int) int { return a + b })
	case syntax.OpAlternate:
		return longestOf(re.Sub, longestMatch, func(a, b int) int { return max(a, b) })
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return -1
	default:
		return 0
	}
}

func longestOf(parts []*syntax.Regexp, length func(*syntax.Regexp) int, join func(a, b int) int) int {
	all := 0
	for _, part := range parts {
		n := length(part)
		if n < 0 {
			return -1
		}
		all = join(all, n)
	}
	return all
}

// shortest is the length of the shortest match in bytes, or less.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpConcat:
		sum := 0
		for _, part := range re.Sub {
			sum += shortest(part)
		}
		return sum
	case syntax.OpAlternate:
		least := shortest(re.Sub[0])
		for _, part := range re.Sub[1:] {
			least = min(least, shortest(part))
		}
		return least
	default:
		return 0
	}
}
