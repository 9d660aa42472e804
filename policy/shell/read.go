package shell

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/sluice-project/sluice/policy/command/hook"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/internal/arena"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// Read says what a text for a POSIX-like shell would do.
func Read(text string, at invocation.Setting) invocation.Reading {
	r := newReader(at, len(text))
	defer r.release()
	r.page(text)
	r.Inner(text, invocation.Origin{}, invocation.Flow{})
	r.Reading.Left = r.Outermost.Dir
	r.leftovers()
	output.Tells(&r.Reader)
	return r.read()
}

// ReadArgs says what a command would do that is executed without a shell.
func ReadArgs(argv []string, at invocation.Setting) invocation.Reading {
	size := 0
	for _, arg := range argv {
		size += len(arg) + 1
	}
	if size > invocation.MaxText {
		return invocation.Reading{Unknown: []string{invocation.Long}}
	}
	if len(argv) > 1 && follow.IsShell(invocation.BaseName(argv[0])) {
		if script, name, _ := shellArgs(argv[1:]); script >= 0 && name+1 >= len(argv) { // nothing but the script
			return Read(argv[1+script], at)
		}
	}
	r := newReader(at, size)
	defer r.release()
	r.Argv(argv, invocation.Origin{}, invocation.Flow{})
	r.leftovers()
	output.Tells(&r.Reader)
	return r.read()
}

// readers go from text to text, for their pieces.
var readers = sync.Pool{New: func() any { return new(reader) }}

// read is what was read, for the caller to keep.
func (r *reader) read() invocation.Reading {
	list := r.Reading.Effects
	if r.Reading.Effects = nil; len(list) > 0 {
		r.Reading.Effects = append(make([]effect.Effect, 0, len(list)), list...)
	}
	if clear(list); cap(list) <= arena.Most/int(unsafe.Sizeof(effect.Effect{})) {
		r.Effects = list[:0]
	}
	r.Reading.Wrote, r.Reading.Links, r.Reading.Made = r.Wrote, r.Links, r.Made
	return r.Reading
}

// release gives a reader back. What it has read is the caller's.
func (r *reader) release() {
	r.Reset()
	r.State = invocation.State{}
	readers.Put(r)
}

func newReader(at invocation.Setting, size int) *reader {
	at.Place = at.Clean()
	r, _ := readers.Get().(*reader)
	r.Set, r.Known, r.Units, r.Budget = at, known, invocation.MaxUnits, invocation.LeastSteps+invocation.StepsPerByte*min(size, invocation.MaxText)
	r.Shell, r.Wrote, r.Links, r.Made = r, at.Wrote, at.Links, at.Made
	r.Hooks, r.Contexts = hook.Hooks, hook.Contexts
	r.Reading.Effects = r.Effects
	r.Outermost.At = at.Place
	r.Scope = &r.Outermost
	return r
}

// Inner reads a text inside the one that is being read.
func (r *reader) Inner(script string, from invocation.Origin, in invocation.Flow) invocation.Flow {
	if len(script) > invocation.MaxText {
		r.Mark(invocation.Long)
		script = script[:invocation.MaxText]
	}
	if r.Depth >= invocation.MaxDepth {
		r.Mark(invocation.Nesting)
		return invocation.Flow{Piped: true}
	}
	if !r.Pay(len(script)) {
		return invocation.Flow{Piped: true}
	}
	src, outer := r.Src, r.From
	r.Src, r.From = script, from
	r.Depth++
	out := r.text(&in)
	r.Depth--
	r.Src, r.From = src, outer
	r.Heard = invocation.Merge(r.Heard, out.Shows)
	return out
}

// Argv reads a command given as a list inside the text that is being read.
func (r *reader) Argv(words []string, from invocation.Origin, in invocation.Flow) invocation.Flow {
	if len(words) == 0 {
		return invocation.Flow{}
	}
	size := 0
	for _, w := range words {
		size += invocation.ArgumentSteps + len(w)
	}
	if r.Depth >= invocation.MaxDepth {
		r.Mark(invocation.Nesting)
		return invocation.Flow{Piped: true}
	}
	if !r.Pay(size) {
		return invocation.Flow{Piped: true}
	}
	outer := r.From
	of := from.Of
	from.Of = nil
	r.From = from
	r.Depth++
	args := make([]invocation.Arg, len(words))
	for i, w := range words {
		args[i] = invocation.Arg{As: w, Bare: w}
		if of != nil && invocation.Unknown(w) {
			args[i].Of = of
		}
	}
	out := r.run(args, &invocation.Command{Text: strings.Join(words, " ")}, &in, from.Guess)
	r.Depth--
	r.From = outer
	r.Heard = invocation.Merge(r.Heard, out.Shows)
	return out
}
