package script

import "sync"

// readers keep what they grew from one program to the next.
var readers = sync.Pool{}

func newReader() *reader {
	if r, ok := readers.Get().(*reader); ok {
		return r
	}
	return &reader{names: map[string]value{}, functions: map[string]*function{}}
}

// What a reader may keep. One that needed more is not used again.
const (
	keptTokens = 8 << 10
	keptArgs   = 1 << 10
	keptNames  = 1 << 10
)

// release gives a reader back, without anything of the program that it read.
func (r *reader) release() {
	if cap(r.main) > keptTokens || cap(r.args) > keptArgs || len(r.names) > keptNames || len(r.functions) > keptNames {
		return
	}
	clear(r.main)
	clear(r.names)
	clear(r.functions)
	*r = reader{names: r.names, functions: r.functions, main: r.main[:0], calls: r.calls, args: r.args, narrow: r.narrow[:0]}
	readers.Put(r)
}
