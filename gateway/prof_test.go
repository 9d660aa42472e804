package gateway_test

import (
	"os"
	"testing"

	"github.com/sluice-project/sluice/wire"
)

func TestProf(t *testing.T) {
	m := newMeasured(t)
	f := wire.Format(os.Getenv("FMT"))
	body := bigShapes[os.Getenv("SHAPE")](f, 1<<20)
	for range 20 {
		m.ask(f, body)
	}
}
