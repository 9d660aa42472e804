package stream

// ForgetGroup takes away the memory that a processor keeps.
func ForgetGroup(p *Processor) { p.state.group = nil }
