package code

import "strings"

// python is what Python's functions do.
var python = pythonTable()

func pythonTable() map[string]builtin {
	t := map[string]builtin{
		"os.system": runsShell, "os.popen": runsShell, "commands.getoutput": runsShell, "commands.getstatusoutput": runsShell, "subprocess.getoutput": runsShell, "subprocess.getstatusoutput": runsShell,
		"os.popen2": runsShell, "os.popen3": runsShell, "popen2.popen2": runsShell, "posix.system": runsShell, "nt.system": runsShell, "asyncio.create_subprocess_shell": runsShell, "get_ipython.system": runsShell,
		"asyncio.create_subprocess_exec": runsList, "os.startfile": runsShell, "pexpect.spawn": runsShell, "pexpect.run": runsShell, "sh.Command": runsShell, "invoke.run": runsShell, "fabric.local": runsShell,
		"pty.spawn": func(r *reader, c *call) value { r.given = true; return r.program1(c.get(0)) },
		"os.dup2":   func(r *reader, _ *call) value { r.given = true; return value{} },
		"os.fork":   forksOff, "os.forkpty": forksOff, "itertools.count": goesOn, "itertools.cycle": goesOn, "itertools.repeat": goesOn,
		"os.posix_spawn": func(r *reader, c *call) value { return r.program1(c.get(1)) }, "os.posix_spawnp": func(r *reader, c *call) value { return r.program1(c.get(1)) },
		"os.kill": kills, "os.killpg": kills, "os.chmod": chmods, "os.lchmod": chmods, "os.chown": chmods, "shutil.chown": chmods,

		"os.remove": deletesFirst(false, "path"), "os.unlink": deletesFirst(false, "path"), "os.rmdir": deletesFirst(false, "path"), "os.removedirs": deletesFirst(false, "name"), "posix.unlink": deletesFirst(false), "os.truncate": deletesFirst(false, "path"),
		"shutil.rmtree": deletesFirst(true, "path"), "send2trash.send2trash": deletesFirst(true), "distutils.dir_util.remove_tree": deletesFirst(true),
		"os.rename": moves, "os.replace": moves, "os.renames": moves, "shutil.move": moves,
		"shutil.copy": copies, "shutil.copy2": copies, "shutil.copyfile": copies, "shutil.copytree": copies, "shutil.copyfileobj": copies, "os.symlink": pythonLink, "os.link": pythonLink,
		"open": pythonOpen, "io.open": pythonOpen, "codecs.open": pythonOpen, "gzip.open": pythonOpen, "bz2.open": pythonOpen, "lzma.open": pythonOpen, "tarfile.open": pythonOpen, "zipfile.ZipFile": pythonOpen, "file": pythonOpen,
		"os.open": func(r *reader, c *call) value { return r.opened(c.get(0), "r+") }, "linecache.getlines": readsFirst, "fileinput.input": readsFirst, "numpy.loadtxt": readsFirst, "pandas.read_csv": readsFirst, "pd.read_csv": readsFirst, "pd.read_json": readsFirst,
		".read_text": readsSelf, ".read_bytes": readsSelf, ".write_text": writesSelf, ".write_bytes": writesSelf, ".touch": func(r *reader, c *call) value { r.writeSelf(c, text("")); return value{} },
		".unlink": deletesSelf(false), ".rmdir": deletesSelf(false), ".rename": movesSelf, ".chmod": func(r *reader, c *call) value { return r.mode(c.self, c.get(0)) }, ".rmtree": deletesSelf(true),
		".open": func(r *reader, c *call) value {
			if c.self.form != isString {
				return r.other(&c.self, c)
			}
			return r.openMode(c.self, c.get(0, "mode"))
		},
		".read": readsHandle, ".readlines": readsHandle, ".readline": readsHandle, ".write": writesHandle, ".writelines": writesHandle, ".add": addsToArchive, ".extractall": func(r *reader, c *call) value {
			if v := c.get(0, "path"); v.form == isString {
				r.write(v, value{}.madeOf(fromSources(c.self.sources()...)))
			}
			return value{}
		},

		"eval": evaluates, "exec": evaluates, "execfile": runsFile, "runpy.run_path": runsFile, "compile": same, "code.InteractiveInterpreter.runcode": evaluates, "ast.literal_eval": same, "pickle.loads": loadsObject, "cPickle.loads": loadsObject, "dill.loads": loadsObject, "pickle.load": loadsObject, "cPickle.load": loadsObject, "dill.load": loadsObject, "cloudpickle.load": loadsObject, "cloudpickle.loads": loadsObject, "pickle.Unpickler": loadsObject, "marshal.load": loadsObject,
		"marshal.loads": hides("marshal"), "zlib.decompress": decodes("zlib", inflated), "gzip.decompress": decodes("gzip", inflated), "bz2.decompress": hides("bz2"), "lzma.decompress": hides("lzma"),
		"base64.b64decode": decodes("base64", fromBase64), "base64.urlsafe_b64decode": decodes("base64", fromBase64), "base64.standard_b64decode": decodes("base64", fromBase64), "base64.decodebytes": decodes("base64", fromBase64), "base64.decodestring": decodes("base64", fromBase64),
		"binascii.a2b_base64": decodes("base64", fromBase64), "base64.b32decode": decodes("base32", fromBase32), "base64.b16decode": decodes("hex", fromHex), "base64.b85decode": hides("base85"), "base64.a85decode": hides("base85"),
		"bytes.fromhex": decodes("hex", fromHex), "bytearray.fromhex": decodes("hex", fromHex), "binascii.unhexlify": decodes("hex", fromHex), "binascii.a2b_hex": decodes("hex", fromHex), "codecs.decode": pythonDecode, "codecs.encode": pythonDecode,
		"urllib.parse.unquote": decodes("url", fromURL), "types.FunctionType": makesFunction, "types.CodeType": makesFunction,

		"chr": func(r *reader, c *call) value { return r.letter(c.get(0)) }, "str": textOf, "bytes": textOf, "bytearray": textOf, "repr": printsAll, "print": printsAll, "dict": printsAll, "json.dumps": printsAll, "pprint.pprint": printsAll, "sorted": same, "iter": goesThrough, "next": func(r *reader, c *call) value { return r.element(c.get(0)) },
		"list": same, "tuple": same, "set": same, "shlex.split": same, "shlex.quote": same, "shlex.join": func(r *reader, c *call) value { return r.joined(text(" "), c.get(0)) }, "reversed": reverses, "map": applies, "filter": applies, "enumerate": luaPairs,
		"functools.partial": callsFirst, "atexit.register": callsFirst, ".submit": callsFirst, "threading.Thread": startsTarget, "multiprocessing.Process": startsTarget, "Thread": startsTarget, "threading.Timer": func(r *reader, c *call) value { return r.apply(c.get(1, "function"), c.get(2, "args")) }, "_thread.start_new_thread": applies,
		"__import__": imports, "importlib.import_module": imports, "getattr": getsMember, "operator.attrgetter": hides("attrgetter"), "vars": same, ".__subclasses__": func(r *reader, _ *call) value { r.use(Use{What: Eval, Hidden: "names"}); return value{} }, ".__getattribute__": func(r *reader, c *call) value { return r.memberNamed(c.self, c.get(0)) }, "globals": func(*reader, *call) value { return ref("globals") }, "locals": func(*reader, *call) value { return ref("globals") },

		".join": func(r *reader, c *call) value { return r.joined(c.self, c.get(0)) }, ".format": func(r *reader, c *call) value { return r.formatCall(c) }, ".replace": replaces, ".decode": pythonDecodes, ".encode": pythonDecodes, ".strip": self, ".lstrip": self, ".rstrip": self, ".lower": lowers, ".upper": self, ".expanduser": self, ".resolve": self, ".absolute": self, ".as_posix": self, ".split": splits, ".splitlines": splits,
		".joinpath": func(r *reader, c *call) value {
			return joinsPaths(r, &call{args: append([]argument{{value: c.self}}, c.args...)})
		},
		"os.path.join": joinsPaths, "pathlib.Path": joinsPaths, "Path": joinsPaths, "pathlib.PurePath": joinsPaths, "pathlib.PosixPath": joinsPaths, "PosixPath": joinsPaths, "posixpath.join": joinsPaths, "os.fspath": same,
		"os.path.expanduser": same, "os.path.abspath": same, "os.path.realpath": same, "os.path.normpath": same, "os.path.dirname": func(r *reader, c *call) value { return r.parent(c.get(0)) }, "os.path.expandvars": func(r *reader, c *call) value {
			return r.decoded(c.get(0), "", func(s string) (string, bool) {
				return strings.NewReplacer("${HOME}", "~", "$HOME", "~").Replace(s), true
			})
		},
		"pathlib.Path.home": fixed("~"), "Path.home": fixed("~"), "pathlib.Path.cwd": fixed("."), "Path.cwd": fixed("."), "os.getcwd": fixed("."), "os.chdir": changesDir,
		"glob.glob": finds, "glob.iglob": finds, "os.listdir": fixed("*"), "os.scandir": listsIn, "os.walk": walks, "os.fwalk": walks, ".iterdir": func(r *reader, c *call) value { return r.pathJoin(c.self, text("*")) }, ".glob": findsIn, ".rglob": findsIn,
		"tempfile.mkdtemp": fixed("/tmp/tmpdir"), "tempfile.gettempdir": fixed("/tmp"), "tempfile.mktemp": fixed("/tmp/tmpfile"), "tempfile.TemporaryDirectory": fixed("/tmp/tmpdir"), "tempfile.NamedTemporaryFile": func(*reader, *call) value { return value{form: isFile, text: "/tmp/tmpfile"} },

		"os.getenv": getsVariable, "os.environ.get": getsVariable, "os.environ.setdefault": getsVariable, "os.environ.items": takesEnvironment, "os.environ.copy": takesEnvironment, "os.environ.values": takesEnvironment, "environ.get": getsVariable,
		".append": extends, ".extend": extends, ".system": func(r *reader, c *call) value {
			if v := c.get(0); v.form == isString { // by way of the C library
				return r.shell(v)
			}
			return value{}
		},
		".execute": queries, ".executescript": queries, ".executemany": queries, "text": same, "sqlalchemy.text": same,
	}
	for _, name := range []string{"run", "call", "check_call", "check_output", "Popen"} {
		t["subprocess."+name] = pythonProcess
	}
	for _, name := range []string{"execl", "execle", "execlp", "execlpe", "execv", "execve", "execvp", "execvpe", "spawnl", "spawnle", "spawnlp", "spawnlpe", "spawnv", "spawnve", "spawnvp", "spawnvpe"} {
		t["os."+name] = pythonExec
	}
	pythonNetwork(t)
	pythonMore(t)
	return t
}
