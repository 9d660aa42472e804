package openairesponses

// NewDecoderInFull returns a decoder that reads every payload in full.
func NewDecoderInFull() *Decoder {
	d := NewDecoder()
	d.likeLast.off = true
	return d
}
