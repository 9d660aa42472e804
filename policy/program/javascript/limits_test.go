package javascript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/program/javascript"
)

// Every limit has a doubt of its own: within it there is none, beyond it there
// is one.
func TestLimits(t *testing.T) {
	pad := func(n int) string { return "//" + strings.Repeat("x", n-2) }
	calls := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "tools.a({i:%d});", i)
		}
		return b.String()
	}
	cases := []struct {
		name           string
		within, beyond string
		doubt          string
	}{
		{"length", pad(javascript.MaxText), pad(javascript.MaxText + 1), javascript.Long},
		{"length of what is computed", fmt.Sprintf(`"x".repeat(%d)`, javascript.MaxText), fmt.Sprintf(`"x".repeat(%d)`, javascript.MaxText+1), javascript.Long},
		{"depth", strings.Repeat("(", javascript.MaxDepth-2) + "1" + strings.Repeat(")", javascript.MaxDepth-2), strings.Repeat("(", javascript.MaxDepth+1) + "1" + strings.Repeat(")", javascript.MaxDepth+1), javascript.Nesting},
		{"depth of blocks", strings.Repeat("{", javascript.MaxDepth-1) + strings.Repeat("}", javascript.MaxDepth-1), strings.Repeat("{", javascript.MaxDepth+1) + strings.Repeat("}", javascript.MaxDepth+1), javascript.Nesting},
		{"calls", calls(javascript.MaxCalls), calls(javascript.MaxCalls + 1), javascript.Many},
		{"steps", strings.Repeat("1;", javascript.MaxSteps/3), strings.Repeat("1;", javascript.MaxSteps+1), javascript.Steps},
		{"functions in functions", `const f = n => n > 0 ? f(n - 1) : 1; f(20)`, `const f = n => n > 0 ? f(n - 1) : 1; f(30)`, javascript.Nesting},
		{"code in code", `eval("1")`, `const f = () => eval("f()"); f()`, javascript.Nesting},
		{"a chain", "a" + strings.Repeat(".b", 1000), "a" + strings.Repeat(".b", 2000), javascript.Nesting},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if p := javascript.Read(c.within); len(p.Doubt) > 0 {
				t.Errorf("within the limit: doubt %q", p.Doubt)
			}
			if p := javascript.Read(c.beyond); !slices.Contains(p.Doubt, c.doubt) {
				t.Errorf("beyond the limit: doubt %q", p.Doubt)
			}
		})
	}
	if p := javascript.Read(calls(javascript.MaxCalls + 1)); len(p.Calls) != javascript.MaxCalls {
		t.Errorf("%d calls", len(p.Calls))
	}
}

// hostile programs, of a megabyte where that makes them worse.
func hostile() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, (javascript.MaxText-100)/len(s)) }
	return map[string]string{
		"statements":  fill("a;"),
		"calls":       fill("tools.a({});"),
		"sum":         "x=" + fill(`"a"+`) + `""`,
		"parens":      fill("("),
		"brackets":    fill("[["),
		"braces":      fill("{"),
		"templates":   fill("`${"),
		"functions":   fill("function f(){f();f()}f();"),
		"conditions":  "let x=1;" + fill("if(y)x=2;"),
		"doubling":    `let s="rm -rf /";for(;;)s+=s`,
		"lists":       `let a=[1];for(;;)a=[...a,...a]`,
		"objects":     `let o={};for(let i=0;i<200;i++){o={a:o,b:o}};tools.a(o)`,
		"cycle":       `let o={};o.a=o;o.b=o;tools.a(o);let l=[];l.push(l,l);tools.a({x:l.join()})`,
		"eithers":     "let s='';" + strings.Repeat("s+=load()?'a':'b';", 20000) + "tools.a({s})",
		"recursion":   `const f=()=>{f();f();f()};f()`,
		"callbacks":   `const f=(g)=>{load(()=>g(()=>f(g)))};f(f)`,
		"expressions": `let s="a".repeat(500000);for(;;)s=s.replace(/(a|b)*c/g,"x")`,
		"split":       `for(;;)"a".repeat(100000).split("").reverse().join("")`,
		"comments":    fill("/**/"),
		"strings":     fill(`"\u0041";`),
		"names":       fill(`\u0061;`),
		"slashes":     fill("/a/;"),
		"nested code": `const f=s=>eval("f('"+s+s+"')");f("xxxxxxxx")`,
		"loops":       strings.Repeat("for(;;){", 100) + "x=1" + strings.Repeat("}", 100),
		"unknowns":    strings.Repeat("while(load()){", 100) + "x+=1" + strings.Repeat("}", 100),
	}
}

func TestHostileProgramsEnd(t *testing.T) {
	for name, program := range hostile() {
		p := javascript.Read(program)
		if len(p.Calls) > javascript.MaxCalls || len(p.Uses) > javascript.MaxCalls {
			t.Errorf("%s: %d calls, %d uses", name, len(p.Calls), len(p.Uses))
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, program := range hostile() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				javascript.Read(program)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	const program = "const r = await tools.exec_command({cmd: \"git status && ls -la\", workdir: \"/srv/app\"});\ntext(r.output);"
	b.SetBytes(int64(len(program)))
	b.ReportAllocs()
	for b.Loop() {
		javascript.Read(program)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"tools.exec_command({cmd:'ls', a:[1,{b:`c${d}`}]}) // x\n/* y */", `const {a, ...b} = tools; for (const x of [1,2]) b[x]?.(...a)`,
		`class A extends B { static #x = 1; get y() { return this.#x } async *z(a = 1, {b}, ...c) { yield* a } }; new A().z()`,
		`try { eval("x" + 1) } catch ({e}) { switch (e) { case 1: break; default: throw e } } finally { do { x++ } while (--x) }`,
		`label: for (var i = 0, j = []; i < 3; i++) { if (i) continue label; j.push(i) } import a, {b as c} from "fs"; export default a`,
		`a ? b : c ?? d || e && f | g ^ h & i == j < k << l + m * n ** o; /[/]\//g.test(x) / 2; "\u{1f600}".slice(1)`,
		"String.raw`a${1}` + tag`b`; new Function('a', 'return a')(1); (async x => await x)(1); async function f() {}",
		`Object.assign({}, {a: 1}).a.b.c = [..."abc"].map((x, i) => x + i).reduce((a, b) => a + b, ""); delete a.b; void 0; typeof x`,
	} {
		f.Add(s)
	}
	for _, s := range hostile() {
		f.Add(s[:min(len(s), 300)])
	}
	f.Fuzz(func(t *testing.T, program string) {
		p := javascript.Read(program)
		if len(p.Calls) > javascript.MaxCalls || len(p.Uses) > javascript.MaxCalls {
			t.Fatalf("%d calls, %d uses", len(p.Calls), len(p.Uses))
		}
		for _, c := range p.Calls {
			if !c.Known && len(p.Doubt) == 0 {
				t.Fatalf("%+v without doubt", c)
			}
		}
	})
}

// A text that is evaluated again and again is parsed as often as steps allow.
func TestParsingCostsSteps(t *testing.T) {
	if p := javascript.Read(`for (;;) eval("f(((('x' y z")`); !slices.Contains(p.Doubt, javascript.Steps) {
		t.Errorf("doubt %q", p.Doubt)
	}
}
