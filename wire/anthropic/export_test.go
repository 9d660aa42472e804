package anthropic

// NewDecoderInFull returns a decoder that reads every payload in full.
func NewDecoderInFull() *Decoder {
	d := NewDecoder()
	d.lastDelta.off = true
	return d
}
