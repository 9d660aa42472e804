package windows

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

func TestLimitsAreSaid(t *testing.T) {
	for _, c := range []struct{ name, within, beyond string }{
		{"text", "#" + strings.Repeat("a", MaxText-1), "#" + strings.Repeat("a", MaxText)},
		{"depth", strings.Repeat("(", 8) + "1" + strings.Repeat(")", 8), strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100)},
		{"effects", strings.Repeat("rm a\n", MaxEffects), strings.Repeat("rm a\n", MaxEffects+1)},
		{"commands", strings.Repeat("git a\n", MaxEffects), strings.Repeat("git a\n", MaxEffects+1)},
		{"steps", strings.Repeat("'a';", 100), strings.Repeat("'a';", 60_000)},
		{"made", "$a='a'\n" + strings.Repeat("$a=$a+$a\n", 8), "$a='a'\n" + strings.Repeat("$a=$a+$a\n", 40)},
		{"calls", "function f { " + strings.Repeat("x", 1000) + " }\n" + strings.Repeat("f\n", 100), "function f { " + strings.Repeat("x", 100_000) + " }\n" + strings.Repeat("f\n", 1000)},
		{"words of a loop", "$x = 1..200; ri \"$x\"", "$x = 1..200; ri \"" + strings.Repeat("$x", 200) + "\""},
		{"nested", `iex "iex 'a-b'"`, "$a='iex $a';iex $a"},
	} {
		if got := PowerShell(c.within, effect.Place{}).Unknown; slices.Contains(got, Limit) {
			t.Errorf("%s: within the limit: %q", c.name, got)
		}
		if got := PowerShell(c.beyond, effect.Place{}).Unknown; !slices.Contains(got, Limit) {
			t.Errorf("%s: beyond the limit: %q", c.name, got)
		}
	}
	if got := Cmd(strings.Repeat("a ", mostWords), effect.Place{}).Unknown; slices.Contains(got, Limit) {
		t.Errorf("words within the limit: %q", got)
	}
	if got := Cmd(strings.Repeat("a ", mostWords+1), effect.Place{}).Unknown; !slices.Contains(got, Limit) {
		t.Errorf("words beyond the limit: %q", got)
	}
	if got := Cmd("rem "+strings.Repeat("a", MaxText), effect.Place{}).Unknown; !slices.Contains(got, Limit) {
		t.Errorf("batch: %q", got)
	}
}

var seeds = []string{
	`iex ("{0}" -f $a[-1..-3]) | % { rm $_.x -r }`, "@'\nx\n'@ -replace 'a','b'", `$x = @{a=1}; & $x`, "[char[]](1,2) -join ''", "foreach ($a in $b) {", `powershell -enc AAAA`, "cmd /c for %i in (a b) do %~fi %PATH:~0,1%", "a`", `"$(`, "set a=b&%a%", "[a]::b(c,d).e()[0]",
}

func FuzzPowerShell(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { bounded(t, PowerShell(text, effect.Place{Cwd: "/a"})) })
}

func FuzzCmd(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { bounded(t, Cmd(text, effect.Place{Cwd: "/a"})) })
}

func bounded(t *testing.T, r Reading) {
	t.Helper()
	if len(r.Effects) > MaxEffects || len(r.Commands) > MaxEffects || len(r.Scripts) > MaxEffects {
		t.Errorf("%d effects, %d commands, %d scripts", len(r.Effects), len(r.Commands), len(r.Scripts))
	}
}

func BenchmarkHostile(b *testing.B) {
	for name, unit := range map[string]string{
		"words": "a ", "brackets": "({[", "strings": "'a'+", "vars": "$a.b.", "blocks": "% {", "assign": "$a=$a+'a'\n", "rm": "rm a\n", "iex": "iex 'a'\n", "batch": "%a% & ", "for": "for %i in (a) do ", "alias": "sal a rm\n", "setalias": "set-alias a rm\n", "index": "'abc'[-1..-3];", "lists": "1,2,",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		b.Run(name+"/powershell", func(b *testing.B) {
			for b.Loop() {
				PowerShell(text, effect.Place{})
			}
		})
		b.Run(name+"/cmd", func(b *testing.B) {
			for b.Loop() {
				Cmd(text, effect.Place{})
			}
		})
	}
}
