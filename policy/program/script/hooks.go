package script

import "slices"

// hook is a call that only code can tell about.
type hook func(r *reader, c *call) value

var hooks = map[string]hook{
	"call-first": callsFirst, "extend": extends, "import": importOf, "format": (*reader).formatCall,
	"member-call":    func(r *reader, c *call) value { return r.call(&c.self, &call{args: c.args}) },
	"python-process": pythonProcess, "python-exec": pythonExec, "python-request": pythonRequest, "python-client": clientRequest,
	"python-make-request": makesRequest, "python-urlopen": opensURL, "python-connect": pythonConnect, "python-send": pythonSend, "python-put": pythonPut,
	"python-ssh": pythonSSH, "python-command": pythonCommand, "git-push": gitPush,
	"perl-open": perlOpen, "perl-print": perlPrint, "perl-readline": perlReadline, "perl-shift": perlShift, "perl-find": perlFind,
	"perl-pack": perlPack, "perl-unpack": perlUnpack, "perl-socket": perlSocket,
	"ruby-open": rubyOpen, "ruby-map": rubyMap, "ruby-unpack": rubyUnpack, "ruby-pack": rubyPack, "ruby-translate": rubyTranslate,
	"ruby-send": rubySend, "ruby-send-to": rubySendTo,
	"php-option": phpOption, "php-options": phpOptions, "php-curl": phpCurl,
	"lua-command": luaCommand, "lua-spawn": luaSpawn, "r-body": rBody,
}

// callsFirst calls its first argument with the others.
func callsFirst(r *reader, c *call) value {
	f := c.get(0)
	if len(c.args) == 0 {
		return value{}
	}
	return r.call(&f, &call{args: c.args[1:]})
}

// extends adds to a list that is in a variable.
func extends(r *reader, c *call) value {
	list, more := c.self, c.values()
	if list.form != isList && len(more) > 0 { // push @list, ...
		list, more = more[0], more[1:]
	}
	if list.form != isList || list.of() == "" {
		return value{}
	}
	items := slices.Clone(list.items())
	for _, v := range more {
		if v.form == isList && c.name != ".append" {
			items = append(items, v.items()...)
		} else {
			items = append(items, v)
		}
	}
	r.bytes -= len(items)
	if len(items) > mostItems || r.bytes < 0 {
		r.refuse("bytes")
		return value{}
	}
	r.names[list.of()] = listOf(items...)
	return value{}
}
