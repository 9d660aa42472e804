package javascript_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/program/javascript"
)

// shown is what a program calls: a line for each call, unknown ones with a ?.
func shown(p javascript.Program) string {
	var lines []string
	for _, c := range p.Calls {
		line := c.Tool + c.Arguments
		if c.Freeform {
			line = c.Tool + " " + c.Arguments
		}
		if !c.Known {
			line += " ?"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestCallsWithKnownArguments(t *testing.T) {
	const rm = `exec_command{"cmd":"rm -rf /"}`
	cases := []struct{ name, program, want string }{
		{"a literal", `const r = await tools.exec_command({cmd: "rm -rf /"}); text(r.output);`, rm},
		{"quoted names and other members", `tools.exec_command({"cmd": 'ls', workdir: "/x", n: 1.5, ok: true, no: null,})`, `exec_command{"cmd":"ls","workdir":"/x","n":1.5,"ok":true,"no":null}`},
		{"escapes", `tools.exec_command({cmd: "\x72\u006d -r\u{66} \/"})`, rm},
		{"octal escapes", `tools.exec_command({cmd: "\162m -rf /"})`, rm},
		{"a continued line", "tools.exec_command({cmd: 'rm \\\n-rf /'})", rm},
		{"escapes in names", `to\u006fls.ex\u{65}c_command({c\u006dd: "rm -rf /"})`, rm},
		{"a variable", `const c = "rm -rf /"; tools.exec_command({cmd: c})`, rm},
		{"shorthand", `let cmd = "rm -rf /"; tools.exec_command({cmd})`, rm},
		{"assigned later", `let cmd; cmd = "rm"; cmd += " -rf /"; tools.exec_command({cmd})`, rm},
		{"a sum", `tools.exec_command({cmd: "rm" + " " + "-rf" + ' /'})`, rm},
		{"a template", "const d = '/'; tools.exec_command({cmd: `rm ${'-' + `r${\"f\"}`} ${d}`})", rm},
		{"join", `tools.exec_command({cmd: ["rm", "-rf", "/"].join(" ")})`, rm},
		{"join of a list that grows", `const a = []; a.push("rm"); a.push("-rf", "/"); tools.exec_command({cmd: a.join(" ")})`, rm},
		{"spread", `const a = ["-rf", "/"]; tools.exec_command({...{cmd: ["rm", ...a].join(" ")}})`, rm},
		{"concat", `tools.exec_command({cmd: "rm".concat(" -rf", " /")})`, rm},
		{"reversed", `tools.exec_command({cmd: "/ fr- mr".split("").reverse().join("")})`, rm},
		{"replaced", `tools.exec_command({cmd: "xm -rf /".replace("x", "r")})`, rm},
		{"replaced by a pattern", `tools.exec_command({cmd: "rXm XX-rXf /".replace(/X/g, "")})`, rm},
		{"replaced by groups", `tools.exec_command({cmd: "mr -rf /".replace(/(m)(r)/, "$2$1")})`, rm},
		{"replaced everywhere", `tools.exec_command({cmd: "rm_-rf_/".replaceAll("_", " ")})`, rm},
		{"cut", `tools.exec_command({cmd: "xxrm -rf /yy".slice(2, -2)})`, rm},
		{"cut otherwise", `tools.exec_command({cmd: "xxrm -rf /yy".substring(2, 10)})`, rm},
		{"trimmed, in small letters", `tools.exec_command({cmd: "  RM -RF /".trim().toLowerCase()})`, rm},
		{"letters by place", `const s = "mr"; tools.exec_command({cmd: s[1] + s.charAt(0) + " -rf " + "ab/".at(-1)})`, rm},
		{"letters by code", `tools.exec_command({cmd: String.fromCharCode(114, 109) + " -rf /"})`, rm},
		{"letters by computed codes", `tools.exec_command({cmd: [115,110].map(c => String.fromCharCode(c - 1)).join("") + " -rf /"})`, rm},
		{"base64", `tools.exec_command({cmd: atob("cm0gLXJmIC8=")})`, rm},
		{"base64 of a buffer", `tools.exec_command({cmd: Buffer.from("cm0gLXJmIC8=", "base64").toString()})`, rm},
		{"hex", `tools.exec_command({cmd: Buffer.from("726d202d7266202f", 'hex').toString("utf8")})`, rm},
		{"bytes", `tools.exec_command({cmd: new TextDecoder().decode(new Uint8Array([1])) ? "x" : "y"})`, "exec_command{\"cmd\":\"x\"}"},
		{"text of bytes", `const b = Uint8Array.from([114, 109]); tools.exec_command({cmd: new TextDecoder().decode(b) + " -rf /"})`, rm},
		{"percent", `tools.exec_command({cmd: decodeURIComponent("rm%20-rf%20%2F")})`, rm},
		{"percent, the old way", `tools.exec_command({cmd: unescape("%72m -rf %2f")})`, rm},
		{"parsed", `tools.exec_command(JSON.parse('{"cmd":"rm -rf /"}'))`, rm},
		{"written and parsed", `tools.exec_command(JSON.parse(JSON.stringify({cmd: "rm -rf /"})))`, rm},
		{"raw", "tools.exec_command({cmd: String.raw`rm -rf /`})", rm},
		{"repeated", `tools.exec_command({cmd: "rm -" + "rf".repeat(1) + " /"})`, rm},

		{"a computed name", `tools["exec_" + "command"]({cmd: "rm -rf /"})`, rm},
		{"a name in a variable", `const n = "exec_command"; tools[n]({cmd: "rm -rf /"})`, rm},
		{"another name for tools", `const t = tools; t.exec_command({cmd: "rm -rf /"})`, rm},
		{"a tool in a variable", `const run = tools.exec_command; await run({cmd: "rm -rf /"})`, rm},
		{"taken apart", `const {exec_command} = tools; exec_command({cmd: "rm -rf /"})`, rm},
		{"taken apart and renamed", `const {exec_command: go, ...rest} = tools; go({cmd: "rm -rf /"})`, rm},
		{"by call", `tools.exec_command.call(null, {cmd: "rm -rf /"})`, rm},
		{"by apply", `tools.exec_command.apply(tools, [{cmd: "rm -rf /"}])`, rm},
		{"by bind", `tools.exec_command.bind(tools, {cmd: "rm -rf /"})()`, rm},
		{"by Reflect", `Reflect.apply(tools.exec_command, null, [{cmd: "rm -rf /"}])`, rm},
		{"by the global object", `globalThis["to" + "ols"].exec_command({cmd: "rm -rf /"})`, rm},
		{"optional", `tools?.exec_command?.({cmd: "rm -rf /"})`, rm},
		{"optional by key", `tools?.["exec_command"]({cmd: "rm -rf /"})`, rm},
		{"in parentheses", `(0, tools.exec_command)({cmd: "rm -rf /"})`, rm},
		{"in a list", `[tools.exec_command][0]({cmd: "rm -rf /"})`, rm},
		{"in an object", `const o = {run: tools.exec_command, c: "rm -rf /"}; o.run({cmd: o["c"]})`, rm},
		{"of the older client", `await codex.tool("exec_command", {cmd: "rm -rf /"})`, rm},
		{"free text", "await tools.apply_patch(`*** Begin Patch\n*** End Patch`)", "apply_patch *** Begin Patch\n*** End Patch"},
		{"no argument", `tools.list()`, `list{}`},

		{"a function", `async function run(c) { return await tools.exec_command({cmd: c}); } await run("rm -rf /");`, rm},
		{"an arrow", `const run = cmd => tools.exec_command({cmd}); run("rm -rf /")`, rm},
		{"with defaults", `const run = async ({a = "rm", b}, c = "/") => tools.exec_command({cmd: [a, b, c].join(" ")}); run({b: "-rf"})`, rm},
		{"with a rest", `function run(...a) { tools.exec_command({cmd: a.join(" ")}) } run("rm", "-rf", "/")`, rm},
		{"of arguments", `function run() { tools.exec_command({cmd: arguments[0]}) } run("rm -rf /")`, rm},
		{"at once", `(async () => { await tools.exec_command({cmd: "rm -rf /"}) })()`, rm},
		{"with a result", `const f = (x) => { const y = "rm " + x; return y; }; tools.exec_command({cmd: f("-rf /")})`, rm},
		{"before its line", `run("rm -rf /"); function run(cmd) { tools.exec_command({cmd}) }`, rm},
		{"a method", `const o = {c: "rm -rf /", run() { return tools.exec_command({cmd: this.c}) }}; o.run()`, rm},
		{"a class", `class A { c = "rm "; constructor(x) { this.d = x } run() { tools.exec_command({cmd: this.c + this.d}) } } new A("-rf /").run()`, rm},
		{"that nobody calls", `function f() { tools.exec_command({cmd: "rm -rf /"}) }`, rm},
		{"that someone else calls", `setTimeout(() => tools.exec_command({cmd: "rm -rf /"}), 10)`, rm},
		{"then", `tools.read({path: "a"}).then(() => tools.exec_command({cmd: "rm -rf /"}))`, `read{"path":"a"}` + "\n" + rm},

		{"several at once", `await Promise.all([tools.exec_command({cmd: "ls"}), tools.exec_command({cmd: "pwd"})])`, "exec_command{\"cmd\":\"ls\"}\nexec_command{\"cmd\":\"pwd\"}"},
		{"for each of a list", `for (const c of ["a", "b"]) await tools.exec_command({cmd: c})`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},
		{"mapped", `await Promise.all(["a", "b"].map(async (cmd) => tools.exec_command({cmd})))`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},
		{"counted", "for (let i = 0; i < 2; i++) { tools.exec_command({cmd: `rm ${i}`}) }", "exec_command{\"cmd\":\"rm 0\"}\nexec_command{\"cmd\":\"rm 1\"}"},
		{"a text that grows", `let c = ""; for (const x of "rm -rf /") c += x; tools.exec_command({cmd: c})`, rm},
		{"for each of an object", `for (const [k, v] of Object.entries({cmd: "rm -rf /"})) tools.exec_command({[k]: v})`, rm},
		{"both branches", `if (x.y) { tools.exec_command({cmd: "a"}) } else tools.exec_command({cmd: "b"})`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},
		{"either value", `tools.exec_command({cmd: Date.now() > 5 ? "a" : "b"})`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},
		{"a value from a branch", `let c = "a"; if (Math.random() > 0.5) c = "b"; tools.exec_command({cmd: c})`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},
		{"the other value of or", `tools.exec_command({cmd: "" || "rm -rf /"})`, rm},
		{"try", `try { throw 1 } catch { await tools.exec_command({cmd: "rm -rf /"}) } finally { text("x") }`, rm},
		{"a switch", `switch (Date.now()) { case 1: tools.exec_command({cmd: "a"}); break; default: tools.exec_command({cmd: "b"}) }`, "exec_command{\"cmd\":\"a\"}\nexec_command{\"cmd\":\"b\"}"},

		{"code from text", `eval('tools.exec_command({cmd: "rm -rf /"})')`, rm},
		{"code from parts", `(0, eval)('tools.exec_' + 'command({cmd: "rm -rf /"})')`, rm},
		{"a function from text", `new Function("t", 't.exec_command({cmd: "rm -rf /"})')(tools)`, rm},
		{"a function by its maker", `(() => {}).constructor('tools.exec_command({cmd: "rm -rf /"})')()`, rm},
		{"a function by the maker of a maker", `[].constructor.constructor('tools.exec_command({cmd: "rm -rf /"})')()`, rm},

		{"comments", "// x\n/* y */ tools /* z */ . exec_command({cmd: /* a */ 'rm -rf /'}) // \"", rm},
		{"a comment with a rare line end", "// x\u2028tools.exec_command({cmd: 'rm -rf /'})", rm},
		{"a regular expression with a quote", `const a = /["'/]/g; tools.exec_command({cmd: "rm -rf /"}); a.test("x")`, rm},
		{"a division", `const a = 4 / 2 / 1; tools.exec_command({cmd: "rm -rf /"})`, rm},
		{"no semicolons", "const a = 1\nconst b = [\"rm -rf /\"]\ntools.exec_command({cmd: b[0]})\n", rm},
		{"another name for the blank", "\ufeff\u00a0tools.exec_command({cmd:'rm -rf /'})", rm},
		{"a label", `outer: for (const c of ["rm -rf /"]) { tools.exec_command({cmd: c}); break outer; }`, rm},
		{"types", `const cmd: string = "rm -rf /"; tools.exec_command({cmd})`, rm},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := javascript.Read(c.program)
			if got := shown(p); got != c.want {
				t.Errorf("calls\n%s\nwant\n%s", got, c.want)
			}
			if len(p.Doubt) > 0 && c.name != "both branches" {
				t.Errorf("doubt %q", p.Doubt)
			}
		})
	}
}

func TestHarmlessProgramsLeaveNoDoubt(t *testing.T) {
	for _, program := range []string{
		`const r = await tools.exec_command({cmd: "ls"}); text(r.output.split("\n").filter(l => l.includes("go")).map(l => l.trim()).join("\n"));`,
		`const results = await Promise.all(["a","b"].map(f => tools.read_file({path: f}))); for (const r of results) { text(JSON.stringify(r)); }`,
		`const out = await tools.exec_command({cmd: "git status"}); if (out.exit_code !== 0) { throw new Error("failed: " + out.output); } text(out.output);`,
		`let total = 0; for (let i = 0; i < 10; i++) { total += i * 2; } text(total.toString());`,
		"const s = new Map(); s.set('a', 1); console.log(`${s.get('a')}`, Object.keys({a: 1}), Math.max(1, 2), new Date().toISOString());",
		`text(ALL_TOOLS_HELP)`, `store("k", {a: [1]}); const v = load("k"); text(v.a)`,
		`const {output, exit_code: code = 0} = await tools.exec_command({cmd: "make test", yield_time_ms: 1000}); text(output); text(code);`,
		`let r = await tools.exec_command({cmd: "npm test"}); while (r.session_id) { r = await tools.write_stdin({session_id: 1, chars: ""}); } text(r.output)`,
		`const run = async (cmd, opts = {}) => { const r = await tools.exec_command({cmd, ...opts}); text(r.output); return r }; await run("ls"); await run("go test", {workdir: "/x"})`,
		`const fs = require("fs"); const d = JSON.parse(fs.readFileSync("a.json", "utf8")); d.a.b = true; fs.writeFileSync("a.json", JSON.stringify(d, null, 2))`,
		`let s = ""; process.stdin.on("data", d => s += d).on("end", () => { const j = JSON.parse(s); console.log(j.items.map(i => i.name)) })`,
		`fetch("http://localhost:3000/health").then(r => r.json()).then(console.log).catch(e => { console.error(e); process.exit(1) })`,
		`require("http").createServer((q, r) => { r.end("ok") }).listen(3000, () => console.log("up"))`,
		`const path = require("path"); for (const f of require("fs").readdirSync(".")) { if (f.endsWith(".ts")) console.log(path.resolve(f)) }`,
	} {
		if p := javascript.Read(program); len(p.Doubt) > 0 {
			t.Errorf("%s\ndoubt %q", program, p.Doubt)
		}
	}
}

func TestWhatIsUnknownStaysVisible(t *testing.T) {
	cases := []struct{ name, program, want, doubt string }{
		{"a variable", `tools.exec_command({cmd: x.y})`, `exec_command{"cmd":"${__unknown}"} ?`, javascript.Dynamic},
		{"a part of a template", "tools.exec_command({cmd: `rm -rf ${r.dir}/x`})", `exec_command{"cmd":"rm -rf ${__unknown}/x"} ?`, javascript.Dynamic},
		{"a part of a sum", `tools.exec_command({cmd: "rm -rf " + r.dir, workdir: "/x"})`, `exec_command{"cmd":"rm -rf ${__unknown}","workdir":"/x"} ?`, javascript.Dynamic},
		{"an element of a list", `tools.shell({command: ["rm", r.x]})`, `shell{"command":["rm","${__unknown}"]} ?`, javascript.Dynamic},
		{"the result of a tool", `const r = await tools.read({path: "a"}); tools.exec_command({cmd: r.output.trim()})`, "read{\"path\":\"a\"}\nexec_command{\"cmd\":\"${__unknown}\"} ?", javascript.Dynamic},
		{"all arguments", `tools.exec_command(load("x"))`, `exec_command{} ?`, javascript.Dynamic},
		{"members that are not known", `tools.exec_command({...load("x"), cmd: "ls"})`, `exec_command{"cmd":"ls"} ?`, javascript.Dynamic},
		{"members that may be replaced", `tools.exec_command({cmd: "ls", ...load("x")})`, "exec_command{\"cmd\":\"ls\"} ?\nexec_command{\"cmd\":\"${__unknown}\"} ?", javascript.Dynamic},
		{"a name", `tools[load("x")]({cmd: "rm"})`, `{"cmd":"rm"} ?`, javascript.Dynamic},
		{"a name that is chosen", `tools[load("x") ? "a" : "b"]({cmd: "rm"})`, "a{\"cmd\":\"rm\"}\nb{\"cmd\":\"rm\"}", ""},
		{"a variable of the environment", `tools.exec_command({cmd: "rm -rf " + process.env.X})`, `exec_command{"cmd":"rm -rf ${X}"} ?`, javascript.Dynamic},
		{"a loop of unknown length", `let c = "rm"; while (load("x")) { c += " -rf"; tools.exec_command({cmd: c}) }`, "exec_command{\"cmd\":\"rm -rf\"}\nexec_command{\"cmd\":\"rm -rf -rf\"}\nexec_command{\"cmd\":\"${__unknown} -rf\"} ?", javascript.Dynamic},
		{"tools given away", `send(tools)`, ``, javascript.Unseen},
		{"a tool given away", `load("x").then(tools.exec_command)`, ``, javascript.Dynamic},
		{"code that is not known", `eval(load("x"))`, ``, javascript.Reach},
		{"code that someone else has", `eval(x.y)`, ``, javascript.Reach},
		{"a function of what is not known", `new Function(load("x"))()`, ``, javascript.Reach},
		{"a module that is not known", `require(load("x"))`, ``, javascript.Reach},
		{"a built-in that is changed", `JSON.parse = tools.exec_command; JSON.parse({cmd: "rm"})`, ``, javascript.Reach},
		{"a method that is changed", `Array.prototype.join = function() { return "rm" }`, ``, javascript.Reach},
		{"a maker", `load("x").constructor("y")()`, ``, javascript.Reach},
		{"a function by an unknown name", `load("x")[load("y")]("z")`, ``, javascript.Dynamic},
		{"a function nobody knows", `helper({cmd: "rm"})`, ``, javascript.Unseen},
		{"with", `with (tools) { exec_command({cmd: "rm"}) }`, ``, javascript.Reach},
		{"a proxy", `new Proxy(tools, {}).exec_command({cmd: "rm"})`, ``, javascript.Reach},
		{"no program", `rm -rf / && :`, ``, javascript.Syntax},
		{"a text without an end", `tools.exec_command({cmd: "rm`, `exec_command{"cmd":"rm"}`, javascript.Syntax},
		{"a comment without an end", `/* tools.exec_command({cmd: "rm"})`, ``, javascript.Syntax},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := javascript.Read(c.program)
			if got := shown(p); got != c.want {
				t.Errorf("calls\n%s\nwant\n%s", got, c.want)
			}
			if c.doubt != "" && !slices.Contains(p.Doubt, c.doubt) || c.doubt == "" && len(p.Doubt) > 0 {
				t.Errorf("doubt %q, want %q", p.Doubt, c.doubt)
			}
		})
	}
}

// What a program does must be among what is seen, or there must be doubt.
func TestTheOrderOfThingsHidesNothing(t *testing.T) {
	for _, program := range []string{
		`let c = "rm -rf /"; load("x").then(() => { c = "ls" }); tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; async function f() { await load("x"); c = "ls" } f(); tools.exec_command({cmd: c})`,
		`let c = ""; async function f() { await load("x"); c = "rm -rf /"; await load("x"); c = "ls" } f(); tools.exec_command({cmd: c})`,
		`let c = ""; try { c = "rm -rf /"; load("x"); c = "ls" } catch {} tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; try { load("x"); c = "ls" } catch {} tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; function f() { if (load("x")) return; c = "ls" } f(); tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; for (;;) { if (load("x")) break; c = "ls"; break } tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; outer: for (const a of [1]) { for (const b of [1]) { break outer } c = "ls" } tools.exec_command({cmd: c})`,
		`let c; for (const x of ["rm -rf /", "ls"]) { c = x; if (load("x")) break } tools.exec_command({cmd: c})`,
		`let c; for (let i = 0; i < 2; i++) { c = ["rm -rf /", "ls"][i]; if (load("x")) break } tools.exec_command({cmd: c})`,
		`const o = {c: "rm -rf /"}; if (load("x")) o.c = "ls"; tools.exec_command({cmd: o.c})`,
		`const o = {c: "ls"}; if (load("x")) { o.c = "rm -rf /" } tools.exec_command({cmd: o.c})`,
		`const a = ["rm -rf /"]; if (load("x")) a.pop(); tools.exec_command({cmd: a[0]})`,
		`const f = []; for (let i = 0; i < 2; i++) f.push(() => tools.exec_command({cmd: ["rm -rf /", "ls"][i]})); f.forEach(g => g())`,
		`const a = ["rm"], b = Array.from(a); b.push("x"); tools.exec_command({cmd: a.concat(["-rf /"]).join(" ")})`,
		`const s = new Set(["rm -rf /"]); s.add("ls"); for (const cmd of s) tools.exec_command({cmd})`,
		`let c = "rm -rf /"; switch (load("x")) { case 1: c = "ls"; break; case 2: c = "pwd" } tools.exec_command({cmd: c})`,
		`let c = "ls"; const o = {toString() { return "rm -rf /" }}; tools.exec_command({cmd: "" + o})`,
		`let c = "ls"; setTimeout(() => { c = "rm -rf /" }); await load("x"); tools.exec_command({cmd: c})`,
		`var c = "rm -rf /"; if (load("x")) { var c = "ls" } tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; load("x") && (c = "ls"); tools.exec_command({cmd: c})`,
		`let c = "rm -rf /"; load("x") ? c = "ls" : 0; tools.exec_command({cmd: c})`,
		`const {a: {b: c = "rm -rf /"} = {}} = {}; tools.exec_command({cmd: c})`,
	} {
		p := javascript.Read(program)
		if !strings.Contains(shown(p), `exec_command{"cmd":"rm -rf /"}`) {
			t.Errorf("%s\ncalls %s\ndoubt %q", program, shown(p), p.Doubt)
		}
	}
	for _, program := range []string{
		`let c = "", i = 0; const f = () => { c += "rm -rf /"[i++] }; while (load("x")) f(); tools.exec_command({cmd: c})`,
		`const o = {cmd: "ls"}; Object.defineProperties(o, {cmd: {value: "rm -rf /"}}); tools.exec_command(o)`,
		`const o = {}; o.__proto__.cmd = "rm -rf /"; tools.exec_command({})`,
		`const o = {cmd: "ls"}; change(o); tools.exec_command(o)`,
		`const a = ["ls", "rm -rf /"]; a.sort(load("x")); tools.exec_command({cmd: a[0]})`,
		`tools.exec_command({cmd: 0x726dn.toString(36)})`,
		`tools.exec_command({cmd: {toJSON() { return "rm -rf /" }}})`,
		"x <!-- y; tools.exec_command({cmd: 'rm'})\n",
		`const o = {get cmd() { return "rm -rf /" }}; tools.exec_command({cmd: o.cmd})`,
		`tools.exec_command(JSON.parse('{"cmd":"ls"}', (k, v) => "rm -rf /"))`,
	} {
		if p := javascript.Read(program); len(p.Doubt) == 0 {
			t.Errorf("%s\ncalls %s without doubt", program, shown(p))
		}
	}
}

func TestMembersWithSomethingUnknownAreNamed(t *testing.T) {
	p := javascript.Read(`tools.exec_command({cmd: "ls", workdir: load("x"), ...load("y")})`)
	if len(p.Calls) == 0 || !slices.Contains(p.Calls[0].Partial, "workdir") || !slices.Contains(p.Calls[0].Partial, "...") {
		t.Errorf("%+v", p.Calls)
	}
}
