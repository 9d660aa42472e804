package code

import (
	"slices"
	"strings"
)

// ruby is what Ruby's methods do.
var ruby = rubyTable()

func rubyTable() map[string]builtin {
	t := map[string]builtin{
		"sh": runsList, "system": runsList, "exec": runsList, "spawn": runsList, "Process.spawn": runsList, "Process.exec": runsList, "IO.popen": rubyPopen, "PTY.spawn": func(r *reader, c *call) value { r.given = true; return runsList(r, c) },
		"unlink": deletes(false), "Dir.delete": deletes(false), "Dir.rmdir": deletes(false), "Dir.unlink": deletes(false), "File.delete": deletes(false), "File.unlink": deletes(false), "File.truncate": deletesFirst(false),
		"File.rename": moves, "FileUtils.mv": moves, "FileUtils.move": moves, "FileUtils.cp": copies, "FileUtils.cp_r": copies, "FileUtils.copy": copies, "FileUtils.install": copies, "IO.copy_stream": copies, "File.symlink": pythonLink, "FileUtils.ln_s": pythonLink, "FileUtils.ln_sf": pythonLink,
		"File.write": writesFirst, "IO.write": writesFirst, "File.binwrite": writesFirst, "IO.binwrite": writesFirst, "FileUtils.touch": func(r *reader, c *call) value { r.write(c.get(0), text("")); return value{} },
		"File.read": readsFirst, "IO.read": readsFirst, "File.readlines": readsFirst, "File.binread": readsFirst, "IO.readlines": readsFirst, "File.foreach": readsFirst, "IO.binread": readsFirst, "YAML.load_file": readsFirst,
		"File.open": rubyOpen, "File.new": rubyOpen, "open": rubyOpen, "CSV.open": rubyOpen, "URI.open": rubyOpen, "IO.sysopen": rubyOpen,
		".write": writesHandle, ".puts": writesHandle, ".print": writesHandle, ".<<": writesHandle, ".read": rubyRead, ".gets": answers, ".recv": answers, ".readlines": answers, ".readpartial": answers,
		"File.chmod": func(r *reader, c *call) value { return r.modes(c) }, "FileUtils.chmod": func(r *reader, c *call) value { return r.modes(c) }, "FileUtils.chmod_R": func(r *reader, c *call) value { return r.modes(c) }, "FileUtils.chown_R": func(r *reader, c *call) value { return r.mode(c.get(2), c.get(0)) },
		"Process.kill": func(r *reader, c *call) value { return kills(r, &call{args: c.args[min(1, len(c.args)):]}) }, "fork": forksOff, "Process.fork": forksOff, "Dir.chdir": changesDir, "FileUtils.cd": changesDir, "loop": func(r *reader, _ *call) value { r.loops = true; return value{} },
		"eval": evaluates, "instance_eval": evaluates, "class_eval": evaluates, "module_eval": evaluates, ".instance_eval": evaluates, ".class_eval": evaluates, ".module_eval": evaluates, "binding.eval": evaluates, "load": runsFile, "Marshal.load": hides("marshal"), "RubyVM.InstructionSequence.eval": evaluates,
		"Base64.decode64": decodes("base64", fromBase64), "Base64.strict_decode64": decodes("base64", fromBase64), "Base64.urlsafe_decode64": decodes("base64", fromBase64), "Zlib.Inflate.inflate": decodes("zlib", inflated), "Zlib.inflate": decodes("zlib", inflated), "Zlib.gunzip": decodes("gzip", inflated),
		".unpack1": rubyUnpack, ".unpack": rubyUnpack, ".pack": rubyPack, ".chr": func(r *reader, c *call) value { return r.letter(c.self) }, ".reverse": func(r *reader, c *call) value { return reverses(r, &call{args: []argument{{value: c.self}}}) }, ".tr": rubyTranslate, ".join": func(r *reader, c *call) value { return r.joined(c.get(0), c.self) }, ".first": func(_ *reader, c *call) value { return rubyFirst(c.self) }, ".map": rubyMap, ".each": func(_ *reader, c *call) value { return c.self },
		".push": extends, ".append": extends, ".to_s": self, ".to_str": self, ".strip": self, ".chomp": self, ".to_sym": self, ".freeze": self, ".dup": self, ".downcase": lowers, ".split": splits, ".gsub": replaces, ".sub": replaces, ".force_encoding": self, ".concat": func(r *reader, c *call) value { return r.concat(c.self, c.get(0)) }, ".flatten": self, ".sort": self, ".uniq": self, ".select": self, ".reject": self, ".compact": self,
		"String.new": same, "Array": same, "Shellwords.escape": same, "Shellwords.split": same, "format": perlTableFormat, "sprintf": perlTableFormat, "p": printsAll, "puts": printsAll, "print": printsAll, "pp": printsAll,
		"File.join": joinsPaths, "File.expand_path": rubyExpand, "File.absolute_path": rubyExpand, "File.realpath": same, "Pathname": joinsPaths, "Pathname.new": joinsPaths, "File.dirname": func(r *reader, c *call) value { return r.parent(c.get(0)) }, "Dir.home": fixed("~"), "Dir.pwd": fixed("."), "Dir.getwd": fixed("."), "Dir.tmpdir": fixed("/tmp"), "Dir.mktmpdir": fixed("/tmp/tmpdir"),
		"Dir.glob": same, "Dir.entries": listsIn, "Dir.children": listsIn, "Dir.each_child": listsIn, "Find.find": listsIn, ".children": func(r *reader, c *call) value { return r.pathJoin(c.self, text("*")) }, ".glob": func(r *reader, c *call) value { return r.pathJoin(c.self, c.get(0)) },
		".delete": func(r *reader, c *call) value { return rubyDelete(r, c, false) }, ".unlink": func(r *reader, c *call) value { return rubyDelete(r, c, false) }, ".rmtree": func(r *reader, c *call) value { return rubyDelete(r, c, true) }, ".rmdir": func(r *reader, c *call) value { return rubyDelete(r, c, false) },
		"send": rubySend, "public_send": rubySend, "__send__": rubySend, ".send": rubySendTo, ".public_send": rubySendTo, ".__send__": rubySendTo, "method": rubyMethod, ".method": rubyMethodOf, ".call": func(r *reader, c *call) value { return r.call(&c.self, &call{args: c.args}) }, "Object.const_get": imports, "const_get": imports, ".const_get": imports,
		"ENV.fetch": getsVariable, "ENV.to_h": takesEnvironment, "ENV.to_a": takesEnvironment, "ENV.inspect": takesEnvironment, "ENV.each": takesEnvironment, "ENV.map": takesEnvironment, "ENV.to_s": takesEnvironment, "ENV.to_hash": takesEnvironment, "ENV.to_json": takesEnvironment, "ENV.values": takesEnvironment, "ENV.sort": takesEnvironment, "ENV.select": takesEnvironment,
		"URI": same, "URI.parse": same, "Net.HTTP.get": fetches, "Net.HTTP.get_response": fetches, "Net.HTTP.get_print": fetches, "HTTParty.get": fetches, "RestClient.get": fetches, "Faraday.get": fetches, "Excon.get": fetches, "HTTP.get": fetches, "URI.parse.read": fetches,
		"TCPSocket.new": connectsTo, "TCPSocket.open": connectsTo, "Socket.tcp": connectsTo, "TCPServer.new": listensTo, "TCPServer.open": listensTo,
		".execute": queries, ".exec": queries, ".query": queries, ".exec_query": queries,
	}
	for _, name := range []string{"capture2", "capture2e", "capture3", "popen2", "popen2e", "popen3", "pipeline"} {
		t["Open3."+name] = runsList
	}
	for _, name := range []string{"rm", "rm_f", "remove", "remove_file", "rmdir", "safe_unlink"} {
		t["FileUtils."+name] = deletesFirst(false)
	}
	for _, name := range []string{"rm_r", "rm_rf", "rmtree", "remove_dir", "remove_entry", "remove_entry_secure"} {
		t["FileUtils."+name] = deletesFirst(true)
		t[name] = deletesFirst(true)
	}
	for _, name := range []string{"Net.HTTP.post", "Net.HTTP.post_form", "HTTParty.post", "RestClient.post", "RestClient.put", "Faraday.post", "Excon.post", "HTTP.post"} {
		t[name] = func(r *reader, c *call) value {
			var data []value
			for i := range c.args[min(1, len(c.args)):] {
				if c.args[i+1].name != "headers" {
					data = append(data, c.args[i+1].value)
				}
			}
			return r.send(c.get(0), listOf(data...))
		}
	}
	return t
}

// rubyPopen is IO.popen, whose second argument says how.
func rubyPopen(r *reader, c *call) value {
	args := c.values()
	if len(args) > 0 && args[0].form == isList && args[0].keys() != nil { // the environment
		args = args[1:]
	}
	if len(args) == 0 {
		return value{}
	}
	return r.command(args[0])
}

func writesFirst(r *reader, c *call) value {
	r.write(c.get(0), c.get(1))
	return value{}
}

func rubyOpen(r *reader, c *call) value {
	path := c.get(0)
	if s := path.text; path.form == isString && strings.HasPrefix(s, "|") && c.name == "open" {
		path.text = strings.TrimSpace(s[1:])
		return r.shell(path)
	}
	if path.form == isString && isAddress(path.text) {
		return r.fetch(path)
	}
	return r.openMode(path, c.get(1, "mode"))
}

func rubyRead(r *reader, c *call) value {
	if c.self.form == isString {
		return r.read(c.self)
	}
	return answers(r, c)
}

func rubyUnpack(r *reader, c *call) value {
	switch how, _ := c.get(0).known(); {
	case strings.HasPrefix(how, "m"):
		return r.decoded(c.self, "base64", fromBase64)
	case strings.HasPrefix(how, "a"), strings.HasPrefix(how, "A"):
		return c.self
	default:
		out := value{}.madeOf(decodedBy("pack"))
		out.taint(&c.self)
		return out
	}
}

func rubyPack(r *reader, c *call) value {
	how, _ := c.get(0).known()
	first := rubyFirst(c.self)
	switch {
	case strings.HasPrefix(how, "H"):
		return r.decoded(first, "hex", fromHex)
	case strings.HasPrefix(how, "m"):
		out := value{}
		out.taint(&c.self)
		return out
	case strings.HasPrefix(how, "c"), strings.HasPrefix(how, "C"), strings.HasPrefix(how, "U"):
		return r.letters(c.self.items())
	}
	return value{}.madeOf(decodedBy("pack"))
}

func rubyFirst(v value) value {
	if v.form == isList && len(v.items()) > 0 {
		return v.items()[0]
	}
	return v
}

// rubyMap is map(&:chr).
func rubyMap(r *reader, c *call) value {
	if s, ok := c.get(0).known(); ok && c.self.form == isList {
		out := slices.Grow([]value(nil), len(c.self.items()))
		for i := range c.self.items() {
			out = append(out, r.callWith(r.member(&c.self.items()[i], s), nil))
		}
		return listOf(out...)
	}
	return c.self
}

func rubyTranslate(r *reader, c *call) value {
	a, _ := c.get(0).known()
	b, _ := c.get(1).known()
	if strings.EqualFold(a, "a-za-z") && strings.EqualFold(b, "n-za-mn-za-m") {
		return r.decoded(c.self, "rot13", rot13)
	}
	out := value{}.madeOf(decodedBy("tr"))
	out.taint(&c.self)
	return out
}

func perlTableFormat(r *reader, c *call) value {
	v := c.values()
	if len(v) == 0 {
		return value{}
	}
	return r.format(v[0], v[1:])
}

func rubyExpand(r *reader, c *call) value {
	if dir := c.get(1); dir.form == isString {
		return r.pathJoin(dir, c.get(0))
	}
	return c.get(0)
}

// rubyDelete is delete on a path; on other things it means something else.
func rubyDelete(r *reader, c *call, recursive bool) value {
	if c.self.form == isString && len(c.args) == 0 {
		r.remove(recursive, c.self)
		return value{}
	}
	return r.other(&c.self, c)
}

func rubySend(r *reader, c *call) value { return r.sendTo(value{form: isRef, text: "Kernel"}, c) }

func rubySendTo(r *reader, c *call) value {
	if c.self.form == isSocket {
		return value{}
	}
	return r.sendTo(c.self, c)
}

func (r *reader) sendTo(to value, c *call) value {
	name := c.get(0)
	s, ok := name.known()
	if !ok {
		if name.hidden() != "" || to.form == isRef && r.dangerous(to.text) && name.form == isString {
			r.use(Use{What: Eval, Hidden: "names"})
		}
		return value{}
	}
	method := r.member(&to, s)
	return r.call(&method, &call{args: c.args[1:]})
}

func rubyMethod(r *reader, c *call) value { return r.memberNamed(ref("Kernel"), c.get(0)) }

func rubyMethodOf(r *reader, c *call) value { return r.memberNamed(c.self, c.get(0)) }

func listensTo(r *reader, c *call) value {
	parts := make([]string, 0, len(c.args))
	for _, v := range c.values() {
		parts = append(parts, v.piece())
	}
	s := strings.Join(parts, ":")
	r.use(Use{What: Listen, Text: shown(s), Known: isKnown(s)})
	return value{form: isSocket}
}
