package contradict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Block is a part of a planned answer.
type Block struct {
	Kind Kind
	// Type is the provider's name for it, where the dialect has several.
	Type string
	// Forbidden says whether a call is one that no client may get.
	Forbidden Forbidden
	Choice    int
	// Number makes the token of the block, Seed its details.
	Number int
	Seed   uint64
}

// String shows a block to people.
func (b Block) String() string {
	s := fmt.Sprintf("%d %s", b.Number, b.Kind)
	if b.Type != "" {
		s += " " + b.Type
	}
	if b.Choice > 0 {
		s += fmt.Sprintf(" in choice %d", b.Choice)
	}
	return s + []string{"", ", forbidden by its arguments", ", forbidden by its name"}[b.Forbidden]
}

// Kind is what a block is.
type Kind string

// The kinds of blocks.
const (
	Text     Kind = "text"
	Thinking Kind = "thinking"
	Refusal  Kind = "refusal"
	ToolCall Kind = "call"
	// Server is what the provider ran itself. Its input is always harmless.
	Server Kind = "server tool"
	// Opaque is what no client acts on.
	Opaque Kind = "opaque"
)

// Forbidden says what about a call is forbidden.
type Forbidden uint8

// The ways in which a call is forbidden.
const (
	Nothing Forbidden = iota
	ByArguments
	ByName
)

const (
	// mark is in every forbidden text and nowhere else, and it is one character
	// that is never escaped within arguments: however a text is cut, one piece
	// has it, and a search of the bytes finds it.
	mark = "✗"
	// nameMark is the same for names. It is another one, because a notice may
	// quote a name.
	nameMark = "Z"
)

// Marked reports whether a text has a piece of forbidden arguments, as it is or in
// JSON escapes.
func Marked(text string) bool {
	return strings.Contains(text, mark) || strings.Contains(text, `\u2717`)
}

// MarkedName reports whether a name is a forbidden one, or a piece of one.
func MarkedName(name string) bool { return strings.Contains(name, nameMark) }

// spec is a call before it has the form of its dialect.
type spec struct {
	typ, id, callID, name string
	// args is JSON with command in it.
	args, command string
	choice        int
}

// nameless are the types of calls that have no name.
var nameless = []string{"local_shell_call", "shell_call", "apply_patch_call", "computer_call"}

// call writes down a call that the answer has.
func (d *draft) call(typ string, choice, number int, why Forbidden, r *rand.Rand) spec {
	if why == ByName && slices.Contains(nameless, typ) {
		why = ByArguments
	}
	d.ids++
	s := spec{
		typ: typ, choice: choice, id: fmt.Sprintf("item_%d", d.ids), callID: fmt.Sprintf("call_%d", d.ids),
		name: []string{"Bash", "shell", "run", "exec_command"}[r.IntN(4)],
	}
	token := fmt.Sprint("allowed-", number)
	if why == ByArguments {
		token = fmt.Sprint("forbidden", mark, number)
		s.command = "rm -rf ~/ #" + token
	} else {
		s.command = "echo " + token
	}
	if why == ByName {
		s.name = fmt.Sprint("wipe_", nameMark, number)
	}
	s.args = `{"command":` + quoted(s.command) + `}`
	if why == ByArguments && r.IntN(3) == 0 {
		s.args = strings.Replace(s.args, "forbidden", escaped("forb")+"idden", 1)
	}
	d.calls = append(d.calls, Call{Choice: choice, Name: s.name, Type: typ, Token: token, Forbidden: why != Nothing})
	return s
}

// planned is the call of a block.
func (d *draft) planned(b Block) spec { return d.call(b.Type, b.Choice, b.Number, b.Forbidden, d.Rand) }

// forbidden is a call that a contradiction brings.
func (d *draft) forbidden(typ string) spec {
	d.number++
	return d.call(typ, 0, d.number, ByArguments, d.Rand)
}

// badName is a name that no client may get to execute.
func (d *draft) badName() string {
	d.number++
	return fmt.Sprint("wipe_", nameMark, d.number)
}

// say writes down what a text block says.
func (d *draft) say(b Block) string {
	token := fmt.Sprintf("said-%d.", b.Number)
	if b.Kind == Thinking {
		d.thinking = append(d.thinking, token)
	} else {
		d.texts = append(d.texts, token)
	}
	return []string{"", "Well, ", "line\n\"quoted\" \\ ä🙂 "}[d.IntN(3)] + token + " "
}
