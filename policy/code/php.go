package code

import (
	"slices"
	"strings"
)

// php is what PHP's functions do.
var php = map[string]builtin{
	"system": runsShell, "exec": runsShell, "shell_exec": runsShell, "passthru": runsShell, "popen": runsShell, "proc_open": func(r *reader, c *call) value {
		if r.sockets {
			r.given = r.given || isShell(c.get(0).text)
		}
		return r.command(c.get(0))
	}, "pcntl_exec": func(r *reader, c *call) value { return r.argv(append([]value{c.get(0)}, c.get(1).items()...)) }, "pcntl_fork": forksOff, "expect_popen": runsShell, "process.run": runsShell, "process.fromshellcommandline": runsShell, "process": runsList,
	"unlink": deletesFirst(false), "rmdir": deletesFirst(false), "ftruncate": deletesFirst(false), "file.deletedirectory": deletesFirst(true), "file.delete": deletesFirst(false), "storage.deletedirectory": deletesFirst(true),
	"rename": moves, "move_uploaded_file": moves, "copy": copies, "symlink": pythonLink, "link": pythonLink, "chmod": chmods, "chown": chmods, "touch": func(r *reader, c *call) value { r.write(c.get(0), text("")); return value{} },
	"file_put_contents": writesFirst, "file_get_contents": phpRead, "file": phpRead, "readfile": phpRead, "highlight_file": phpRead, "show_source": phpRead, "parse_ini_file": phpRead, "fopen": func(r *reader, c *call) value { return r.openMode(c.get(0), c.get(1)) }, "fwrite": phpPut, "fputs": phpPut, "fread": phpGet, "fgets": phpGet, "stream_get_contents": phpGet, "socket_read": phpGet, "socket_recv": phpGet,
	"eval": evaluates, "assert": evaluates, "create_function": func(r *reader, c *call) value { return r.evaluate(c.get(1)) }, "include": runsFile, "include_once": runsFile, "require": runsFile, "require_once": runsFile, "unserialize": loadsObject,
	"base64_decode": decodes("base64", fromBase64), "hex2bin": decodes("hex", fromHex), "str_rot13": decodes("rot13", rot13), "strrev": decodes("reverse", reversed), "gzinflate": decodes("zlib", inflated), "gzuncompress": decodes("zlib", inflated), "gzdecode": decodes("gzip", inflated), "urldecode": decodes("url", fromURL), "rawurldecode": decodes("url", fromURL), "convert_uudecode": hides("uuencode"), "pack": perlPack,
	"chr": func(r *reader, c *call) value { return r.letter(c.get(0)) }, "implode": perlJoin, "join": perlJoin, "sprintf": perlTableFormat, "vsprintf": func(r *reader, c *call) value { return r.format(c.get(0), c.get(1).items()) }, "str_replace": func(r *reader, c *call) value {
		return replaces(r, &call{self: c.get(2), args: c.args[:min(2, len(c.args))]})
	}, "strtolower": lowersFirst, "trim": same, "strval": same, "escapeshellarg": same, "escapeshellcmd": same, "realpath": same, "dirname": func(r *reader, c *call) value { return r.parent(c.get(0)) }, "array": func(_ *reader, c *call) value {
		return c.list()
	},
	"call_user_func": callsFirst, "call_user_func_array": func(r *reader, c *call) value {
		return r.callWith(c.get(0), c.get(1).items())
	}, "array_map": applies, "array_walk": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "array_filter": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "usort": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "register_shutdown_function": callsFirst,
	"glob": same, "scandir": listsIn, "sys_get_temp_dir": fixed("/tmp"), "getcwd": fixed("."), "chdir": changesDir, "tempnam": fixed("/tmp/tmpfile"), "posix_kill": kills,
	"getenv": getsVariable, "env": getsVariable, "print_r": printsAll, "var_dump": printsAll, "json_encode": printsAll, "print": printsAll, "http_build_query": printsAll, "phpinfo": takesEnvironment,
	"fsockopen": connectsTo, "pfsockopen": connectsTo, "stream_socket_client": connectsTo, "socket_create": openedSocket, "socket_connect": func(r *reader, c *call) value { return r.connect(listOf(c.get(1), c.get(2))) }, "stream_socket_server": listensTo,
	"mail": func(r *reader, c *call) value { return r.send(c.get(0), c.get(1), c.get(2)) }, "curl_init": func(_ *reader, c *call) value {
		v := c.get(0)
		return value{form: isClient, text: v.piece()}.madeOf(fromSources(v.sources()...))
	}, "curl_setopt": phpOption, "curl_setopt_array": phpOptions, "curl_exec": phpCurl, "mysqli_query": func(r *reader, c *call) value { return queries(r, &call{args: c.args[min(1, len(c.args)):]}) }, "pg_query": func(r *reader, c *call) value { return queries(r, &call{args: c.args[max(0, len(c.args)-1):]}) }, ".query": queries, ".exec": queries, ".multi_query": queries, "db.statement": queries, "db.unprepared": queries,
	".get": clientRequest, ".post": clientRequest, "http.get": fetches, "http.post": func(r *reader, c *call) value { return r.send(c.get(0), c.get(1)) }, ".invoke": func(r *reader, c *call) value { return r.call(&c.self, &call{args: c.args}) }, "reflectionfunction": same,
}

func phpRead(r *reader, c *call) value {
	if context := c.get(2); context.form != isUnknown && isAddress(c.get(0).text) {
		return r.send(c.get(0), context)
	}
	return r.read(c.get(0))
}

func phpPut(r *reader, c *call) value {
	f, data := c.get(0), c.get(1)
	if r.into(&f, data) {
		return value{}
	}
	r.put(f, data)
	if f.form == isSocket && len(data.sources()) > 0 {
		return r.send(text(f.text), data)
	}
	return value{}
}

func phpGet(r *reader, c *call) value { return answers(r, &call{self: c.get(0)}) }

// The client of curl is kept in its variable: options change it in place.

func phpOption(r *reader, c *call) value {
	r.setOption(c.get(0), c.get(1).text, c.get(2))
	return value{}
}

func phpOptions(r *reader, c *call) value {
	options := c.get(1)
	for i := range options.keys() {
		r.setOption(c.get(0), options.keys()[i], options.items()[i])
	}
	return value{}
}

func (r *reader) setOption(client value, option string, v value) {
	if client.form != isClient {
		return
	}
	switch strings.ToUpper(option) {
	case "CURLOPT_URL":
		r.curl.text = v.piece()
		r.curl = r.curl.madeOf(fromSources(v.sources()...))
	case "CURLOPT_POSTFIELDS", "CURLOPT_INFILE", "CURLOPT_READDATA":
		r.curl = r.curl.with(append(slices.Clip(r.curl.items()), v), nil)
		r.curl.use = 1
	case "CURLOPT_POST", "CURLOPT_UPLOAD", "CURLOPT_PUT":
		r.curl.use = 1
	case "CURLOPT_FILE":
		r.put(v, value{}.madeOf(fromRemote(client.text)))
	}
}

func phpCurl(r *reader, c *call) value {
	address := c.get(0)
	made := text(address.text).madeOf(fromSources(address.sources()...))
	if r.curl.text != "" {
		made = text(r.curl.text).madeOf(r.curl.origin())
	}
	items, sends := r.curl.items(), r.curl.use == 1
	r.curl = value{}
	if sends {
		return r.send(made, items...)
	}
	return r.fetch(made)
}
