package contradict

import (
	"slices"

	"github.com/sluice-project/sluice/sluicetest"
)

// Contradiction is a way in which an answer can contradict itself.
type Contradiction struct {
	Name string
	// Dialects are the dialects that it applies to.
	Dialects []string
	// Usual: real providers do this, and every client understands it.
	Usual bool
	// Unread: it puts a call where no known client looks for one, such as a member that
	// the dialect does not have.
	Unread bool

	streamed, whole bool
	// apply changes the draft. It reports false, and changes nothing, if the draft has
	// no place for it.
	apply func(d *draft) bool
}

// All returns every contradiction.
func All() []Contradiction {
	var all []Contradiction
	all = append(all, contradictions(responsesTable, sluicetest.OpenAIResponses)...)
	all = append(all, contradictions(chatTable, sluicetest.OpenAIChat)...)
	all = append(all, contradictions(anthropicTable, sluicetest.Anthropic)...)
	all = append(all, contradictions(geminiTable, sluicetest.Gemini)...)
	all = append(all, contradictions(namedTable, sluicetest.OpenAIResponses, sluicetest.Anthropic)...)
	return append(all, contradictions(everyTable, sluicetest.Formats()...)...)
}

// For returns the contradictions of a dialect in one form. The slice must not be
// changed.
func For(dialect string, whole bool) []Contradiction {
	if whole {
		return forms[dialect][1]
	}
	return forms[dialect][0]
}

// entry is a line of a dialect's table: in which forms of an answer it can be, s
// for streamed and w for whole; u for usual, n for nobody reads it.
type entry struct {
	name, where string
	apply       func(d *draft) bool
}

func contradictions(table []entry, dialects ...string) []Contradiction {
	list := make([]Contradiction, 0, len(table))
	for _, e := range table {
		has := func(c byte) bool { return slices.Contains([]byte(e.where), c) }
		list = append(list, Contradiction{
			Name: e.name, Dialects: dialects, Usual: has('u'), Unread: has('n'), streamed: has('s'), whole: has('w'), apply: e.apply,
		})
	}
	return list
}

// byName and forms find contradictions; nothing changes them.
var byName, forms = index()

func index() (names map[string]map[string]Contradiction, lists map[string][2][]Contradiction) {
	names, lists = map[string]map[string]Contradiction{}, map[string][2][]Contradiction{}
	for _, c := range All() {
		for _, dialect := range c.Dialects {
			if names[dialect] == nil {
				names[dialect] = map[string]Contradiction{}
			}
			names[dialect][c.Name] = c
			pair := lists[dialect]
			if c.streamed {
				pair[0] = append(pair[0], c)
			}
			if c.whole {
				pair[1] = append(pair[1], c)
			}
			lists[dialect] = pair
		}
	}
	return names, lists
}
