package windows

import (
	"maps"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// cmdlets are what PowerShell's own commands do. Readers carry the table,
// because cmdlets read scripts in turn.
var cmdlets = func() map[string]func(r *reader, c *call) value {
	none := func(*reader, *call) value { return value{} }
	passes := func(_ *reader, c *call) value { return c.in }
	table := map[string]func(r *reader, c *call) value{
		"remove-item": removeItem, "clear-content": removeItem, "clear-item": removeItem, "remove-itemproperty": none,
		"set-content": setContent, "add-content": setContent, "out-file": setContent, "tee-object": setContent, "export-csv": setContent, "export-clixml": setContent, "new-item": newItem, "new-directory": none,
		"get-content":   func(r *reader, c *call) value { return r.reads(c.targets()) },
		"get-childitem": getChildItem, "get-item": func(_ *reader, c *call) value { v := c.targets(); v.object = "file"; return v }, "resolve-path": func(_ *reader, c *call) value { return c.targets() }, "join-path": joinPath, "convert-path": func(_ *reader, c *call) value { return c.targets() },
		"copy-item": copyItem, "move-item": moveItem, "rename-item": moveItem, "invoke-webrequest": webRequest, "invoke-restmethod": webRequest, "start-bitstransfer": bitsTransfer,
		"invoke-expression": invokeExpression, "invoke-command": invokeCommand, "invoke-item": invokeItem, "start-process": startProcess, "start-job": invokeCommand, "invoke-wmimethod": wmiMethod, "invoke-cimmethod": wmiMethod,
		"new-object": newObject, "where-object": passes, "select-object": passes, "sort-object": passes, "out-string": passes, "write-output": writeOutput, "write-host": writeOutput, "convertto-json": passes, "out-null": none, "set-location": setLocation, "push-location": setLocation, "get-command": func(_ *reader, c *call) value { return c.param(0, "name") }, "set-variable": setVariable, "get-variable": func(r *reader, c *call) value { return r.variable(c.param(0, "name").text) }, "set-alias": setAlias, "new-alias": setAlias,
		"format-volume": formats("driveletter"), "clear-disk": formats("number"), "initialize-disk": formats("number"), "remove-partition": formats("driveletter"), "reset-physicaldisk": formats("friendlyname"),
		"stop-process": func(r *reader, c *call) value {
			named := c.param(0, "name", "id", "processname", "inputobject")
			if len(named.paths()) == 0 {
				named = c.in
			}
			r.does(effect.Kill, strings.TrimSuffix(strings.Join(named.paths(), " "), ".exe"))
			return value{}
		},
		"get-process": func(_ *reader, c *call) value {
			out := value{list: []value{c.param(0, "name", "id", "processname")}, object: "process"}
			return out
		},
		"stop-service": stops, "remove-service": stops, "suspend-service": stops, "set-service": func(r *reader, c *call) value {
			if how, _ := c.get("startuptype"); strings.EqualFold(how.text, "disabled") {
				return stops(r, c)
			}
			return value{}
		},
		"stop-computer": func(r *reader, _ *call) value { r.does(effect.Shutdown, "stop"); return value{} }, "restart-computer": func(r *reader, _ *call) value { r.does(effect.Shutdown, "restart"); return value{} },
		"register-scheduledtask": persists("scheduled task"), "new-scheduledtask": persists("scheduled task"), "new-scheduledtaskaction": persists("scheduled task"), "register-scheduledjob": persists("scheduled job"), "new-service": persists("service"), "set-scheduledtask": persists("scheduled task"), "register-wmievent": persists("event"), "register-cimindicationevent": persists("event"),
		"new-itemproperty": itemProperty, "set-itemproperty": itemProperty, "set-item": itemProperty,
		"set-mppreference": disarmsIf("virus scanner", "disable", "exclusion", "mapsreporting", "submitsamples", "pua"), "add-mppreference": disarmsIf("virus scanner", "exclusion"), "set-executionpolicy": executionPolicy, "set-netfirewallprofile": firewall, "disable-netfirewallrule": disarms("firewall"), "remove-netfirewallrule": disarms("firewall"), "clear-eventlog": disarms("event log"), "remove-eventlog": disarms("event log"), "disable-computerrestore": disarms("restore points"),
		"add-localgroupmember": func(r *reader, c *call) value {
			r.does(effect.Grant, "group "+c.param(0, "group").text)
			return value{}
		}, "new-localuser": func(r *reader, c *call) value { r.does(effect.Grant, "user "+c.param(0, "name").text); return value{} }, "set-acl": func(r *reader, c *call) value {
			for _, p := range c.param(0, "path").paths() {
				r.does(effect.Mode, r.path(p))
			}
			return value{}
		}, "add-adgroupmember": func(r *reader, c *call) value {
			r.does(effect.Grant, "group "+c.param(0, "identity").text)
			return value{}
		},
		"install-module": installs, "install-package": installs, "install-script": installs, "send-mailmessage": sendMail, "compress-archive": func(r *reader, c *call) value {
			v := c.param(0, "path", "literalpath")
			r.writes(c.param(1, "destinationpath"), r.reads(v))
			return value{}
		}, "get-clipboard": none,
	}
	maps.Copy(table, guardCmdlets())
	maps.Copy(table, codeCmdlets())
	return table
}()

func removeItem(r *reader, c *call) value {
	if c.has("whatif") && len(c.params) > 0 && hasExact(c, "wh") {
		return value{}
	}
	v := c.targets()
	recursive := c.has("recurse") || hasExact(c, "rf") || hasExact(c, "fr") || hasExact(c, "vrf")
	if c.name == "clear-content" || c.name == "clear-item" {
		recursive = false
	}
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

// hasExact reports whether a parameter begins with these letters.
func hasExact(c *call, begin string) bool {
	for i := range c.params {
		if strings.HasPrefix(c.params[i].name, begin) {
			return true
		}
	}
	return false
}

func setContent(r *reader, c *call) value {
	contents := c.in
	if v, ok := c.get("value", "inputobject"); ok {
		contents = v
	} else if len(c.words) > 1 {
		contents = c.words[1]
	} else if _, ok := c.get("path", "filepath", "literalpath"); ok && len(c.words) > 0 {
		contents = c.words[0]
	}
	r.writes(c.param(0, "path", "filepath", "literalpath"), contents)
	return contents
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

func joinPath(r *reader, c *call) value {
	out := c.param(0, "path")
	for i := 1; i < len(c.words); i++ {
		out = r.concat(r.concat(out, literal("/")), c.words[i])
	}
	if v, ok := c.get("childpath"); ok {
		out = r.concat(r.concat(out, literal("/")), v)
	}
	return out
}

func copyItem(r *reader, c *call) value {
	from := c.param(0, "path", "literalpath")
	if len(from.paths()) == 0 {
		from = c.in
	}
	to := c.param(1, "destination")
	contents := r.reads(from)
	if _, ok := c.get("tosession"); ok {
		r.sends("session", contents)
		return value{}
	}
	r.writes(to, contents)
	return value{}
}

func moveItem(r *reader, c *call) value {
	from := c.param(0, "path", "literalpath")
	if len(from.paths()) == 0 {
		from = c.in
	}
	to := c.param(1, "destination", "newname")
	r.deletes(false, from)
	for _, p := range from.paths() {
		r.writes(to, value{sources: []string{r.path(p)}})
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

func invokeExpression(r *reader, c *call) value {
	v := c.param(0, "command")
	if len(c.words) > 1 {
		for _, w := range c.words[1:] {
			v = r.concat(r.concat(v, literal(" ")), w)
		}
	}
	if v.text == "" && v.remote == "" && v.hidden == "" {
		v = c.in
	}
	return r.evaluate(v)
}

func invokeCommand(r *reader, c *call) value {
	if file, ok := c.get("filepath"); ok {
		r.out.Scripts = append(r.out.Scripts, strings.ReplaceAll(file.text, `\`, "/"))
	}
	v := c.param(0, "scriptblock")
	if len(c.words) > 1 && v.object != "block" && c.words[1].object == "block" { // behind the machine
		v = c.words[1]
	}
	for _, where := range []string{"computername", "cn", "session", "vmname", "vmid", "hostname", "connectionuri", "containerid"} {
		if _, ok := c.get(where); ok || len(c.words) > 1 && v.object == "block" {
			for i := r.since; i < len(r.out.Effects); i++ {
				r.out.Effects[i].Remote = true
			}
			break
		}
	}
	if v.object == "code" || v.text != "" && v.object != "block" {
		return r.evaluate(v)
	}
	return v
}

func invokeItem(r *reader, c *call) value {
	for _, p := range c.targets().paths() {
		if !r.loads(p) {
			r.does(effect.Run, r.path(p))
		}
	}
	return value{}
}

func startProcess(r *reader, c *call) value {
	words := []value{c.param(0, "filepath")}
	args, ok := c.get("argumentlist", "args")
	if !ok && len(c.words) > 1 {
		args = value{list: c.words[1:]}
	}
	for _, a := range args.paths() {
		for _, w := range splitWords(a) {
			words = append(words, value{text: w, known: args.known, bare: true})
		}
	}
	before := r.sudo
	if verb, ok := c.get("verb"); ok && strings.EqualFold(verb.text, "runas") {
		r.sudo = true
		r.raises(words)
	}
	out := r.run(words, value{})
	r.sudo = before
	return out
}

func newObject(r *reader, c *call) value {
	if com, ok := c.get("comobject"); ok {
		return r.object(com.text, nil)
	}
	args := c.words[min(1, len(c.words)):]
	if list, ok := c.get("argumentlist"); ok {
		args = list.list
		if len(args) == 0 {
			args = []value{list}
		}
	}
	name := c.param(0, "typename").text
	if at := strings.IndexByte(name, '('); at > 0 {
		name = name[:at]
	}
	return r.object(name, args)
}
