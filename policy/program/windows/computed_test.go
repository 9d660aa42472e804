package windows

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// All of these delete one file, however they write that.
func TestWhatIsComputedIsKnown(t *testing.T) {
	for _, c := range []struct {
		read    func(string, effect.Place) Reading
		scripts []string
	}{
		{PowerShell, []string{
			`Remove-Item ('C:\ab' -replace 'b')`,
			`Remove-Item (-join ('C:\', 'a'))`,
			`$x = 'zC:\a'; Remove-Item ($x[1..4] -join '')`,
			`$x = 'a\:C'; Remove-Item ($x[-1..-4] -join '')`,
			`Remove-Item ([char]67 + ':\a')`,
			`Remove-Item (-join [char[]](67, 58, 92, 97))`,
			`Remove-Item ('C:\aX'.Substring(0, 4))`,
			`'C:\a' | % { ri $_ }`,
			`& 'Remove-Item' C:\a`,
			`. ('Remove' + '-Item') C:\a`,
			`& { Remove-Item C:\a }`,
			`Invoke-Command { Remove-Item C:\a }`,
			`iex 'Remove-Item C:\a'`,
			`'Remove-Item C:\a' | iex`,
			`[IO.File]::Delete('C:\a')`,
			`[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('UmVtb3ZlLUl0ZW0gQzpcYQ==')) | iex`,
			`[Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('cgBpACAAQwA6AFwAYQA=')) | iex`,
			`powershell -EncodedCommand cgBpACAAQwA6AFwAYQA=`,
			`powershell -c "ri C:\a"`,
			`cmd /c del C:\a`,
			`Set-Alias zap Remove-Item; zap C:\a`,
			`Invoke-WmiMethod -Class Win32_Process -Name Create -ArgumentList 'cmd /c del C:\a'`,
			`Invoke-CimMethod -ClassName Win32_Process -MethodName Create -Arguments @{CommandLine = 'cmd /c del C:\a'}`,
			`Start-Process cmd -ArgumentList '/c del C:\a'`,
			`ri C:\a -WhatIf:$false`,
			"r`m C:\\a",
			`(Get-Item C:\a).Delete()`,
			`'del C:\a' | cmd`,
			`[ScriptBlock]::Create('ri C:\a').Invoke()`,
			`$ExecutionContext.InvokeCommand.InvokeScript('ri C:\a')`,
		}},
		{Cmd, []string{
			`del C:\a`,
			`del/f/q C:\a`,
			`for /f %i in ("C:\a") do del %i`,
			`if exist C:\a del C:\a`,
			`if /i "%x%"=="a" del C:\a`,
			`if %x% equ 1 del C:\a`,
			`d^el C:\a`,
			`"del" C:\a`,
			`call del C:\a`,
			`start /b cmd /c del C:\a`,
			`cmd /cdel C:\a`,
			`cmd //c del C:\a`,
			`wmic process call create "cmd /c del C:\a"`,
			`powershell ri C:\a`,
			`powershell -enc cgBpACAAQwA6AFwAYQA=`,
			`%COMSPEC% /c del C:\a`,
		}},
	} {
		for _, script := range c.scripts {
			got := c.read(script, effect.Place{})
			if len(got.Effects) != 1 || got.Effects[0].String() != "delete C:/a" || len(got.Unknown) > 0 {
				t.Errorf("%s\n   does %v, not known: %q", script, got.Effects, got.Unknown)
			}
		}
	}
}
