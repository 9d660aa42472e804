package code

import "strings"

// perl is what Perl's functions do.
var perl = map[string]builtin{
	"system": runsList, "exec": runsList, "readpipe": runsShell, "IPC.Open3.open3": runsTail(3), "IPC.Open2.open2": runsTail(2), "open3": runsTail(3), "open2": runsTail(2), "capture": runsList, "run": perlRun, "IPC.Run.run": perlRun,
	"unlink": deletes(false), "rmdir": deletes(false), "rmtree": deletes(true), "remove_tree": deletes(true), "File.Path.rmtree": deletes(true), "File.Path.remove_tree": deletes(true), ".remove_tree": deletesSelf(true), ".remove": deletesSelf(false), "truncate": deletesFirst(false),
	"rename": moves, "move": moves, "File.Copy.move": moves, "mv": moves, "copy": copies, "File.Copy.copy": copies, "cp": copies, "dircopy": copies, "symlink": pythonLink, "link": pythonLink,
	"open": perlOpen, "sysopen": func(r *reader, c *call) value { return r.bindHandle(c, r.opened(c.get(1), "r+")) }, "print": perlPrint, "printf": perlPrint, "say": perlPrint, "syswrite": perlPrint,
	"read_file": readsFirst, "slurp": readsFirst, "File.Slurp.read_file": readsFirst, "write_file": func(r *reader, c *call) value { r.write(c.get(0), c.get(1)); return value{} }, "path": same, "Path.Tiny.path": same, ".slurp": readsSelf, ".spew": writesSelf, ".lines": readsSelf,
	"chmod": func(r *reader, c *call) value { return r.modes(c) }, "chown": func(r *reader, c *call) value { return r.modes(c) },
	"kill": func(r *reader, c *call) value {
		for _, v := range c.values()[min(1, len(c.values())):] {
			kills(r, &call{args: []argument{{value: v}}})
		}
		return value{}
	},
	"fork": forksOff, "chdir": changesDir, "eval": evaluates, "do": runsFile, "require": runsFile,
	"decode_base64": decodes("base64", fromBase64), "MIME.Base64.decode_base64": decodes("base64", fromBase64), "decode": func(_ *reader, c *call) value { return c.get(1) }, "pack": perlPack, "unpack": perlUnpack, "uncompress": decodes("zlib", inflated),
	"chr": func(r *reader, c *call) value { return r.letter(c.get(0)) }, "join": perlJoin, "reverse": perlReverse, "lc": lowersFirst, "uc": same, "sprintf": func(r *reader, c *call) value {
		v := c.values()
		if len(v) == 0 {
			return value{}
		}
		return r.format(v[0], v[1:])
	},
	"glob": same, "readline": perlReadline, "File.Glob.bsd_glob": same, "scalar": same, "map": applies, "grep": func(_ *reader, c *call) value { return c.get(1) }, "find": perlFind, "finddepth": perlFind, "File.Find.find": perlFind, "catfile": joinsPaths, "catdir": joinsPaths, "File.Spec.catfile": joinsPaths, "shift": perlShift, "die": func(*reader, *call) value { return value{} },
	"get": perlGet, "LWP.Simple.get": perlGet, "getprint": perlGet, "getstore": perlStore, "LWP.Simple.getstore": perlStore, "LWP.UserAgent.new": func(*reader, *call) value { return value{form: isClient} }, "HTTP.Tiny.new": func(*reader, *call) value { return value{form: isClient} }, "Mojo.UserAgent.new": func(*reader, *call) value { return value{form: isClient} },
	".print": writesHandle, ".printf": writesHandle, ".say": writesHandle, ".send": writesHandle, ".syswrite": writesHandle,
	".get": perlClient, ".post": perlSends, ".put": perlSends, ".post_form": perlSends, ".mirror": perlStore, "HTTP.Request.new": func(_ *reader, c *call) value { return c.get(1) }, ".request": perlClient,
	"IO.Socket.INET.new": perlSocket, "IO.Socket.SSL.new": perlSocket, "IO.Socket.IP.new": perlSocket, "socket": openedSocket, "sockaddr_in": func(_ *reader, c *call) value { return listOf(c.get(1), c.get(0)) }, "pack_sockaddr_in": func(_ *reader, c *call) value { return listOf(c.get(1), c.get(0)) }, "inet_aton": same, "connect": func(r *reader, c *call) value { return r.connect(c.get(1)) },
	"IO.Socket.INET": perlSocket, "IO.Socket.SSL": perlSocket, ".fdopen": func(r *reader, _ *call) value { r.given = true; return value{} }, "push": extends, "unshift": extends,
	".do": queries, ".prepare": queries,
}

// perlReadline is <HANDLE>, and <> for the files that the program is given.
func perlReadline(r *reader, c *call) value {
	v := c.get(0)
	name, ok := v.known()
	switch {
	case !ok:
		return r.other(&value{}, c)
	case name == "" || name == "ARGV" || name == "STDIN":
		out := value{}
		if given := r.names["@ARGV"]; name != "STDIN" && len(given.items()) > 0 {
			for _, item := range r.flat(given) {
				contents := r.read(item)
				out.taint(&contents)
			}
		}
		r.names["$_"] = out
		return out
	default:
		f := r.lookup(name)
		return answers(r, &call{self: f})
	}
}

// perlShift is the first argument of the program, where its arguments are meant.
func perlShift(r *reader, c *call) value {
	given := r.names["@ARGV"]
	if v := c.get(0); v.form == isList && v.of() != "@ARGV" || v.form == isRef && strings.HasPrefix(v.text, "@") || len(given.items()) == 0 {
		return value{}
	}
	first := given.items()[0]
	r.names["@ARGV"] = given.with(given.items()[1:], given.keys())
	return first
}

// runsTail runs the arguments after the handles.
func runsTail(n int) builtin {
	return func(r *reader, c *call) value {
		args := c.values()
		if len(args) <= n {
			return value{}
		}
		if len(args) == n+1 {
			return r.command(args[n])
		}
		return r.argv(args[n:])
	}
}

func perlRun(r *reader, c *call) value {
	if v := c.get(0); v.form == isList {
		return r.argv(v.items())
	}
	return r.other(&value{}, c)
}

// bindHandle gives the handle of an open its file.
func (r *reader) bindHandle(c *call, f value) value {
	if h := c.get(0); h.form == isRef {
		r.names[h.text] = f
	} else if h.form == isString && strings.HasPrefix(h.text, mark) {
		r.names["$"+strings.Trim(h.text, mark)] = f
	}
	return f
}

// perlModes are the modes of open as fopen has them.
var perlModes = strings.NewReplacer("<", "r", ">>", "a", ">", "w")

// perlOpen is open with two arguments, where the second says how, or more.
func perlOpen(r *reader, c *call) value {
	how := c.get(1)
	if h := c.get(0); h.form == isRef && (h.text == "STDIN" || h.text == "STDOUT" || h.text == "STDERR") && strings.ContainsAny(how.text, "&") {
		r.given = true // it is given another one
		return value{}
	}
	m := strings.TrimSpace(how.text)
	if len(c.args) > 2 {
		rest := c.values()
		rest = rest[min(2, len(rest)):]
		if strings.Contains(m, "|") {
			if len(rest) == 1 {
				return r.bindHandle(c, r.command(rest[0]))
			}
			return r.bindHandle(c, r.argv(rest))
		}
		return r.bindHandle(c, r.opened(c.get(2), perlModes.Replace(m)))
	}
	trim := func(cut int) value {
		v := how
		v.text = strings.TrimSpace(m[cut:])
		return v
	}
	switch {
	case strings.HasPrefix(m, "|"):
		return r.bindHandle(c, r.shell(trim(1)))
	case strings.HasSuffix(m, "|"):
		v := how
		v.text = strings.TrimSpace(strings.TrimSuffix(m, "|"))
		return r.bindHandle(c, r.shell(v))
	case strings.HasPrefix(m, "+<"), strings.HasPrefix(m, "+>"):
		return r.bindHandle(c, r.opened(trim(2), "r+"))
	case strings.HasPrefix(m, ">>"):
		return r.bindHandle(c, r.opened(trim(2), "a"))
	case strings.HasPrefix(m, ">&"), strings.HasPrefix(m, "<&"):
		return value{}
	case strings.HasPrefix(m, ">"):
		return r.bindHandle(c, r.opened(trim(1), "w"))
	case strings.HasPrefix(m, "<"):
		return r.bindHandle(c, r.opened(trim(1), "r"))
	default:
		return r.bindHandle(c, r.opened(how, "r"))
	}
}

func perlPrint(r *reader, c *call) value {
	args := c.values()
	if len(args) > 1 && args[0].form == isList && len(args[0].items()) == 1 {
		args[0] = args[0].items()[0]
	}
	if len(args) > 0 && args[0].form == isFile && !r.into(&args[0], args[1:]...) {
		r.put(args[0], r.joined(text(""), listOf(args[1:]...)))
	}
	if len(args) > 0 && args[0].form == isSocket {
		r.tell(args[0], args[1:]...)
	}
	return printsAll(r, c)
}

func (r *reader) modes(c *call) value {
	args := c.values()
	for _, v := range args[min(1, len(args)):] {
		r.mode(v, c.get(0))
	}
	return value{}
}

func perlPack(r *reader, c *call) value {
	how, _ := c.get(0).known()
	switch {
	case strings.HasPrefix(how, "H"):
		return r.decoded(c.get(1), "hex", fromHex)
	case strings.HasPrefix(how, "C"), strings.HasPrefix(how, "c"), strings.HasPrefix(how, "U"), strings.HasPrefix(how, "W"):
		var codes []value
		args := c.values()
		for _, v := range args[min(1, len(args)):] {
			codes = append(codes, v.flatItems()...)
		}
		return r.letters(codes)
	case strings.HasPrefix(how, "A"), strings.HasPrefix(how, "a"):
		return c.get(1)
	}
	return value{}.madeOf(decodedBy("pack"))
}

func perlUnpack(_ *reader, c *call) value {
	how, _ := c.get(0).known()
	v := c.get(1)
	switch {
	case strings.HasPrefix(how, "u"):
		return value{}.madeOf(decodedBy("uuencode"))
	case strings.HasPrefix(how, "A"), strings.HasPrefix(how, "a"):
		return v
	}
	return value{}.madeOf(decodedBy("pack"))
}

func perlJoin(r *reader, c *call) value {
	args := c.values()
	var items []value
	for _, v := range args[min(1, len(args)):] {
		items = append(items, v.flatItems()...)
	}
	return r.joined(c.get(0), listOf(items...))
}

func perlReverse(r *reader, c *call) value { return reverses(r, c) }

func lowersFirst(r *reader, c *call) value {
	return r.decoded(c.get(0), c.get(0).hidden(), func(s string) (string, bool) { return strings.ToLower(s), true })
}

// perlFind is File::Find: what its block deletes lies in the directories.
func perlFind(r *reader, c *call) value {
	dirs := c.values()
	for i := range r.uses {
		u := &r.uses[i]
		if u.What != DeleteFile || u.Known || len(dirs) < 2 {
			continue
		}
		if s, ok := dirs[1].known(); ok {
			u.Text, u.Known, u.Recursive = s, true, true
		}
	}
	return value{}
}

func perlGet(r *reader, c *call) value {
	if v := c.get(0); v.form == isString {
		return r.fetch(v)
	}
	return value{}
}

func perlStore(r *reader, c *call) value {
	got := r.fetch(c.get(0))
	r.write(c.get(1), value{}.madeOf(fromRemote(got.remote())))
	return got
}

func perlClient(r *reader, c *call) value {
	if v := c.get(0); c.self.form == isClient || v.form == isString && isAddress(v.text) {
		return r.fetch(v)
	}
	return r.other(&c.self, c)
}

func perlSends(r *reader, c *call) value {
	v := c.get(0)
	if c.self.form != isClient && !(v.form == isString && isAddress(v.text)) {
		return r.other(&c.self, c)
	}
	var data []value
	for i := range c.args[min(1, len(c.args)):] {
		data = append(data, c.args[i+1].value)
	}
	return r.send(v, listOf(data...))
}

func perlSocket(r *reader, c *call) value {
	if v := c.named("LocalPort", "Listen"); v.form != isUnknown {
		s := v.piece()
		r.use(Use{What: Listen, Text: shown(s), Known: isKnown(s)})
		return value{form: isSocket}
	}
	args := c.values()
	for i := 0; i+1 < len(args); i += 2 { // PeerAddr, "host"
		if args[i].form == isRef {
			c.args = append(c.args, argument{name: args[i].text, value: args[i+1]})
		}
	}
	host, port := c.named("PeerAddr", "PeerHost"), c.named("PeerPort")
	if host.form == isUnknown {
		host = c.get(0)
	}
	if port.form == isUnknown {
		return r.connect(host)
	}
	return r.connect(listOf(host, port))
}
