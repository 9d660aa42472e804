package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func itemProperty(r *reader, c *call) value {
	v := c.param(0, "path", "literalpath")
	if key, ok := registry(v.text); ok {
		r.autostart(key)
	} else if strings.HasPrefix(strings.ToLower(v.text), "wsman:") {
		r.does(effect.Grant, "remote sessions")
	} else if name, ok := strings.CutPrefix(strings.ToLower(v.text), "env:"); ok {
		r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.ToUpper(strings.Trim(name, `\/`)), From: c.param(1, "value").text})
	}
	return value{}
}

func webRequest(r *reader, c *call) value {
	target := c.param(0, "uri")
	uri := web(target.text)
	body, sends := c.get("body", "form")
	if uri == "" {
		uri = web(c.in.text)
	} else if !sends { // a pipe gives it the body
		body.taint(c.in)
	}
	if file, ok := c.get("infile"); ok {
		sends, body = true, r.reads(file)
	}
	for _, f := range body.fields {
		if f.value.object == "file" {
			body.taint(r.reads(f.value))
		}
	}
	if body.object == "file" {
		body = r.reads(body)
	}
	if headers, ok := c.get("headers"); ok && len(headers.sources) > 0 { // whom a secret is for is known there
		for _, f := range headers.fields {
			r.other([]value{literal("curl"), literal("-H"), r.concat(literal(f.name+": "), f.value), literal(uri)}, value{})
		}
	}
	method, _ := c.get("method", "custommethod")
	switch m := strings.ToLower(method.text); {
	case sends || m == "post" || m == "put" || m == "patch":
		body.taint(target)
		r.sends(uri, body)
	case len(target.sources) > 0:
		r.sends(uri, target)
	default:
		r.does(effect.Fetch, uri)
	}
	out := value{text: "$response", remote: uri}
	if to, ok := c.get("outfile"); ok {
		r.writes(to, out)
		return value{}
	}
	return out
}

// itemsIn are the items in directories that a cmdlet is told to take: those with some
// names, or all; what env: holds is the environment.
func itemsIn(c *call, o *operands) value {
	dirs, names := o.At(0).paths(), o.At(1).paths()
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	deep, _ := c.True(o.At(2))
	out := value{known: true}
	for _, dir := range dirs {
		if strings.EqualFold(strings.TrimRight(dir, `/\`), "env:") {
			out.sources = append(out.sources, "environment")
			continue
		}
		out.list = append(out.list, narrowed(dir, names, deep && o.Has(2))...)
	}
	return out
}

// narrowed are the items in a directory with some names, with those below it if deep.
func narrowed(dir string, names []string, deep bool) []value {
	if len(names) == 0 {
		if names = []string{"*"}; strings.ContainsAny(dir, "*?") {
			return []value{literal(dir)}
		}
	}
	dir = strings.TrimRight(dir, `/\`)
	if i := strings.LastIndexAny(dir, `/\`); strings.Trim(dir[i+1:], "*.") == "" && strings.Contains(dir[i+1:], "*") { // of those in it
		dir = dir[:max(i, 0)]
	}
	if dir == "" {
		dir = "."
	}
	if strings.ContainsAny(dir, "*?") {
		return []value{literal(dir)}
	}
	below := "/"
	if deep && names[0] != "*" {
		below = "/**/"
	}
	items := make([]value, 0, len(names))
	for _, name := range names {
		items = append(items, literal(dir+below+name))
	}
	return items
}
