package windows

import (
	"maps"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

type cmdlet = func(r *reader, c *call) value

func formats(name string) cmdlet {
	return func(r *reader, c *call) value {
		v := c.param(0, name)
		if v.text == "" {
			v = c.in
		}
		object := v.text
		if len(object) == 1 && name == "driveletter" {
			object += ":/"
		}
		r.does(effect.Format, object)
		return value{}
	}
}

func stops(r *reader, c *call) value {
	named := c.param(0, "name", "displayname", "inputobject")
	if len(named.paths()) == 0 {
		named = c.in
	}
	for _, service := range named.paths() {
		r.stops(service)
	}
	return value{}
}

func persists(what string) cmdlet {
	return func(r *reader, c *call) value {
		name, _ := c.get("taskname", "name")
		r.does(effect.Persist, strings.TrimSpace(what+" "+name.text))
		if exec, ok := c.get("execute", "binarypathname"); ok {
			args, _ := c.get("argument")
			r.run(literals(append([]string{exec.text}, splitWords(args.text)...)), value{})
		}
		return value{}
	}
}

func disarms(what string) cmdlet {
	return func(r *reader, _ *call) value {
		r.does(effect.Disarm, what)
		return value{}
	}
}

// disarmsIf is for settings of which only some protect less.
func disarmsIf(what string, begins ...string) cmdlet {
	return func(r *reader, c *call) value {
		for i := range c.params {
			p := &c.params[i]
			off := strings.ToLower(strings.TrimPrefix(p.value.text, "$"))
			for _, begin := range begins {
				if strings.HasPrefix(p.name, begin) && off != "false" && off != "0" || strings.HasPrefix(begin, p.name) && len(p.name) > 3 {
					r.does(effect.Disarm, what)
					return value{}
				}
			}
		}
		return value{}
	}
}

// executionPolicy is no change that lasts if it is for the process alone.
func executionPolicy(r *reader, c *call) value {
	scope, _ := c.get("scope")
	policy := strings.ToLower(c.param(0, "executionpolicy").text)
	if strings.EqualFold(scope.text, "process") || policy == "remotesigned" || policy == "allsigned" || policy == "restricted" || policy == "default" {
		return value{}
	}
	r.does(effect.Disarm, "execution policy")
	return value{}
}

func firewall(r *reader, c *call) value {
	if v, _ := c.get("enabled"); strings.EqualFold(strings.TrimPrefix(v.text, "$"), "false") {
		r.does(effect.Disarm, "firewall")
	}
	return value{}
}

// autostart notes a key of the registry whose programs start on their own.
func (r *reader) autostart(key string) {
	// A shell that takes backslashes away may have been in between.
	name := folded(key)
	for _, part := range autostarts {
		if strings.Contains(name, part) {
			r.does(effect.Persist, "registry "+key)
			return
		}
	}
	r.unguards(key)
}

// autostarts are keys of the registry whose programs start on their own, guards
// those that protect the machine, without blanks and backslashes.
var (
	autostarts = []string{
		"currentversionrun", "policiesexplorerrun", "winlogon", "imagefileexecutionoptions", "silentprocessexit", "currentcontrolsetservices", "controlset001services", "shellopencommand", "userinitmprlogonscript", "appinit_dlls", "activesetupinstalledcomponents",
		"inprocserver32", "commandprocessor", "sessionmanagerenvironment", "bootexecute", "controllsa", "explorershellfolders", "usershellfolders", "screensave", "scrnsave",
	}
	guards = []string{"windowsdefender", "enablelua", "policiessystem", "securityhealth", "sharedaccessparametersfirewallpolicy", "windowsfirewall", "amsi", "scriptblocklogging", "disabletaskmgr", "wdigest", "terminalserver", "lanmanserverparameters", "deviceguard"}
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

func installs(r *reader, c *call) value {
	for _, name := range c.param(0, "name").paths() {
		r.does(effect.Install, name)
	}
	return value{}
}

func sendMail(r *reader, c *call) value {
	to, _ := c.get("smtpserver")
	body, _ := c.get("body")
	if file, ok := c.get("attachments"); ok {
		body = r.reads(file)
	}
	r.sends(to.text, body)
	return value{}
}

func writeOutput(_ *reader, c *call) value {
	if len(c.words) == 1 {
		return c.words[0]
	}
	if v, ok := c.get("object", "inputobject"); ok {
		return v
	}
	if len(c.words) == 0 {
		return c.in
	}
	out := value{list: c.words, known: true}
	for i := range c.words {
		out.known = out.known && c.words[i].known
	}
	return out
}

func setLocation(r *reader, c *call) value {
	v := c.targets()
	if v.text == "" {
		return value{}
	}
	if !v.known {
		r.doubt(Variable)
	}
	r.at.Cwd = r.path(v.text)
	return value{}
}

func setVariable(r *reader, c *call) value {
	if len(r.vars) < 1000 {
		r.vars[strings.ToLower(c.param(0, "name").text)] = c.param(1, "value")
	}
	return value{}
}

// setAlias gives a cmdlet another name: it is read as a variable of that name
// would be.
func setAlias(r *reader, c *call) value {
	name, to := program(c.param(0, "name").text), program(c.param(1, "value").text)
	if full, ok := aliases[to]; ok {
		to = full
	}
	if does := r.cmdlets[to]; does != nil {
		table := make(map[string]cmdlet, len(r.cmdlets)+1)
		maps.Copy(table, r.cmdlets)
		r.steps += len(table)
		table[name] = does
		r.cmdlets = table
	}
	return value{}
}

func wmiMethod(r *reader, c *call) value {
	v, _ := c.get("argumentlist", "arguments")
	if line := v.field("commandline"); line.text != "" {
		v = line
	}
	for _, line := range v.paths() {
		r.nested(line)
	}
	if v.text == "$map" {
		r.doubt(Variable)
	}
	return value{}
}
