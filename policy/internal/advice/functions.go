package advice

// FunctionDoc says how a function is used and what it is, with an example.
type FunctionDoc struct{ Name, Usage, Doc, Example string }

// FunctionDocs are the functions that conditions have in addition to CEL's own.
var FunctionDocs = []FunctionDoc{
	{"is", `command.is("a", "b") or command.is(list)`, "the program is one of these, under any of its names and with any version: kubectl, k and kubecolor are one program, and python is also python3.12. Wrappers such as sudo and timeout are taken off: the command is what they run", `call.commands.exists(c, c.is("kubectl", "helm"))`},
	{"has", `command.has("-f")`, "it has a flag, by any of its names and in any form if the program is described: -f is --force of git push, and -sX PUT of curl has -s and -X. -rf has -r and -f of any program. The dashes can be left out", `call.commands.exists(c, c.is("git") && c.sub == "push" && c.has("--force"))`},
	{"flag", `command.flag("context")`, "the value of a flag, by any of its names: -n is --namespace of kubectl; the last one if it is given several times; else that of the variable of the environment that its description takes for it; empty if neither is given, and then the program's own default counts. Words that may add options, such as $X outside of quotes, make it unknown only if it is not found", `call.commands.exists(c, c.is("kubectl") && c.flag("context").matches("(^|-)prod($|-)"))`},
	{"flags", `command.flags("env")`, "all values of a flag that can be given several times, by any of its names, in order; the list is unknown as a whole where words may add options", `call.commands.exists(c, c.is("docker") && c.flags("env").exists(v, v.startsWith("AWS_")))`},
	{"around", `effect.around(["~/.config/app/**"])`, "touches, or one of the paths is in its object: moving a directory away also moves what is in it", `call.effects.exists(e, e.verb in ["write", "delete"] && e.around(["~/.config/app/**"]))`},
	{"names", `command.names(["/etc/app.conf"])`, "an argument, or the value of one, is one of the paths, whatever the program does with it", `call.commands.exists(c, !c.is("cat") && c.names(["/etc/app.conf"]))`},
	{"touches", `effect.touches(["/etc/**"])`, "it could concern one of the paths; an effect on a directory that contains one counts too: rm -rf / touches everything. Its negation says little: use outside", `call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**"]))`},
	{"within", `effect.within(["./**"])`, "all of it is in these directories. Unknown if that depends on a path, working directory or home that is not known", `call.effects.all(e, e.verb != "write" || e.within([".", "/tmp"]))`},
	{"outside", `effect.outside(["./**"])`, "some of it is, or may be, outside these directories: the opposite of within. What is not a file, or is on another machine, is outside", `call.effects.exists(e, e.verb in ["write", "delete"] && e.outside(["./**"]))`},
	{"carries", `effect.carries(["**/.env"])`, "what it takes or sends comes from one of the paths", `call.effects.exists(e, e.verb == "send" && e.carries(["**/.env"]))`},
	{"under", `path.under("~/.ssh")`, "the path is this directory or inside it; unknown if a wildcard of a command may stand for that. It takes one directory, not a pattern, and looks at the path alone: /srv is not under /srv/data, although deleting it deletes both", `call.reads.exists(p, p.under("~/.ssh"))`},
	{"glob", `path.glob("**/*.pem")`, "the path matches; * and ? stay in an element, ** crosses them; a pattern without a slash is matched against the last element", `call.writes.exists(p, p.glob("*.tf"))`},
	{"host", `address.host()`, "the host in lower case, without port; also of git@host:path, host:path and host::module. Numeric addresses are as curl reads them, dotted: 169.254.169.254 of http://2852039166, http://0xA9FEA9FE, http://0251.0376.0251.0376 and http://[::ffff:a9fe:a9fe]. Unknown if two programs could extract different hosts, and empty for what is no address, as changes in a.txt", `call.urls.exists(u, u.host().endsWith(".example.com"))`},
	{"finds", `pattern.finds("node")`, "the pattern, an extended regular expression of the call, is found in the text, as pgrep and pkill look for programs: capitals do not count", `call.effects.exists(e, e.verb == "kill" && e.object.finds("node"))`},
	{"sum", `list.sum()`, "the numbers of a list added up, 0 if it is empty; elements that are not there add nothing, and one that is no number makes the condition fail, as on_error says", `call.args.items.map(i, i.amount).sum() > 5000`},
	{"suspicious", `text.suspicious()`, "the text seems to contain instructions for a model, or hidden characters", `text.suspicious()`},
	{"copied", `past.copied(text)`, "the text, an address or host in it, or at least a few of its words in a row occur in what others wrote, and not in what the user said. Single words do not count, such as the name of a package", `call.effects.exists(e, e.verb == "fetch" && past.copied(e.object))`},
	{"leaks", `past.leaks(text)`, "the text contains a value from a private file that the conversation has read", `call.kind == "fetch" && past.leaks(call.raw)`},
}
