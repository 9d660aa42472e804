package openaichat

// objectScan follows arguments as they arrive and tracks whether they are one closed
// JSON object so far. It checks brackets and strings only, stores no bytes, and never
// decides that a call has ended: more can follow.
type objectScan struct {
	depth    int
	inString bool
	escaped  bool
	closed   bool
	broken   bool
}

// complete reports whether the bytes so far are one closed object.
func (o *objectScan) complete() bool { return o.closed && !o.broken }

func (o *objectScan) feed(p []byte) {
	if o.broken {
		return
	}
	for _, c := range p {
		if o.inString {
			switch {
			case o.escaped:
				o.escaped = false
			case c == '\\':
				o.escaped = true
			case c == '"':
				o.inString = false
			}
			continue
		}
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '{', '[':
			if o.closed || o.depth == 0 && c == '[' {
				o.broken = true
				return
			}
			o.depth++
			continue
		}
		if o.depth == 0 {
			// Something before the object, or after it.
			o.broken = true
			return
		}
		switch c {
		case '"':
			o.inString = true
		case '}', ']':
			o.depth--
			o.closed = o.depth == 0
		}
	}
}
