package gateway

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// wayOut is an output with its writer. It goes from exchange to exchange.
type wayOut struct {
	stream.Output

	writer stream.Writer
}

var waysOut = sync.Pool{New: func() any { return new(wayOut) }}

// wayOut returns the way of the exchange's answer to its client.
func (x *exchange) wayOut() *wayOut {
	o, ok := waysOut.Get().(*wayOut)
	if !ok {
		o = new(wayOut)
	}
	o.writer = x.format.NewWriter(x.engine.WriterOptions())
	o.Reset(o.writer, x.sink.Write)
	return o
}

// giveBack gives the way to another exchange. Nobody may use it any more: it is
// called for answers that came to their end, and left to the garbage collector
// after all others.
func (o *wayOut) giveBack() {
	o.Reset(nil, nil)
	wire.ReleaseWriter(o.writer)
	o.writer = nil
	waysOut.Put(o)
}
