package gateway

import (
	"sync"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// pooledOutput is an output with its writer, which exchanges reuse.
type pooledOutput struct {
	stream.Output

	writer stream.Writer
}

var outputs = sync.Pool{New: func() any { return new(pooledOutput) }}

// pooledOutput returns an output for the exchange's answer.
func (x *exchange) pooledOutput() *pooledOutput {
	o, ok := outputs.Get().(*pooledOutput)
	if !ok {
		o = new(pooledOutput)
	}
	o.writer = x.format.NewWriter(x.engine.WriterOptions())
	o.Reset(o.writer, x.sink.Write)
	return o
}

// giveBack returns the output to the pool. It must not be used afterwards: it
// is called only after a normal end; otherwise the output is left to the
// garbage collector.
func (o *pooledOutput) giveBack() {
	o.Reset(nil, nil)
	wire.ReleaseWriter(o.writer)
	o.writer = nil
	outputs.Put(o)
}
