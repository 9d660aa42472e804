package script

import "strings"

// pythonConnect connects a socket, or says whom a client is for.
func pythonConnect(r *reader, c *call) value {
	v := c.get(0)
	if c.self.form == isSocket || v.form == isList && v.keys() == nil && len(v.items()) == 2 {
		return r.connect(v)
	}
	if v := c.get(0, "hostname"); c.self.form == isClient && v.form == isString {
		r.connected = v.piece()
		return value{}
	}
	if c.self.form == isClient && len(c.args) == 0 { // of a database
		return c.self
	}
	return r.other(&c.self, c)
}

// pythonSend gives something to a connection, or to the address that stands beside it.
func pythonSend(r *reader, c *call) value {
	data := c.get(0)
	if c.self.form != isSocket && !r.sockets {
		return value{}
	}
	if to := c.get(1); to.form == isList && len(to.items()) == 2 {
		r.connect(to)
	}
	if made := madeBy(&data); len(made.sources()) > 0 {
		r.send(text(r.connected), data)
	}
	return value{}
}

// pythonPut puts a file onto another machine, or is a request.
func pythonPut(r *reader, c *call) value {
	if v := c.get(0, "localpath", "local"); c.self.form == isClient && v.form == isString && !isAddress(v.text) && r.connected != "" {
		return r.send(text(r.connected), value{}.madeOf(fromSources(v.piece())))
	}
	return clientRequest(r, c)
}

// pythonSSH is a client of the machine that it names, or of the one that was named
// before.
func pythonSSH(r *reader, c *call) value {
	to := c.get(0, "host", "hostname")
	switch {
	case to.form == isClient:
		return to
	case to.form == isList && len(to.items()) > 0:
		to = to.items()[0]
	}
	if to.form == isString {
		r.connected = to.piece()
	}
	return value{form: isClient, text: r.connected}
}

// pythonCommand is a program that can be called as a function.
func pythonCommand(_ *reader, c *call) value {
	if s, ok := c.get(0).known(); ok && s != "" {
		return ref("sh." + s[strings.LastIndexByte(s, '/')+1:])
	}
	return value{}
}
