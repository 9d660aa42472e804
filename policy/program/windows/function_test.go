package windows

import (
	"slices"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// A function or block is read with what it is given, however it says what that is.
func TestFunctionsAreReadWithWhatTheyAreGiven(t *testing.T) {
	for _, script := range []string{
		`function Zap($p) { Remove-Item $p }; Zap C:\a`,
		`function Zap([Parameter(Mandatory=$true)][string]$q, $p = 'C:\a') { Remove-Item $p }; Zap 1`,
		`function Zap { param([string]$p) Remove-Item $p }; Zap C:\a`,
		`function Zap { [CmdletBinding()] param($q, $p) Remove-Item $p }; Zap -p C:\a -q 1`,
		`function Zap { Remove-Item $args[0] }; Zap C:\a`,
		`function global:Zap($p) { Remove-Item $p }; Zap 'C:\a'`,
		`filter Zap { Remove-Item $_ }; 'C:\a' | Zap`,
		`$f = { param($p) Remove-Item $p }; & $f C:\a`,
		`$f = { param($p) Remove-Item $p }; $f.Invoke('C:\a')`,
		`& { param($p) Remove-Item $p } C:\a`,
		`function Remove-Item($p) { }; Remove-Item C:\a`,
		`$p = 'C:\a'; function Zap($p) { }; Zap 'C:\b'; Remove-Item $p`,
	} {
		if got := PowerShell(script, effect.Place{}).Effects; !slices.ContainsFunc(got, func(e effect.Effect) bool { return e.String() == "delete C:/a" }) {
			t.Errorf("%s\n   does %v", script, got)
		}
	}
}

// What a loop goes through is put into a word one after the other.
func TestWordsOfLoops(t *testing.T) {
	for _, c := range []struct {
		read   func(string, effect.Place) Reading
		script string
	}{
		{PowerShell, `1..2 | % { Remove-Item "C:\$_\x" }`},
		{PowerShell, `foreach ($i in 1, 2) { Remove-Item "C:\$i\x" }`},
		{Cmd, `for %i in (1 2) do del C:\%i\x`},
		{Cmd, `for %%i in (1,2) do del "C:\%%i\x"`},
	} {
		var got []string
		for _, e := range c.read(c.script, effect.Place{}).Effects {
			got = append(got, e.String())
		}
		if want := []string{"delete C:/1/x", "delete C:/2/x"}; !slices.Equal(got, want) {
			t.Errorf("%s\n   does %q", c.script, got)
		}
	}
}

// The words of a condition are no words of the command behind it.
func TestCommandsBehindConditions(t *testing.T) {
	for _, condition := range []string{`"%x%"=="a"`, `/i "%x%" == "a"`, `a== b`, `a ==b`, `not "a"=="%x%"`, `%x%==a`, `%x% equ 1`, `exist C:\b`, `defined x`, `errorlevel 1`} {
		for _, command := range []string{`del C:\a`, `(del C:\a)`} {
			got := Cmd("if "+condition+" "+command, effect.Place{}).Effects
			if !slices.ContainsFunc(got, func(e effect.Effect) bool { return e.String() == "delete C:/a" }) {
				t.Errorf("if %s %s\n   does %v", condition, command, got)
			}
		}
	}
}

func TestPartsOfTexts(t *testing.T) {
	for _, script := range []string{
		`Remove-Item ('xC:\a'.Substring(1))`,
		`Remove-Item ('C:\ax'.Substring(0, 4))`,
		`$x = 'zC:\a'; Remove-Item ($x[1..4] -join '')`,
		`Remove-Item C:\$()a`,
		`& ("{1}{0$()}" -f 'Item','Remove-') C:\a`,
		`Remove-Item ('C:\a' -replace)`,
		`Remove-Item (('C:\', 'b') -replace 'b', 'a' -join '')`,
		`$x = 'a\:C'; Remove-Item ($x[3..0] -join '')`,
		`$ExecutionContext.InvokeCommand.InvokeScript('Remove-Item C:\a')`,
	} {
		if got := PowerShell(script, effect.Place{}).Effects; len(got) != 1 || got[0].String() != "delete C:/a" {
			t.Errorf("%s\n   does %v", script, got)
		}
	}
}
