package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// hook is a call that only code can tell about.
type hook func(r *reader, c *call) value

var hooks = map[string]hook{
	"remove-item": removeItem, "new-item": newItem, "get-childitem": getChildItem, "item-property": itemProperty, "web-request": webRequest, "transfer": bitsTransfer,
	"invoke-command": invokeCommand, "start-process": startProcess, "wmi-method": wmiMethod, "new-object": newObject, "for-each": forEach, "set-alias": setAlias, "invoke": invokes, "shell-execute": shellExecute,
	"powershell": func(r *reader, c *call) value { return r.powershellWith(c.all, c.in) },
	"cmd":        func(r *reader, c *call) value { r.cmd(c.all, c.in); return value{} },
	"services":   serviceControl, "network": netCommand, "wmic": wmic, "runs-address": runsAddress, "permissions": permissions, "runas": runas, "find-text": findText,
}

func removeItem(r *reader, c *call) value {
	if c.isTrial() {
		return value{}
	}
	v := c.targets()
	recursive := c.has("recurse") || c.begins("rf") || c.begins("fr") || c.begins("vrf")
	if _, ok := c.get("include", "filter"); ok { // some of them
		some := value{known: true}
		for _, p := range v.paths() {
			some.list = append(some.list, c.narrowed(p)...)
		}
		v = some
	}
	r.deletes(recursive, v)
	if len(v.paths()) == 0 {
		r.doubt(Variable)
	}
	return value{}
}

func newItem(r *reader, c *call) value {
	kind, _ := c.get("itemtype", "type")
	if strings.HasPrefix(strings.ToLower(kind.text), "dir") {
		return value{}
	}
	v := c.param(0, "path")
	if name, ok := c.get("name"); ok && v.text != "" && name.text != v.text {
		v = r.concat(r.concat(v, literal("/")), name)
	}
	if key, ok := registry(v.text); ok {
		r.autostart(key)
		return value{}
	}
	contents, _ := c.get("value")
	if target, ok := c.get("target"); ok {
		contents = value{sources: []string{r.path(target.text)}}
	}
	r.writes(v, contents)
	return value{}
}

func getChildItem(_ *reader, c *call) value {
	v := c.targets()
	if len(v.paths()) == 0 {
		v = literal(".")
	}
	out := value{known: true}
	for _, p := range v.paths() {
		if strings.EqualFold(strings.TrimSuffix(p, "/"), "env:") || strings.EqualFold(p, `env:\`) {
			out.sources = append(out.sources, "environment")
			continue
		}
		out.list = append(out.list, c.narrowed(p)...)
	}
	return out
}

// narrowed are the items in a directory that a cmdlet is told to take.
func (c *call) narrowed(dir string) []value {
	names := []string{"*"}
	if f, ok := c.get("filter", "include"); ok && len(f.paths()) > 0 {
		names = f.paths()
	} else if strings.ContainsAny(dir, "*?") {
		return []value{literal(dir)}
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
	if c.has("recurse") && names[0] != "*" {
		below = "/**/"
	}
	items := make([]value, 0, len(names))
	for _, name := range names {
		items = append(items, literal(dir+below+name))
	}
	return items
}

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
	uri := web(c.param(0, "uri").text)
	if uri == "" {
		uri = web(c.in.text)
	}
	method, _ := c.get("method", "custommethod")
	body, hasBody := c.get("body", "form")
	if file, ok := c.get("infile"); ok {
		hasBody = true
		body = r.reads(file)
	}
	if !hasBody && c.param(0, "uri").text != "" { // a pipe gives it the body
		body.taint(c.in)
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
	uriValue := c.param(0, "uri")
	switch m := strings.ToLower(method.text); {
	case hasBody || m == "post" || m == "put" || m == "patch":
		body.taint(uriValue)
		r.sends(uri, body)
	case len(uriValue.sources) > 0:
		r.sends(uri, uriValue)
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

func bitsTransfer(r *reader, c *call) value {
	from, to := c.param(0, "source"), c.param(1, "destination")
	if from.text = web(from.text); r.cameFrom(from.text) == "" && !strings.Contains(from.text, "://") && strings.Contains(to.text, "://") {
		r.sends(to.text, r.reads(from))
		return value{}
	}
	if how, _ := c.get("transfertype"); strings.HasPrefix(strings.ToLower(how.text), "upload") {
		r.sends(to.text, r.reads(from))
		return value{}
	}
	r.does(effect.Fetch, from.text)
	r.writes(to, value{remote: from.text})
	return value{}
}
