package script

import (
	"slices"
	"strings"
)

// maySend reports whether something may be asked: by a client, or by its address.
func maySend(client, url *value) bool {
	return client.form == isClient || url.form == isString && isAddress(url.text)
}

// asks is a request whose arguments are a part of the address: they are given away
// if they were made from something.
func asks(r *reader, c *call, o *operands) value {
	client, url := o.At(0), o.At(1)
	if !maySend(&client, &url) {
		return r.other(&client, c)
	}
	data := listOf(o.From(2)...)
	if made := madeBy(&data); len(made.sources()) > 0 {
		return r.send(url, data.items()...)
	}
	return r.fetch(url)
}

// clientRequests is a request whose method is an argument. The client of http.client
// has the address.
func clientRequests(r *reader, c *call, o *operands) value {
	client, url := o.At(0), o.At(2)
	if client.form == isClient && client.text != "" {
		url = text(client.text).madeOf(fromSources(url.sources()...))
	} else if !maySend(&client, &url) {
		return r.other(&client, c)
	}
	switch strings.ToUpper(o.At(1).text) {
	case "GET", "HEAD", "OPTIONS", "DELETE":
		if len(o.From(3)) == 0 {
			return r.fetch(url)
		}
	}
	return r.send(url, o.From(3)...)
}

// makesRequest is a request that is sent when it is opened.
func makesRequest(_ *reader, _ *call, o *operands) value {
	url := o.At(0)
	out := value{form: isClient, text: url.piece()}.madeOf(fromSources(url.sources()...))
	if o.Has(1) {
		out.use = 1
		out = out.with(o.From(1), nil)
	}
	return out
}

// opensRequest sends a request, or asks an address.
func opensRequest(r *reader, _ *call, o *operands) value {
	url, data := o.At(0), o.From(1)
	sends := o.Has(1)
	if url.form == isClient {
		sends, data = url.use == 1, url.items()
		url = text(url.text).madeOf(fromSources(url.sources()...))
	}
	if sends {
		return r.send(url, data...)
	}
	return r.fetch(url)
}

// uploads puts a file onto the machine that a client talks to, or is a request.
func uploads(r *reader, c *call, o *operands) value {
	client, path := o.At(0), o.At(1)
	if client.form == isClient && path.form == isString && !isAddress(path.text) && r.connected != "" {
		return r.send(text(r.connected), value{}.madeOf(fromSources(path.piece())))
	}
	return requests(r, c, o)
}

// machineOf is a client of the machine that it names, or of the one that was named
// before.
func machineOf(r *reader, _ *call, o *operands) value {
	to := o.At(0)
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

func phpOption(r *reader, c *call, _ *operands) value {
	r.setOption(c.get(0), c.get(1).text, c.get(2))
	return value{}
}

func phpOptions(r *reader, c *call, _ *operands) value {
	options := c.get(1)
	for i := range options.keys() {
		r.setOption(c.get(0), options.keys()[i], options.items()[i])
	}
	return value{}
}

func (r *reader) setOption(client value, option string, v value) {
	if client.form != isClient {
		return
	}
	switch strings.ToUpper(option) {
	case "CURLOPT_URL":
		r.curl.text = v.piece()
		r.curl = r.curl.madeOf(fromSources(v.sources()...))
	case "CURLOPT_POSTFIELDS", "CURLOPT_INFILE", "CURLOPT_READDATA":
		r.curl = r.curl.with(append(slices.Clip(r.curl.items()), v), nil)
		r.curl.use = 1
	case "CURLOPT_POST", "CURLOPT_UPLOAD", "CURLOPT_PUT":
		r.curl.use = 1
	case "CURLOPT_FILE":
		r.put(v, value{}.madeOf(fromRemote(client.text)))
	}
}

func phpCurl(r *reader, c *call, _ *operands) value {
	address := c.get(0)
	made := text(address.text).madeOf(fromSources(address.sources()...))
	if r.curl.text != "" {
		made = text(r.curl.text).madeOf(r.curl.origin())
	}
	items, sends := r.curl.items(), r.curl.use == 1
	r.curl = value{}
	if sends {
		return r.send(made, items...)
	}
	return r.fetch(made)
}

func (c *call) has(name string) bool {
	for i := range c.args {
		if c.args[i].name == name {
			return true
		}
	}
	return false
}

// bodyOf is what a request carries: all arguments but the first. Headers are left
// out: that a key goes to its own service in one is everyday.
func bodyOf(_ *reader, c *call, _ *operands) value {
	var data []value
	for i := range c.args[min(1, len(c.args)):] {
		if c.args[i+1].name != "headers" {
			data = append(data, c.args[i+1].value)
		}
	}
	return listOf(data...)
}

// requests asks an address by something that may be a client, and gives it what
// stands behind.
func requests(r *reader, c *call, o *operands) value {
	switch client, url := o.At(0), o.At(1); {
	case !maySend(&client, &url):
		return r.other(&client, c)
	case len(o.Values) > 2:
		return r.send(url, o.From(2)...)
	default:
		return r.fetch(url)
	}
}
