package agent

import (
	"crypto/sha256"
	"strings"
)

// Limits stop loops that do not end on their own. When one is reached, calls that
// exceed it are not run, and the run ends with a result and the limit as its reason.
// Zero fields mean the defaults, negative ones no limit.
type Limits struct {
	// Rounds is the maximum number of requests to the model. Default 50.
	Rounds int
	// Calls is the maximum number of calls in total. Default 150.
	Calls int
	// PerTool is the maximum number of calls of each tool. Default 40. Tools has
	// limits for individual tools by name; there 0 means never.
	PerTool int
	Tools   map[string]int
	// Identical is the maximum number of calls of a tool with the same
	// arguments. Default 10.
	Identical int
	// Tokens is the maximum number of tokens of all rounds together, input and
	// output. No limit by default. It is checked at the end of a round.
	Tokens int64
	// TellModel tells the model that a call exceeded a limit, and continues
	// with the next round instead of ending the run. Rounds and Tokens still
	// end it.
	TellModel bool
}

// The defaults of Limits.
const (
	DefaultRounds    = 50
	DefaultCalls     = 150
	DefaultPerTool   = 40
	DefaultIdentical = 10
)

func (l Limits) orDefaults() Limits {
	if l.Rounds == 0 {
		l.Rounds = DefaultRounds
	}
	if l.Calls == 0 {
		l.Calls = DefaultCalls
	}
	if l.PerTool == 0 {
		l.PerTool = DefaultPerTool
	}
	if l.Identical == 0 {
		l.Identical = DefaultIdentical
	}
	return l
}

// counted counts the calls of a run. Only calls that are run count.
type counted struct {
	all   int
	tools map[string]int
	same  map[string]int
}

// reached counts a call, or says which limit prevents it.
func (c *counted) reached(l *Limits, name, arguments string) *LimitReached {
	most, own := l.Tools[name]
	if !own {
		most = l.PerTool
	}
	same := name + "\x00" + arguments
	if len(arguments) > sha256.Size {
		hash := sha256.Sum256([]byte(arguments))
		same = name + "\x00" + string(hash[:])
	}
	switch {
	case l.Calls > 0 && c.all >= l.Calls:
		return &LimitReached{Reason: LimitCalls, Max: int64(l.Calls)}
	case most >= 0 && c.tools[name] >= most:
		return &LimitReached{Reason: LimitToolCalls, Tool: name, Max: int64(most)}
	case l.Identical > 0 && c.same[same] >= l.Identical:
		return &LimitReached{Reason: LimitIdentical, Tool: name, Max: int64(l.Identical)}
	}
	if c.tools == nil {
		c.tools, c.same = make(map[string]int), make(map[string]int)
	}
	c.all++
	c.tools[name]++
	c.same[same]++
	return nil
}

// restore restores the counts of an interrupted run.
func (c *counted) restore(same map[string]int) {
	if len(same) == 0 {
		return
	}
	c.tools, c.same = make(map[string]int), make(map[string]int)
	for key, n := range same {
		name, _, _ := strings.Cut(key, "\x00")
		c.same[key] = n
		c.tools[name] += n
		c.all += n
	}
}
