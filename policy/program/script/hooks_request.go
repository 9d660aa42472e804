package script

import (
	"slices"
	"strings"
)

// bodies are the arguments that hold what is sent. Headers are left out: that a
// key goes to its own service in one is everyday.
var bodies = []string{"data", "json", "files", "params", "content", "body", "fields"}

func pythonRequest(r *reader, c *call) value {
	method := c.name[strings.LastIndexByte(c.name, '.')+1:]
	at := 0
	if method == "request" {
		m := c.get(0, "method")
		method, at = strings.ToLower(m.text), 1
	}
	url := c.get(at, "url")
	var data []value
	for _, name := range bodies {
		if v := c.named(name); v.form != isUnknown || len(v.sources()) > 0 || v.remote() != "" {
			data = append(data, v)
		} else if c.has(name) {
			data = append(data, v)
		}
	}
	if method == "post" || method == "put" || method == "patch" {
		if len(c.values()) > at+1 {
			data = append(data, c.values()[at+1])
		}
		return r.send(url, data...)
	}
	if method == "get" && len(c.values()) > at+1 {
		data = append(data, c.values()[at+1])
	}
	if sources := listOf(data...); len(data) > 0 {
		made := value{}
		made.taint(&sources)
		if len(made.sources()) > 0 || c.has("data") || c.has("json") || c.has("files") {
			return r.send(url, data...)
		}
	}
	return r.fetch(url)
}

func (c *call) has(name string) bool {
	for i := range c.args {
		if c.args[i].name == name {
			return true
		}
	}
	return false
}

// clientRequest is a request by something that may be a client.
func clientRequest(r *reader, c *call) value {
	first := c.get(0, "url")
	if strings.HasSuffix(c.name, ".request") {
		if c.self.form == isClient && c.self.text != "" { // http.client: method, path, body
			if m := strings.ToUpper(first.text); m != "GET" && m != "HEAD" || len(c.values()) > 2 {
				return r.send(text(c.self.text), c.get(2, "body"))
			}
			host := text(c.self.text)
			path := c.get(1)
			if len(path.sources()) > 0 {
				host = host.madeOf(fromSources(path.sources()...))
			}
			return r.fetch(host)
		}
		first = c.get(1, "url")
	}
	if c.self.form != isClient && !(first.form == isString && isAddress(first.text)) {
		return r.other(&c.self, c)
	}
	return pythonRequest(r, c)
}

func makesRequest(_ *reader, c *call) value {
	url, data := c.get(0, "url"), c.get(1, "data")
	out := value{form: isClient, text: url.piece()}.madeOf(fromSources(url.sources()...))
	if c.has("data") || len(c.values()) > 1 {
		out.use = 1
		out = out.with([]value{data}, nil)
	}
	return out
}

func opensURL(r *reader, c *call) value {
	url := c.get(0, "url")
	if url.form == isClient {
		address := value{form: isString, text: url.text}
		if url.use == 1 {
			return r.send(address, url.items()...)
		}
		address = address.madeOf(fromSources(url.sources()...))
		return r.fetch(address)
	}
	if c.has("data") || len(c.values()) > 1 {
		return r.send(url, c.get(1, "data"))
	}
	return r.fetch(url)
}

func phpOption(r *reader, c *call) value {
	r.setOption(c.get(0), c.get(1).text, c.get(2))
	return value{}
}

func phpOptions(r *reader, c *call) value {
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

func phpCurl(r *reader, c *call) value {
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
