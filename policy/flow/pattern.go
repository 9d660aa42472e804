package flow

import (
	"slices"

	"github.com/sluice-project/sluice/policy/invocation"
)

// maxMatched is how many files a pattern is followed to.
const maxMatched = 64

// matching puts together what is known of the files that a pattern stands for:
// any of them may be meant, and others of which nothing is known. It is nil if
// the conversation wrote none of them.
func (f *files) matching(pattern string) *invocation.File {
	meant := invocation.NewPattern(pattern)
	var paths []string
	for part := f; part != nil; part = part.older {
		for path := range part.of {
			if meant.Matches(path) {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	var all *invocation.File
	for _, path := range paths[:min(len(paths), maxMatched)] {
		found := f.file(path)
		if found == nil {
			continue
		}
		if all == nil {
			all = &invocation.File{}
		}
		*all = f.join(*all, found.Content)
		all.Remote, all.From = either(all.Remote, found.Remote), either(all.From, found.From)
	}
	return all
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
