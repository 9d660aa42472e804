package script

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/program/values"
)

// request asks an address by something that may be a client, and gives it what it sends.
func (r *reader) request(c *call, client, url value, data []value, sends bool) value {
	switch {
	case client.Form != values.IsClient && (url.Form != values.IsText || !isAddress(url.Text)): // nobody is asked
		return r.other(&client, c)
	case sends:
		return r.send(url, data...)
	default:
		return r.fetch(url)
	}
}

// requests gives an address what stands behind it.
func requests(r *reader, c *call, o *operands) value {
	return r.request(c, o.At(0), o.At(1), o.From(2), len(o.Values) > 2)
}

// addressOf is an address, made of what a value was read from.
func addressOf(address string, by *value) value {
	return values.Text(address).MadeOf(values.FromSources(by.Sources()...))
}

// asks is a request whose arguments are a part of the address: they are given away
// if they were made from something.
func asks(r *reader, c *call, o *operands) value {
	data := values.List(o.From(2)...)
	made := values.MadeBy(&data)
	return r.request(c, o.At(0), o.At(1), data.Items(), len(made.Sources()) > 0)
}

// clientRequests is a request whose method is an argument. The client of http.client
// has the address.
func clientRequests(r *reader, c *call, o *operands) value {
	client, url, data := o.At(0), o.At(2), o.From(3)
	if client.Form == values.IsClient && client.Text != "" {
		url = addressOf(client.Text, &url)
	}
	reads := slices.Contains([]string{"GET", "HEAD", "OPTIONS", "DELETE"}, strings.ToUpper(o.At(1).Text))
	return r.request(c, client, url, data, !reads || len(data) > 0)
}

// makesRequest is a request that is sent when it is opened.
func makesRequest(_ *reader, _ *call, o *operands) value {
	url := o.At(0)
	out := value{Form: values.IsClient, Text: url.Piece()}.MadeOf(values.FromSources(url.Sources()...))
	if o.Has(1) {
		out.Use = 1
		out = out.With(o.From(1), nil)
	}
	return out
}

// opensRequest sends a request, or asks an address.
func opensRequest(r *reader, _ *call, o *operands) value {
	url, data := o.At(0), o.From(1)
	sends := o.Has(1)
	if url.Form == values.IsClient {
		sends, data = url.Use == 1, url.Items()
		url = addressOf(url.Text, &url)
	}
	if sends {
		return r.send(url, data...)
	}
	return r.fetch(url)
}

// uploads puts a file onto the machine that a client talks to, or is a request.
func uploads(r *reader, c *call, o *operands) value {
	client, path := o.At(0), o.At(1)
	if client.Form == values.IsClient && path.Form == values.IsText && !isAddress(path.Text) && r.connected != "" {
		return r.send(values.Text(r.connected), value{}.MadeOf(values.FromSources(path.Piece())))
	}
	return requests(r, c, o)
}

// machineOf is a client of the machine that it names, or of the one that was named
// before.
func machineOf(r *reader, _ *call, o *operands) value {
	to := o.At(0)
	switch {
	case to.Form == values.IsClient:
		return to
	case to.Form == values.IsList && len(to.Items()) > 0:
		to = to.Items()[0]
	}
	if to.Form == values.IsText {
		r.connected = to.Piece()
	}
	return value{Form: values.IsClient, Text: r.connected}
}

// phpOption is an option of a request of PHP's curl, or several.
func phpOption(r *reader, c *call, _ *operands) value {
	names, settings := []string{c.get(1).Text}, []value{c.get(2)}
	if options := c.get(1); options.Keys() != nil {
		names, settings = options.Keys(), options.Items()
	}
	for i := range names {
		r.setOption(c.get(0), names[i], settings[i])
	}
	return value{}
}

func (r *reader) setOption(client value, option string, v value) {
	if client.Form != values.IsClient {
		return
	}
	switch strings.ToUpper(option) {
	case "CURLOPT_URL":
		r.curl.Text = v.Piece()
		r.curl = r.curl.MadeOf(values.FromSources(v.Sources()...))
	case "CURLOPT_POSTFIELDS", "CURLOPT_INFILE", "CURLOPT_READDATA":
		r.curl = r.curl.With(append(slices.Clip(r.curl.Items()), v), nil)
		r.curl.Use = 1
	case "CURLOPT_POST", "CURLOPT_UPLOAD", "CURLOPT_PUT":
		r.curl.Use = 1
	case "CURLOPT_FILE":
		r.put(v, value{}.MadeOf(values.FromRemote(client.Text)))
	}
}

func phpCurl(r *reader, c *call, _ *operands) value {
	address := c.get(0)
	made := addressOf(address.Text, &address)
	if r.curl.Text != "" {
		made = values.Text(r.curl.Text).MadeOf(r.curl.Origin())
	}
	items, sends := r.curl.Items(), r.curl.Use == 1
	r.curl = value{}
	if sends {
		return r.send(made, items...)
	}
	return r.fetch(made)
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
	return values.List(data...)
}
