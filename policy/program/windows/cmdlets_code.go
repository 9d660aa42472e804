package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// codeCmdlets load code, ask other machines, and read files in ways of their own.
func codeCmdlets() map[string]cmdlet {
	readsTargets := func(r *reader, c *call) value { return r.reads(c.targets()) }
	return map[string]cmdlet{
		"import-module": importModule, "add-type": addType,
		"resolve-dnsname": asProgram("nslookup", "name"), "test-connection": asProgram("ping", "targetname", "computername"), "test-netconnection": asProgram("ping", "computername"),
		"format-hex": readsTargets, "import-clixml": readsTargets, "import-powershelldatafile": readsTargets, "import-csv": readsTargets, "select-string": selectString, "foreach-object": forEach,
		"get-service": func(_ *reader, c *call) value { return c.param(0, "name", "displayname") }, "get-psdrive": func(_ *reader, c *call) value { return c.param(0, "name") },
		"get-wmiobject": instances, "get-ciminstance": instances, "remove-wmiobject": removesInstances, "remove-ciminstance": removesInstances, "set-wmiinstance": makesInstance, "new-ciminstance": makesInstance,
		"new-psdrive": func(r *reader, c *call) value {
			name, _ := c.get("name")
			root, _ := c.get("root")
			r.mapped(name.text, root.text)
			return value{}
		},
		"expand-archive": expandArchive, "start-threadjob": invokeCommand,
	}
}

// asProgram is a cmdlet that does what a program does: the first of its
// parameters is what that is given.
func asProgram(name string, params ...string) cmdlet {
	return func(r *reader, c *call) value {
		v := c.param(0, params...)
		if len(v.paths()) == 0 {
			v = c.in
		}
		if len(v.sources) > 0 { // the name itself is told
			r.sends(v.text, v)
		}
		return r.other([]value{literal(name), v}, value{})
	}
}

// importModule runs a module. One that is no path is installed already.
func importModule(r *reader, c *call) value {
	for _, p := range c.param(0, "name", "assembly").paths() {
		if r.loads(p) {
			continue
		}
		if lower := strings.ToLower(p); strings.HasSuffix(lower, ".psm1") || strings.HasSuffix(lower, ".ps1") {
			r.file(p)
		}
	}
	return value{}
}

// addType compiles or loads a library.
func addType(r *reader, c *call) value {
	if p, ok := c.get("path", "literalpath"); ok {
		for _, p := range p.paths() {
			r.loads(p)
		}
		return value{}
	}
	if v := c.param(0, "typedefinition", "memberdefinition"); v.remote != "" {
		r.does(effect.RunRemote, v.remote)
	}
	return value{}
}

// selectString shows lines of files, as grep does.
func selectString(r *reader, c *call) value {
	if v, ok := c.get("path", "literalpath", "lp"); ok {
		return r.reads(v)
	}
	at := 1
	if _, ok := c.get("pattern"); ok {
		at = 0
	}
	if at < len(c.words) {
		return r.reads(value{list: c.words[at:]})
	}
	return c.in
}

// forEach runs its block for what comes in, or calls one member of it.
func forEach(r *reader, c *call) value {
	if v, ok := c.get("membername"); ok && v.known {
		return r.method(c.in, strings.ToLower(v.text), c.words)
	}
	if len(c.words) > 0 && c.words[0].object != "block" && c.words[0].bare && c.words[0].known && c.words[0].text != "" {
		return r.method(c.in, strings.ToLower(c.words[0].text), c.words[1:])
	}
	return c.in
}

func expandArchive(r *reader, c *call) value {
	from := c.param(0, "path", "literalpath")
	to := c.param(1, "destinationpath")
	if to.text == "" {
		to = literal(strings.TrimSuffix(strings.TrimSuffix(from.text, ".zip"), ".ZIP"))
	}
	contents := value{}
	for _, p := range from.paths() {
		contents.remote = r.cameFrom(p)
	}
	r.writes(to, contents)
	return value{}
}
