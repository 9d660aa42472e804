package file

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/flow"
	"github.com/sluice-project/sluice/policy/internal/decisions"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/rule"
	"github.com/sluice-project/sluice/policy/secret"
	"github.com/sluice-project/sluice/policy/text"
)

// additions looks for signs in what calls add to files. It is shared by all
// exchanges and immutable.
type additions struct {
	names []string
	// files are those in which each of them counts, nil for any file.
	files []*effect.Paths
	// chain has a rule for each sign that is a pattern, signs says which, and words
	// what one of them needs; chain is nil if there are none.
	chain *text.Chain
	signs []int
	words *keywords
	// live is the sign that stands for live keys, -1 if there is none.
	live int
}

// mayBe reports whether a sign may be in a text.
func (a *additions) mayBe(written string) bool {
	return a.live >= 0 && !noSecretIn(written) || a.chain != nil && a.words.in(written)
}

// longestPath is how much of a path a note shows.
const longestPath = 200

// find returns a note for each sign that a call adds: one that occurs more often
// in what it writes than in what it replaces.
func (a *additions) find(s *policy.Subject) []string {
	var counts []tally
	at := effect.Place{Cwd: s.Exchange.Session.Cwd, Home: s.Exchange.Session.Home}
	read := rule.CallOf(s)
	past := func() *flow.Past { return flow.Of(s) } // few calls need it
	for c := range puts(read, past) {
		if !a.mayBe(c.Text) {
			continue
		}
		if counts == nil {
			counts = make([]tally, len(a.names))
		}
		a.count(counts, c.Path, c.Text, at, 1)
	}
	if !anyMore(counts) {
		return nil
	}
	for c := range puts(read, past) {
		before := c.Old
		if c.Whole && before == "" { // a file that the conversation wrote or read before
			if known := past().File(c.Path); known != nil {
				before = known.Content
			} else {
				before = past().Shown(c.Path)
			}
		} else if before == "" { // a command that adds to a file says what is in it then
			if known := past().File(c.Path); known != nil && strings.Contains(c.Text, known.Content) {
				before = known.Content
			}
		}
		if c.moved != "" && a.mayBe(c.Text) { // it stands no longer where it was
			a.count(counts, c.moved, c.Text, at, -1)
		}
		if a.mayBe(before) {
			a.count(counts, c.Path, before, at, -1)
		}
	}
	var notes []string
	for i, t := range counts {
		if t.more > 0 {
			notes = append(notes, a.names[i]+" in "+decisions.OneLine(t.path, longestPath))
		}
	}
	return notes
}

// tally is how much more often a sign occurs in what is added than in what was
// there, and a file in which it occurs.
type tally struct {
	more int
	path string
}

func anyMore(counts []tally) bool {
	for _, t := range counts {
		if t.more > 0 {
			return true
		}
	}
	return false
}

// count adds the occurrences of each sign in a text, with a weight.
func (a *additions) count(counts []tally, path, content string, at effect.Place, by int) {
	last, counted := -1, false
	found := func(sign int) {
		if files := a.files[sign]; sign != last {
			last, counted = sign, files == nil || files.Has(path, at)
		}
		if !counted {
			return
		}
		t := &counts[sign]
		if t.more += by; t.path == "" && by > 0 {
			t.path = path
		}
	}
	if a.chain != nil {
		for _, hit := range a.chain.Find(content) {
			found(a.signs[hit.Rule])
		}
	}
	if a.live >= 0 {
		for range secret.Live(content) {
			found(a.live)
		}
	}
}

// commitMessage is where git keeps the message of a commit that is being made.
const commitMessage = ".git/COMMIT_EDITMSG"

// messageOf is what a command adds to a repository beside files: the message of a
// commit or a tag, a note.
func messageOf(c *invocation.Command) string {
	if c.Name != "git" || c.Sub != "commit" && c.Sub != "tag" && c.Sub != "notes" && c.Sub != "merge" {
		return ""
	}
	return strings.Join(append(slices.Clone(c.Args), c.Input), "\n")
}
