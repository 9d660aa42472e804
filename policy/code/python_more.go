package code

import "strings"

// programsIn are the modules of Python whose members are programs.
var programsIn = []string{"sh.", "plumbum.cmd.", "plumbum.local."}

// programOf is a call of a member of such a module: sh.rm("-rf", "/"). It
// reports false for others.
func (r *reader) programOf(name string, c *call) (value, bool) {
	for _, module := range programsIn {
		words, ok := strings.CutPrefix(name, module)
		if !ok || words == "" || words[0] < 'a' || words[0] > 'z' {
			continue
		}
		var argv []value
		for word := range strings.SplitSeq(words, ".") { // sh.sudo.rm
			switch word {
			case "bake", "run", "popen", "run_fg", "run_bg", "contrib":
			default:
				argv = append(argv, text(strings.ReplaceAll(strings.TrimSuffix(word, "_"), "_", "-")))
			}
		}
		return r.argv(append(argv, c.flags()...)), true
	}
	return value{}, false
}

// flags are the arguments of a call, those with names as a program has them:
// r=True is -r.
func (c *call) flags() []value {
	list := make([]value, 0, len(c.args))
	for i := range c.args {
		name, v := c.args[i].name, c.args[i].value
		if name == "" {
			list = append(list, v)
			continue
		}
		if strings.HasPrefix(name, "_") || v.text == "False" {
			continue
		}
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		list = append(list, text(dashes+name))
		if v.text != "True" {
			list = append(list, v)
		}
	}
	return list
}

// programItem is local["rm"] and rm["-rf", "/"] of plumbum. It reports false for
// other elements.
func (r *reader) programItem(v, key *value) (value, bool) {
	switch {
	case v.text == "plumbum.local", v.text == "plumbum.machines.local":
		if s, ok := key.known(); ok && s != "" {
			return ref("plumbum.cmd." + s[strings.LastIndexByte(s, '/')+1:]), true
		}
	case strings.HasPrefix(v.text, "plumbum.cmd."):
		c := call{args: []argument{{value: *key}}}
		for r.peek(0).is(",") && len(c.args) < mostItems && r.step() {
			r.i++
			c.args = append(c.args, argument{value: r.expr(0)})
		}
		r.programOf(v.text, &c)
		return *v, true
	}
	return value{}, false
}

// pythonMore adds what comes with other modules than those of the system.
func pythonMore(t map[string]builtin) {
	for _, name := range []string{
		"delegator.run", "envoy.run", "invoke.Context.run", "anyio.run_process", "anyio.open_process", "trio.run_process", "psutil.Popen", "sarge.run", "sarge.capture_stdout", "commands.getstatus",
		"asyncio.subprocess.create_subprocess_shell", "os.popen4", "pexpect.popen_spawn.PopenSpawn", "ptyprocess.PtyProcess.spawn", "winpty.PtyProcess.spawn", "IPython.get_ipython.system",
	} {
		t[name] = func(r *reader, c *call) value { return r.command(c.get(0, "command", "args")) }
	}
	for _, name := range []string{"pexpect.spawn", "pexpect.run", "pexpect.spawnu", "pexpect.runu"} {
		t[name] = func(r *reader, c *call) value {
			if args := c.get(1, "args"); args.form == isList {
				return r.argv(append([]value{c.get(0)}, args.items()...))
			}
			return r.shell(c.get(0))
		}
	}
	t["asyncio.subprocess.create_subprocess_exec"] = runsList
	t["sh.Command"] = func(_ *reader, c *call) value {
		if s, ok := c.get(0).known(); ok && s != "" {
			return ref("sh." + s[strings.LastIndexByte(s, '/')+1:])
		}
		return value{}
	}
	for _, name := range []string{
		"posix.remove", "posix.rmdir", "nt.unlink", "nt.remove", "nt.rmdir", "aiofiles.os.remove", "aiofiles.os.unlink", "aiofiles.os.rmdir", "win32file.DeleteFile", "win32api.DeleteFile", "os.ftruncate",
		"Path.unlink", "pathlib.Path.unlink", "Path.rmdir", "pathlib.Path.rmdir",
	} {
		t[name] = deletesFirst(false, "path")
	}
	for _, name := range []string{
		"aioshutil.rmtree", "aiofiles.os.removedirs", "test.support.rmtree", "test.support.os_helper.rmtree", "setuptools.distutils.dir_util.remove_tree", "shutil._rmtree_unsafe", "pip._internal.utils.misc.rmtree", "winshell.delete_file",
		"setuptools._distutils.dir_util.remove_tree", "tempfile.TemporaryDirectory._rmtree",
	} {
		t[name] = deletesFirst(true, "path")
	}
	for _, name := range []string{"trio.run", "anyio.run", "asyncio.to_thread", "trio.to_thread.run_sync", "anyio.to_thread.run_sync", "contextlib.ExitStack.callback"} {
		t[name] = callsFirst
	}
	t[".communicate"] = writesHandle
	t["os.fchmod"] = chmods
	t["Path.chmod"], t["pathlib.Path.chmod"] = chmods, chmods
	t["os.sendfile"] = func(r *reader, c *call) value { return r.other(&value{}, c) }
	t[".sendfile"] = func(r *reader, c *call) value {
		r.tell(c.self, c.get(0, "file"))
		return value{}
	}
	t["shutil.make_archive"] = func(r *reader, c *call) value {
		out := r.concat(c.get(0, "base_name"), text("."))
		r.write(r.concat(out, c.get(1, "format")), value{}.madeOf(fromSources(c.get(2, "root_dir").names()...)))
		return out
	}
	t["fnmatch.filter"] = func(r *reader, c *call) value { return r.other(&value{}, c) }
	t["next"] = func(r *reader, c *call) value { return r.element(c.get(0)) }
}

// findsIn is path.glob and path.rglob.
func findsIn(r *reader, c *call) value { return found(r.pathJoin(c.self, c.get(0))) }

// finds is glob.glob.
func finds(_ *reader, c *call) value { return found(c.get(0)) }

// found is a list of the files that a pattern stands for. One without a wildcard is
// a name, and no text that somebody goes through letter by letter.
func found(v value) value {
	if v.form != isString || strings.Contains(v.text, "*") || !isKnown(v.text) {
		return v
	}
	return listOf(v)
}
