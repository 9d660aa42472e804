package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	catalogue "github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/shell"
)

// ran is a command of a call, with what it would do.
type ran struct {
	Text    string   `json:"text"`
	Name    string   `json:"name"`
	Sub     string   `json:"sub"`
	Args    []string `json:"args"`
	Sudo    bool     `json:"sudo"`
	Remote  bool     `json:"remote"`
	Depth   int      `json:"depth"`
	Effects []done   `json:"effects"`
}

// done is one thing that a call would do, with the members that conditions can ask for, and
// in words.
type done struct {
	Verb    effect.Verb `json:"verb"`
	Object  string      `json:"object"`
	From    string      `json:"from"`
	Content string      `json:"content"`
	How     string      `json:"how"`
	Wide    bool        `json:"wide"`
	Sudo    bool        `json:"sudo"`
	Remote  bool        `json:"remote"`
	Guess   bool        `json:"guess"`
	Shown   bool        `json:"shown"`
	Scratch bool        `json:"scratch"`
	Text    string      `json:"text"`
}

func doneBy(e *effect.Effect) done {
	return done{e.Verb, e.Object, e.From, e.Content, e.How, e.Wide, e.Sudo, e.Remote, e.Guess, e.Shown, e.Scratch, e.String()}
}

// understood is what a rule understands of a call.
type understood struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Server string `json:"server,omitempty"`
	// ServerUnknown: call.server is unknown, and Server what the name suggests.
	ServerUnknown bool `json:"server_unknown,omitempty"`

	Commands []ran `json:"commands"`
	// Undescribed are the programs of which nothing is known but their names.
	Undescribed []string `json:"not_described"`
	// Calls are the tools that it calls in turn: a program that calls tools, a dispatcher.
	Calls []string `json:"calls"`
	// Effects are what it would do, the effects of its commands included.
	Effects []done   `json:"effects"`
	Reads   []string `json:"reads"`
	Writes  []string `json:"writes"`
	URLs    []string `json:"urls"`
	// Unknown are the reasons why something may be missing, Missing the lists
	// that may be incomplete.
	Unknown []string `json:"unknown"`
	Missing []string `json:"may_miss"`

	own []string // what no command does, in words
}

// undescribed reports whether nothing is known of what a command does: no program of that
// name is described, it is not a file of which that is said, and runs no other command.
func undescribed(c *call.Call, i int, programs *catalogue.Catalogue) bool {
	of := &c.Commands[i]
	ownEffect := slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Command == i && e.Verb == effect.Run })
	runsOthers := i+1 < len(c.Commands) && c.Commands[i+1].Depth > of.Depth
	return of.Name != "" && !effect.Expands(of.Name) && !ownEffect && !runsOthers && !shell.Understands(of.Name, programs)
}

func understand(c *call.Call, programs *catalogue.Catalogue) *understood {
	u := &understood{
		Name: cmp.Or(c.Name, c.RawName), Kind: string(c.Kind), Server: c.Server, ServerUnknown: c.ServerUnknown, Commands: []ran{}, Undescribed: []string{}, Calls: []string{}, Effects: []done{},
		Reads: listed(c.Reads), Writes: listed(c.Writes), URLs: listed(c.URLs), Unknown: listed(c.Unknown), Missing: []string{},
	}
	for i := range c.Commands {
		of := &c.Commands[i]
		words := []string{of.Name}
		for _, arg := range of.Args {
			words = append(words, inQuotes(arg))
		}
		for _, from := range of.Reads {
			words = append(words, "<", from)
		}
		for _, to := range of.Writes { // otherwise the effects would seem to be those of the program
			words = append(words, ">", to)
		}
		if of.Sudo {
			words = append(words, "(as another user)")
		}
		if of.Remote {
			words = append(words, "(on another machine)")
		}
		if undescribed(c, i, programs) && !slices.Contains(u.Undescribed, of.Name) {
			u.Undescribed = append(u.Undescribed, of.Name)
		}
		u.Commands = append(u.Commands, ran{Text: strings.Join(words, " "), Name: of.Name, Sub: of.Sub, Args: listed(of.Args), Sudo: of.Sudo, Remote: of.Remote, Depth: of.Depth, Effects: []done{}})
	}
	for i := range c.Passed {
		if name := cmp.Or(c.Passed[i].Name, "a tool whose name is not known"); !slices.Contains(u.Calls, name) {
			u.Calls = append(u.Calls, name)
		}
	}
	for i := range c.Effects {
		e := &c.Effects[i]
		does := doneBy(e)
		u.Effects = append(u.Effects, does)
		if e.Command >= 0 && e.Command < len(u.Commands) {
			u.Commands[e.Command].Effects = append(u.Commands[e.Command].Effects, does)
		} else {
			u.own = append(u.own, does.Text)
		}
	}
	for _, list := range []struct {
		name    string
		missing bool
	}{
		{"commands", c.Incomplete.Commands}, {"effects", c.Incomplete.Commands || len(c.Strange) > 0},
		{"reads", c.Incomplete.Reads},
		{"writes", c.Incomplete.Writes},
		{"urls", c.Incomplete.URLs},
	} {
		if list.missing {
			u.Missing = append(u.Missing, list.name)
		}
	}
	return u
}

// listed is the list, never null in JSON.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// inQuotes is a word of a command as a shell would take it: one that is several to the
// shell is put into quotes.
func inQuotes(word string) string {
	switch {
	case word != "" && !strings.ContainsAny(word, " \t\n'\"`;|&<>()\\"):
		return word
	case !strings.Contains(word, "'"):
		return "'" + word + "'"
	default:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(word) + `"`
	}
}
