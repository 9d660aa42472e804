package witness

import "bytes"

// lines splits event streams into events, however the input is chunked.
type lines struct {
	rest []byte // of an incomplete line
	name string
	data []byte
	open bool // data has come
}

// split calls event for every event that p completes.
func (l *lines) split(p []byte, event func(name string, payload []byte)) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			l.rest = append(l.rest, p...)
			return
		}
		line := p[:end]
		if len(l.rest) > 0 {
			l.rest = append(l.rest, line...)
			line = l.rest
		}
		p = p[end+1:]
		l.line(bytes.TrimSuffix(line, []byte("\r")), event)
		l.rest = l.rest[:0]
	}
}

func (l *lines) line(line []byte, event func(string, []byte)) {
	if len(line) == 0 {
		if l.open {
			event(l.name, l.data)
		}
		l.name, l.data, l.open = "", l.data[:0], false
		return
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		l.name = string(value)
	case "data":
		if l.open {
			l.data = append(l.data, '\n')
		}
		l.data = append(l.data, value...)
		l.open = true
	}
}
