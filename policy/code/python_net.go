package code

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// pythonNetwork adds what talks to others.
func pythonNetwork(t map[string]builtin) {
	for _, module := range []string{"requests", "httpx", "urllib3"} {
		for _, name := range []string{"get", "post", "put", "patch", "delete", "head", "options", "request"} {
			t[module+"."+name] = pythonRequest
		}
	}
	for _, name := range []string{"requests.Session", "requests.session", "httpx.Client", "httpx.AsyncClient", "aiohttp.ClientSession", "urllib3.PoolManager"} {
		t[name] = func(*reader, *call) value { return value{form: isClient} }
	}
	for _, name := range []string{".get", ".post", ".put", ".patch", ".request"} {
		t[name] = clientRequest
	}
	for _, name := range []string{"urllib.request.urlopen", "urllib.urlopen", "urllib2.urlopen", "urlopen", "request.urlopen"} {
		t[name] = opensURL
	}
	for _, name := range []string{"urllib.request.Request", "urllib2.Request", "request.Request", "Request"} {
		t[name] = makesRequest
	}
	for _, name := range []string{"urllib.request.urlretrieve", "urllib.urlretrieve", "urlretrieve", "wget.download"} {
		t[name] = func(r *reader, c *call) value {
			got := r.fetch(c.get(0, "url"))
			if to := c.get(1, "filename", "out"); to.form == isString {
				r.write(to, value{}.madeOf(fromRemote(got.remote())))
			}
			return got
		}
	}
	for _, name := range []string{"http.client.HTTPSConnection", "http.client.HTTPConnection", "httplib.HTTPSConnection", "httplib.HTTPConnection", "smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "ftplib.FTP_TLS", "telnetlib.Telnet"} {
		t[name] = func(_ *reader, c *call) value {
			host := c.get(0, "host")
			return value{form: isClient, text: host.piece()}
		}
	}
	for _, name := range []string{".sendmail", ".send_message", ".storbinary", ".storlines"} {
		t[name] = func(r *reader, c *call) value {
			if c.self.form != isClient {
				return r.other(&c.self, c)
			}
			return r.send(text(c.self.text), c.values()...)
		}
	}
	for _, name := range []string{"paramiko.SSHClient", "paramiko.Transport", "paramiko.client.SSHClient", "paramiko.SFTPClient.from_transport", "scp.SCPClient", "SCPClient", "SSHClient", "fabric.Connection", "Connection", "pysftp.Connection"} {
		t[name] = func(r *reader, c *call) value {
			to := c.get(0, "host", "hostname")
			if to.form == isClient {
				return to
			}
			if to.form == isList && len(to.items()) > 0 {
				to = to.items()[0]
			}
			if to.form == isString {
				r.connected = to.piece()
			}
			return value{form: isClient, text: r.connected}
		}
	}
	for _, name := range []string{".open_sftp", ".get_transport"} {
		t[name] = func(r *reader, c *call) value {
			if c.self.form != isClient {
				return r.other(&c.self, c)
			}
			return value{form: isClient, text: r.connected}
		}
	}
	for _, name := range []string{"socket.socket", "socket.SocketType", "ssl.wrap_socket"} {
		t[name] = openedSocket
	}
	t["socket.create_connection"] = func(r *reader, c *call) value { return r.connect(c.get(0, "address")) }
	t[".connect"] = func(r *reader, c *call) value {
		if v := c.get(0); c.self.form == isSocket || v.form == isList && v.keys() == nil && len(v.items()) == 2 {
			return r.connect(v)
		}
		if v := c.get(0, "hostname"); c.self.form == isClient && v.form == isString {
			r.connected = v.piece()
			return value{}
		}
		return r.other(&c.self, c)
	}
	t[".put"] = func(r *reader, c *call) value {
		if v := c.get(0, "localpath", "local"); c.self.form == isClient && v.form == isString && !isAddress(v.text) && r.connected != "" {
			return r.send(text(r.connected), value{}.madeOf(fromSources(v.piece())))
		}
		return clientRequest(r, c)
	}
	t[".connect_ex"] = t[".connect"]
	for _, name := range []string{".recv", ".recvfrom", ".makefile"} {
		t[name] = answers
	}
	for _, name := range []string{".send", ".sendall", ".sendto"} {
		t[name] = func(r *reader, c *call) value {
			data := c.get(0)
			if c.self.form == isSocket || r.sockets {
				out := value{}
				out.taint(&data)
				if to := c.get(1); to.form == isList && len(to.items()) == 2 {
					r.connect(to)
				}
				if len(out.sources()) > 0 {
					r.send(text(r.connected), data)
				}
			}
			return value{}
		}
	}
	for _, name := range []string{".bind", "http.server.HTTPServer", "socketserver.TCPServer", "HTTPServer", "ThreadingHTTPServer", "http.server.ThreadingHTTPServer"} {
		t[name] = func(r *reader, c *call) value {
			if v := c.get(0); v.form == isList && len(v.items()) == 2 {
				s := v.items()[0].piece() + ":" + v.items()[1].piece()
				r.use(Use{What: Listen, Text: shown(s), Known: isKnown(s)})
			}
			return value{}
		}
	}
	for _, name := range []string{"socket.gethostbyname", "socket.getaddrinfo"} {
		t[name] = func(r *reader, c *call) value {
			if v := c.get(0); len(v.sources()) > 0 {
				return r.send(v)
			}
			return value{}
		}
	}
}

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
