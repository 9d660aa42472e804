package javascript

import (
	"strings"

	"github.com/sluice-project/sluice/policy/program/library"
)

// web notes a request.
func (e *evaluator) web(module, name string, args []value) {
	if module == "http" || module == "https" || module == "http2" {
		switch name {
		case "request", "get", "connect":
		default:
			return
		}
	}
	address, options := arg(args, 0), args
	if module == "XMLHttpRequest" {
		if name != "open" {
			return
		}
		address, options = arg(args, 1), nil
	}
	u := e.about(library.Fetch, address)
	if address.kind == record && e.member(address, "href").kind == undefined {
		u = e.byOptions(module, address)
	}
	u.Dir = ""
	method := e.option(options, "method")
	if module == "XMLHttpRequest" {
		method = arg(args, 0)
	}
	verb := strings.ToUpper(e.about(0, method).Text)
	if method.kind == undefined {
		verb = "GET"
	}
	switch name {
	case "post", "put", "patch", "delete", "del", "sendBeacon":
		verb = "POST"
	}
	if module == "WebSocket" {
		verb = "POST"
	}
	body := value{kind: undefined}
	for _, member := range []string{"body", "data", "json", "form"} {
		if v := e.option(options, member); v.kind != undefined {
			body = v
		}
	}
	if verb == "POST" && body.kind == undefined && (module == "axios" || module == "needle" || module == "superagent" || name == "sendBeacon") {
		body = arg(args, 1)
	}
	if verb != "GET" && verb != "HEAD" || body.kind != undefined {
		u.What = library.Send
		u.Content = e.content(body)
	}
	e.use(u)
}

// byOptions is the address that options of a request say.
func (e *evaluator) byOptions(module string, options value) library.Use {
	for _, name := range []string{"url", "uri"} {
		if v := e.member(options, name); v.kind != undefined {
			if base := e.member(options, "baseURL"); base.kind != undefined {
				v = e.plus(e.toText(base), e.toText(v))
			}
			return e.about(library.Fetch, v)
		}
	}
	v := textValue("http://")
	if module == "https" || module == "http2" {
		v = textValue("https://")
	}
	for _, names := range [][]string{{"hostname", "host"}, {"port"}, {"path"}} {
		for _, name := range names {
			part := e.member(options, name)
			if part.kind == undefined {
				continue
			}
			if name == "port" {
				v = e.plus(v, textValue(":"))
			}
			v = e.plus(v, e.toText(part))
			break
		}
	}
	return e.about(library.Fetch, v)
}

// socket notes a connection.
func (e *evaluator) socket(module, name string, args []value) {
	switch {
	case module == "dns":
		u := e.about(library.Send, arg(args, 0))
		u.Text, u.Dir = "dns://"+u.Text, ""
		e.use(u)
	case strings.HasSuffix(name, "connect"), strings.HasSuffix(name, "createConnection"), strings.HasSuffix(name, "send"):
		host, port := arg(args, 1), arg(args, 0)
		if port.kind == record {
			host, port = e.member(port, "host"), e.member(port, "port")
			if h := e.option(args, "hostname"); h.kind != undefined {
				host = h
			}
		}
		if host.kind == undefined || host.kind == function {
			host = textValue("localhost")
		}
		u := e.about(library.Send, e.plus(e.plus(e.toText(host), textValue(":")), e.toText(port)))
		u.Dir = ""
		e.use(u)
	}
}
