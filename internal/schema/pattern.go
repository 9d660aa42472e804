package schema

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// The limits of the patterns of one schema. Counted repetitions multiply, so the limit
// is on the compiled size and not on the text.
const (
	maxPatternBytes = 4 << 10
	maxPatternSize  = 20_000 // instructions, of all patterns of a schema
)

// pattern is a regular expression with its approximate number of instructions: a match
// takes at most that many steps per byte.
type pattern struct {
	re   *regexp.Regexp
	size int
}

// patternSize estimates the compiled size of a pattern without compiling it.
func patternSize(source string) (int, error) {
	if len(source) > maxPatternBytes {
		return maxPatternSize + 1, nil
	}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return 0, err
	}
	return treeSize(tree), nil
}

func treeSize(tree *syntax.Regexp) int {
	size := 1 + len(tree.Rune)/2
	for _, sub := range tree.Sub {
		size += treeSize(sub)
		if size > maxPatternSize {
			return maxPatternSize + 1
		}
	}
	if tree.Op == syntax.OpRepeat {
		size *= max(tree.Min, tree.Max, 1)
	}
	return min(size, maxPatternSize+1)
}

// compilePattern compiles a regular expression and adds up its size.
func (c *compiler) compilePattern(source, at string) (*pattern, error) {
	size, err := patternSize(source)
	if err != nil {
		return nil, invalid(at, "has a pattern that Go's regular expressions do not know")
	}
	if c.instructions += size; len(source) > maxPatternBytes || c.instructions > maxPatternSize {
		return nil, fmt.Errorf("%w: its patterns are too large", ErrTooLarge)
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, invalid(at, "has a pattern that Go's regular expressions do not know")
	}
	return &pattern{re: re, size: size}, nil
}
