package code

import "strings"

// lua is what Lua's functions do.
var lua = map[string]builtin{
	"os.execute": runsShell, "io.popen": runsShell, "os.remove": deletesFirst(false), "os.rename": moves, "io.open": func(r *reader, c *call) value { return r.openMode(c.get(0), c.get(1)) }, "io.lines": readsFirst, "io.output": func(r *reader, c *call) value { return r.opened(c.get(0), "w") }, "io.input": readsFirst,
	".write": writesHandle, ".read": readsHandle, ".lines": readsHandle, "load": evaluates, "loadstring": evaluates, "dofile": runsFile, "loadfile": runsFile, "os.getenv": getsVariable, "string.reverse": decodes("reverse", reversed), ".reverse": func(r *reader, c *call) value { return r.decoded(c.self, "reverse", reversed) },
	"string.char": luaChar, "table.concat": func(r *reader, c *call) value {
		between := c.get(1)
		if between.form == isUnknown {
			between = text("")
		}
		return r.joined(between, c.get(0))
	}, "string.format": perlTableFormat, "pairs": luaPairs, "ipairs": luaPairs, "lfs.rmdir": deletesFirst(false), "lfs.chdir": changesDir, "lfs.dir": listsIn, "pcall": callsFirst, "print": printsAll,
	"http.request": luaRequest, "socket.http.request": luaRequest, "https.request": luaRequest, "socket.connect": connectsTo, "socket.tcp": openedSocket, ".connect": func(r *reader, c *call) value {
		if c.self.form == isSocket || len(c.args) == 2 {
			return connectsTo(r, c)
		}
		return r.other(&c.self, c)
	}, ".receive": answers, ".send": func(r *reader, c *call) value { r.tell(c.self, c.get(0)); return value{} }, "require": imports, "vim.fn.system": runsList, "vim.fn.systemlist": runsList, "vim.fn.jobstart": runsCommand, "vim.fn.job_start": runsCommand, "vim.fn.termopen": runsCommand, "vim.fn.term_start": runsCommand, "vim.system": runsCommand, "vim.fn.expand": same, "vim.fs.normalize": same, "vim.fn.fnamemodify": same, "vim.fn.glob": same, "vim.fn.readfile": readsFirst, "vim.fn.rename": moves, "vim.fn.join": func(r *reader, c *call) value { return r.joined(c.get(1), c.get(0)) },
	"vim.fn.writefile": func(r *reader, c *call) value { r.write(c.get(1), r.joined(text("\n"), c.get(0))); return value{} }, "vim.fn.luaeval": evaluates, "vim.uv.fs_unlink": deletesFirst(false), "vim.loop.fs_unlink": deletesFirst(false), "vim.uv.fs_rmdir": deletesFirst(false), "vim.loop.fs_rmdir": deletesFirst(false), "uv.fs_unlink": deletesFirst(false), "vim.uv.spawn": luaSpawn, "vim.loop.spawn": luaSpawn, "uv.spawn": luaSpawn, "vim.uv.os_homedir": fixed("~"), "vim.loop.os_homedir": fixed("~"), "vim.uv.fs_chmod": chmods, "vim.loop.fs_chmod": chmods,
	"vim.cmd": luaCommand, "vim.api.nvim_command": luaCommand, "vim.api.nvim_exec": luaCommand, "vim.api.nvim_exec2": luaCommand, "vim.fn.execute": luaCommand, "vim.fs.rm": func(r *reader, c *call) value {
		how := c.get(1)
		r.remove(len(how.items()) > 0, c.get(0))
		return value{}
	}, "posix.exec": luaSpawn, "posix.execp": luaSpawn, "posix.unistd.execp": luaSpawn, "posix.unlink": deletesFirst(false), "posix.rmdir": deletesFirst(false), "posix.unistd.unlink": deletesFirst(false), "posix.chmod": chmods, "posix.sys.stat.chmod": chmods, "ltn12.source.file": same, "ltn12.source.string": same, "path.rmdir": deletesFirst(false), "dir.rmtree": deletesFirst(true), "pl.dir.rmtree": deletesFirst(true), "pl.file.delete": deletesFirst(false), "file.delete": deletesFirst(false), "pl.utils.execute": runsShell, "pl.file.read": readsFirst, "mime.b64": same, "mime.unb64": decodes("base64", fromBase64), "vim.fn.delete": func(r *reader, c *call) value {
		how, _ := c.get(1).known()
		r.remove(how == "rf", c.get(0))
		return value{}
	}, ".execute": queries,
}

func luaChar(r *reader, c *call) value {
	return r.letters(c.values())
}

func luaPairs(r *reader, c *call) value {
	return listOf(listOf(value{}, r.element(c.get(0))))
}

func runsCommand(r *reader, c *call) value { return r.command(c.get(0)) }

// luaSpawn runs a program with the list of its arguments, which may be one of
// the options.
func luaSpawn(r *reader, c *call) value {
	args := c.get(1)
	for i, key := range args.keys() {
		if key == "args" && i < len(args.items()) {
			args = args.items()[i]
			break
		}
	}
	return r.argv(append([]value{c.get(0)}, r.flat(args)...))
}

// luaCommand is a command of the editor.
func luaCommand(r *reader, c *call) value {
	v := c.get(0)
	if s, ok := v.known(); ok {
		for _, word := range []string{"silent! ", "silent ", ":"} {
			s = strings.TrimPrefix(strings.TrimSpace(s), word)
		}
		if command, bang := strings.CutPrefix(s, "!"); bang {
			return r.shell(text(command))
		}
		if program, is := strings.CutPrefix(s, "lua "); is {
			return r.evaluate(text(program))
		}
	}
	return value{}
}

func luaRequest(r *reader, c *call) value {
	if len(c.args) > 1 {
		return r.send(c.get(0), c.get(1))
	}
	return r.fetch(c.get(0))
}

// rFiles is what lies in a directory, as paths or as names, and of a pattern
// only some of it.
func rFiles(r *reader, c *call) value {
	if pattern := c.get(1, "pattern", "glob"); pattern.form == isString {
		return value{}
	}
	return listsIn(r, c)
}

func rEncodes(r *reader, c *call) value {
	if v := c.get(0); v.form == isString { // the name of a file
		return r.read(v)
	}
	return c.get(0)
}

func rUploads(r *reader, c *call) value {
	return r.send(c.get(1, "url", "to"), r.read(c.get(0, "file", "what")))
}

// rBody is a request with a body, which is sent once it is performed.
func rBody(r *reader, c *call) value {
	address, body := c.get(0, "req"), c.get(1, "path", "body", "data")
	if len(c.args) == 1 { // request(...) |> req_body_file(...)
		address, body = text(mark+"url"+mark), c.args[0].value
	}
	if c.has("path") || strings.HasSuffix(c.name, "file") {
		body = r.read(body)
	}
	return r.send(address, body)
}

func rRuns(r *reader, c *call) value {
	return r.argv(append([]value{c.get(0, "command", "cmd")}, r.flat(c.get(1, "args"))...))
}

// rlang is what R's functions do.
var rlang = map[string]builtin{
	"system": runsShell, "shell": runsShell, "pipe": runsShell, "system2": func(r *reader, c *call) value { return r.argv(append([]value{c.get(0)}, r.flat(c.get(1, "args"))...)) },
	"unlink": func(r *reader, c *call) value {
		how := c.get(1, "recursive")
		r.remove(how.text == "TRUE" || how.text == "T", c.get(0))
		return value{}
	}, "file.remove": deletes(false), "fs.dir_delete": deletes(true), "fs.file_delete": deletes(false), "file.rename": moves, "file.copy": copies, "Sys.chmod": chmods, "setwd": changesDir,
	"writeLines": func(r *reader, c *call) value {
		if to := c.get(1, "con"); r.into(&to, c.get(0)) {
			return value{}
		} else if to.form == isSocket {
			r.tell(to, c.get(0))
		} else if to.form != isUnknown {
			r.write(to, c.get(0))
		}
		return value{}
	}, "cat": func(r *reader, c *call) value {
		if to := c.named("file"); to.form == isString {
			r.write(to, c.get(0))
		}
		return value{}
	}, "saveRDS": func(r *reader, c *call) value { r.write(c.get(1, "file"), value{}); return value{} }, "write.csv": func(r *reader, c *call) value { r.write(c.get(1, "file"), value{}); return value{} }, "readLines": readsFirst, "readRDS": readsFirst, "read.csv": readsFirst, "file": same, "url": same, "readChar": readsFirst, "scan": readsFirst,
	"source": runsFile, "source_url": runsFile, "devtools::source_url": runsFile, "eval": evaluates, "parse": func(_ *reader, c *call) value { return c.named("text") }, "evalq": evaluates, "Sys.getenv": getsVariable, "paste0": func(r *reader, c *call) value { return r.joined(text(""), listOf(c.values()...)) }, "paste": func(r *reader, c *call) value { return r.joined(text(" "), listOf(c.values()...)) }, "file.path": joinsPaths, "path.expand": same, "normalizePath": same, "c": func(_ *reader, c *call) value { return listOf(c.values()...) },
	"download.file": func(r *reader, c *call) value {
		got := r.fetch(c.get(0, "url"))
		r.write(c.get(1, "destfile"), value{}.madeOf(fromRemote(got.remote())))
		return value{}
	}, "httr.GET": fetches, "httr.POST": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "GET": fetches, "POST": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "list.files": rFiles, "list.dirs": rFiles, "dir": rFiles,
	"httr.PUT": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "PUT": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "httr.PATCH": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "httr.upload_file": readsFirst, "upload_file": readsFirst, "curl.form_file": readsFirst, "form_file": readsFirst, "readBin": readsFirst, "readr.read_file": readsFirst, "read_file": readsFirst, "readr.read_lines": readsFirst, "read_lines": readsFirst, "base64enc.base64encode": rEncodes, "base64encode": rEncodes, "read.table": readsFirst, "readtext": readsFirst,
	"RCurl.postForm": func(r *reader, c *call) value { return r.send(c.get(0, "uri"), c.list()) }, "postForm": func(r *reader, c *call) value { return r.send(c.get(0, "uri"), c.list()) }, "RCurl.ftpUpload": rUploads, "curl.curl_upload": rUploads, "curl_upload": rUploads, "httr2.request": same, "request": same, "httr2.req_body_file": rBody, "req_body_file": rBody, "httr2.req_body_raw": rBody, "req_body_raw": rBody, "httr2.req_body_json": rBody, "req_body_json": rBody,
	"processx.run": rRuns, "sys.exec_wait": rRuns, "sys.exec_internal": rRuns, "shell.exec": runsShell, "fs.file_chmod": chmods, "Sys.umask": func(*reader, *call) value { return value{} }, "invisible": same, "suppressWarnings": same, "suppressMessages": same, "try": same, "rawToBase64": same, "jsonlite.toJSON": printsAll, "toJSON": printsAll, "Sys.glob": same, "fs.dir_ls": rFiles, "tools.pskill": kills, "unlist": same, "file.append": moves, "lapply": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "sapply": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "do.call": func(r *reader, c *call) value {
		return r.callWith(c.get(0), c.get(1).flatItems())
	}, "socketConnection": connectsTo, "base64enc.base64decode": decodes("base64", fromBase64), "rawToChar": same, "dbExecute": func(r *reader, c *call) value { return queries(r, &call{args: c.args[min(1, len(c.args)):]}) }, "tempfile": fixed("/tmp/tmpfile"), "tempdir": fixed("/tmp"), "print": printsAll,
}
