package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/program/values"
)

func itemProperty(r *reader, c *call) value {
	v := c.param(0, "path", "literalpath")
	if key, ok := registry(shown(v)); ok {
		r.autostart(key)
	} else if strings.HasPrefix(strings.ToLower(shown(v)), "wsman:") {
		r.does(effect.Grant, "remote sessions")
	} else if name, ok := strings.CutPrefix(strings.ToLower(shown(v)), "env:"); ok {
		r.add(effect.Effect{Verb: effect.SetVariable, Object: strings.ToUpper(strings.Trim(name, `\/`)), From: shown(c.param(1, "value"))})
	}
	return value{}
}

func webRequest(r *reader, c *call) value {
	target := c.param(0, "uri")
	uri := web(shown(target))
	body, sends := c.get("body", "form")
	if uri == "" {
		uri = web(shown(c.in))
	} else if !sends { // a pipe gives it the body
		taint(&body, c.in)
	}
	if file, ok := c.get("infile"); ok {
		sends, body = true, r.reads(file)
	}
	for _, v := range body.Items() {
		if v.Kind() == "file" {
			taint(&body, r.reads(v))
		}
	}
	if body.Kind() == "file" {
		body = r.reads(body)
	}
	if headers, ok := c.get("headers"); ok && len(headers.Sources()) > 0 { // whom a secret is for is known there
		for i, name := range headers.Keys() {
			r.other([]value{values.Text("curl"), values.Text("-H"), r.concat(values.Text(name+": "), headers.Items()[i]), values.Text(uri)}, value{})
		}
	}
	method, _ := c.get("method", "custommethod")
	switch m := strings.ToLower(shown(method)); {
	case sends || m == "post" || m == "put" || m == "patch":
		taint(&body, target)
		r.sends(uri, body)
	case len(target.Sources()) > 0:
		r.sends(uri, target)
	default:
		r.does(effect.Fetch, uri)
	}
	out := values.Unknown("response").MadeOf(values.FromRemote(uri))
	if to, ok := c.get("outfile"); ok {
		r.writes(to, out)
		return value{}
	}
	return out
}

// itemsIn are the items in directories that a cmdlet is told to take: those with some
// names, or all; what env: holds is the environment.
func itemsIn(c *call, o *operands) value {
	dirs, names := paths(o.At(0)), paths(o.At(1))
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	deep, _ := c.True(o.At(2))
	out, all := value{}, []value{}
	for _, dir := range dirs {
		if strings.EqualFold(strings.TrimRight(dir, `/\`), "env:") {
			out = out.MadeOf(values.FromEnvironment)
			continue
		}
		all = append(all, narrowed(dir, names, deep && o.Has(2))...)
	}
	return values.List(all...).MadeOf(out.Origin())
}

// narrowed are the items in a directory with some names, with those below it if deep.
func narrowed(dir string, names []string, deep bool) []value {
	if len(names) == 0 {
		if names = []string{"*"}; strings.ContainsAny(dir, "*?") {
			return []value{values.Text(dir)}
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
		return []value{values.Text(dir)}
	}
	below := "/"
	if deep && names[0] != "*" {
		below = "/**/"
	}
	items := make([]value, 0, len(names))
	for _, name := range names {
		items = append(items, values.Text(dir+below+name))
	}
	return items
}
