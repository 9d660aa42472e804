package file_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/file"
)

// Large files that are made to keep a parser busy. The test has no limits of its
// own: a file that is read in time that grows with the square of its length
// would hardly end.
func TestLargeHostileFilesAreRefused(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	fill := func(begin, unit string) string {
		return begin + strings.Repeat(unit, (size-64-len(begin))/len(unit)) // with room for an end
	}
	for name, source := range map[string]string{
		"open brackets":     fill("", "["),
		"open braces":       fill("", "{a: "),
		"dashes":            fill("", "- "),
		"question marks":    fill("", "? "),
		"colons":            fill("a", ": "),
		"comments":          fill("a: b\n", "# c\n"),
		"comments in lists": fill("policies:\n", "  # c\n  - x\n"),
		"keys":              fill("", "a: b\n"),
		"anchors":           fill("policies: [", "&a x,"),
		"aliases":           fill("policies: [&a x,", "*a,"),
		"one long text":     fill("policies: '", "x "),
		"folded lines":      fill("policies: [{name: a, then: block, when: 'x &&", "\n      x &&") + "'}]",
		"escapes":           fill(`policies: "`, `\u0041`),
		"tags":              fill("policies: [", "!a !b x,"),
		"blank lines":       fill("policies: |\n", "\n"),
		"a long condition":  fill("policies: [{name: a, then: block, when: 'true", " && true") + "'}]",
		"many conditions":   "policies:\n" + strings.Repeat("  - {name: a, then: block, when: 'x.y(1'}\n", 900),
		"a long pattern":    fill("policies: [{name: a, then: block, find: {pattern: '", "(a|b)*") + "'}}]",
		"many patterns":     fill("policies: [{name: a, then: block, find: {pattern: [", "a,") + "]}}]",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := file.Parse(file.Options{}, "f", []byte(source), "preset:none")
			if _, ok := errors.AsType[file.Problems](err); !ok {
				t.Errorf("got %v, want problems", err)
			}
			if err != nil && len(err.Error()) > size {
				t.Errorf("the problems are longer than the file: %d bytes", len(err.Error()))
			}
		})
	}
}
