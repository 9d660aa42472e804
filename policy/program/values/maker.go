package values

// Maker makes values within limits: without them a short program could have a long text
// made, or looked at, again and again.
type Maker struct {
	// Steps, Bytes and Work are what may still be done, made and looked at.
	Steps, Bytes, Work int
	// Refused is told the name of a limit that was reached.
	Refused func(limit string)
}

// TooLong stands for a text that was not made.
const TooLong = Mark + "long" + Mark

// PerItem is what looking at an item of a list costs, in bytes of a text.
const PerItem = 32

// Step counts work and reports whether more may be done.
func (m *Maker) Step() bool {
	if m.Steps--; m.Steps < 0 {
		m.Refused("steps")
	}
	return m.Steps >= 0
}

// Looks counts the bytes of texts, or perItem for each item of lists, that one
// expression looks at, and reports whether it may. Without it a short program
// could have a long text decoded again and again.
func (m *Maker) Looks(size int) bool {
	if m.Work -= size; m.Work < 0 {
		m.Refused("bytes")
	}
	return m.Work >= 0
}

// Makes counts the bytes of a new text and reports whether it may be made.
func (m *Maker) Makes(size int) bool {
	m.Bytes -= size
	if m.Bytes < 0 || size > MostText {
		m.Refused("bytes")
		return false
	}
	return true
}

// Made is a new text. Beyond what may be made it is not known.
func (m *Maker) Made(s string) string {
	if !m.Makes(len(s)) {
		return TooLong
	}
	return s
}

// Glue is one text after the other.
func (m *Maker) Glue(a, b string) string {
	if !m.Makes(len(a) + len(b)) {
		return TooLong
	}
	return a + b
}
