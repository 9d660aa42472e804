package hook

import (
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/rule"
)

// maxUnderstood is how many commands and how many effects are sent.
const maxUnderstood = 256

// Understood is what the conditions of policies see of a call, so that a receiver
// need not parse shell text itself.
type Understood struct {
	// Name and Kind are the tool's canonical name and what it does; Server is its
	// MCP server. ServerUnknown says that it is or may be a server's tool, and not whose.
	Name          string `json:"name"`
	Kind          string `json:"kind"`
	Server        string `json:"server,omitempty"`
	ServerUnknown bool   `json:"server_unknown,omitempty"`
	// Commands are what it runs and Effects what it would do.
	Commands []Command `json:"commands,omitempty"`
	Effects  []Effect  `json:"effects,omitempty"`
	// Unknown are the reasons why something may be missing.
	Unknown []string `json:"unknown,omitempty"`
}

// Command is a command that a call runs.
type Command struct {
	Name   string   `json:"name"`
	Sub    string   `json:"sub,omitempty"`
	Args   []string `json:"args,omitempty"`
	Sudo   bool     `json:"sudo,omitempty"`
	Remote bool     `json:"remote,omitempty"`
}

// Effect is one thing that a call would do; see package effect.
type Effect struct {
	Verb    effect.Verb `json:"verb"`
	Object  string      `json:"object,omitempty"`
	From    string      `json:"from,omitempty"`
	How     string      `json:"how,omitempty"`
	Kind    effect.Kind `json:"kind,omitempty"`
	Wide    bool        `json:"wide,omitempty"`
	Sudo    bool        `json:"sudo,omitempty"`
	Remote  bool        `json:"remote,omitempty"`
	Guess   bool        `json:"guess,omitempty"`
	Shown   bool        `json:"shown,omitempty"`
	Scratch bool        `json:"scratch,omitempty"`
	// Text describes it in words.
	Text string `json:"text"`
}

// understand adds the analysis of a call.
func (q *Question) understand(s *policy.Subject) {
	c := rule.CallOf(s)
	u := &Understood{Name: c.Name, Kind: string(c.Kind), ServerUnknown: c.ServerUnknown, Unknown: c.Unknown}
	if !c.ServerUnknown {
		u.Server = c.Server
	}
	for i := range c.Commands {
		if i == maxUnderstood {
			q.cut("understood")
			break
		}
		k := &c.Commands[i]
		u.Commands = append(u.Commands, Command{Name: k.Name, Sub: k.Sub, Args: k.Args, Sudo: k.Sudo, Remote: k.Remote})
	}
	for i := range c.Effects {
		if i == maxUnderstood {
			q.cut("understood")
			break
		}
		e := &c.Effects[i]
		u.Effects = append(u.Effects, Effect{
			e.Verb, e.Object, e.From, e.How, e.Kind, e.Wide, e.Sudo, e.Remote, e.Guess, e.Shown, e.Scratch, e.String(),
		})
	}
	q.Understood = u
}
