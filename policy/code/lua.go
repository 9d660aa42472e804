package code

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
	}, ".receive": answers, "require": imports, "vim.fn.system": runsList, "vim.fn.delete": func(r *reader, c *call) value {
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

func luaRequest(r *reader, c *call) value {
	if len(c.args) > 1 {
		return r.send(c.get(0), c.get(1))
	}
	return r.fetch(c.get(0))
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
		if to := c.get(1, "con"); to.form != isUnknown {
			r.write(to, c.get(0))
		}
		return value{}
	}, "cat": func(r *reader, c *call) value {
		if to := c.named("file"); to.form == isString {
			r.write(to, c.get(0))
		}
		return value{}
	}, "saveRDS": func(r *reader, c *call) value { r.write(c.get(1, "file"), value{}); return value{} }, "write.csv": func(r *reader, c *call) value { r.write(c.get(1, "file"), value{}); return value{} }, "readLines": readsFirst, "readRDS": readsFirst, "read.csv": readsFirst, "file": same, "url": same, "readChar": readsFirst, "scan": readsFirst,
	"source": runsFile, "eval": evaluates, "parse": func(_ *reader, c *call) value { return c.named("text") }, "evalq": evaluates, "Sys.getenv": getsVariable, "paste0": func(r *reader, c *call) value { return r.joined(text(""), listOf(c.values()...)) }, "paste": func(r *reader, c *call) value { return r.joined(text(" "), listOf(c.values()...)) }, "file.path": joinsPaths, "path.expand": same, "normalizePath": same, "c": func(_ *reader, c *call) value { return listOf(c.values()...) },
	"download.file": func(r *reader, c *call) value {
		got := r.fetch(c.get(0, "url"))
		r.write(c.get(1, "destfile"), value{}.madeOf(fromRemote(got.remote())))
		return value{}
	}, "httr.GET": fetches, "httr.POST": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "GET": fetches, "POST": func(r *reader, c *call) value { return r.send(c.get(0, "url"), c.get(1, "body")) }, "list.files": listsIn, "dir": listsIn, "lapply": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "sapply": func(r *reader, c *call) value { return r.apply(c.get(1), c.get(0)) }, "do.call": func(r *reader, c *call) value {
		return r.callWith(c.get(0), c.get(1).flatItems())
	}, "socketConnection": connectsTo, "base64enc.base64decode": decodes("base64", fromBase64), "rawToChar": same, "dbExecute": func(r *reader, c *call) value { return queries(r, &call{args: c.args[min(1, len(c.args)):]}) }, "tempfile": fixed("/tmp/tmpfile"), "tempdir": fixed("/tmp"), "print": printsAll,
}
