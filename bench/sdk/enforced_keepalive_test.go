package sdk

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sluice-project/sluice/stream"
	"github.com/sluice-project/sluice/wire"
)

// Signs of life between any two events, while somebody decides, mean nothing to
// a client.
func TestSDKSurvivesSignsOfLife(t *testing.T) {
	h := newHost(t)
	for _, format := range wire.Formats() {
		t.Run(string(format), func(t *testing.T) {
			for _, p := range positions() {
				t.Run(p.name, func(t *testing.T) {
					c := cell{format: format, form: form{piece: 3}, position: p}
					quiet := c.build(p.blocks())
					writer := format.NewWriter(stream.WriterOptions{})
					var lively []byte
					for _, event := range bytes.SplitAfter(quiet, []byte("\n\n")) {
						lively = writer.Keepalive(append(lively, event...))
					}
					want := h.ask(t.Context(), format, response{status: 200, body: quiet})
					got := h.ask(t.Context(), format, response{status: 200, body: lively})
					if got.err != nil || !slices.Equal(got.parts, want.parts) || got.finish != want.finish {
						t.Errorf("got %+v, want %+v\n%s", got, want, lively)
					}
				})
			}
		})
	}
}
