package shell

import "testing"

func TestWhatAProgramPrintsIsKnown(t *testing.T) {
	for _, command := range []string{
		`rm -rf $(python3 -c "print('/etc')")`, `rm -rf $(python3 -c "print('/' + 'etc', end='')")`, `rm -rf $(python3 -c "import sys; sys.stdout.write('/etc')")`,
		`rm -rf "$(node -p "'/etc'")"`, `rm -rf $(node -e "console.log('/etc')")`, `rm -rf "$(perl -e 'print "/etc"')"`, `rm -rf $(ruby -e 'puts "/etc"')`,
		`rm -rf $(php -r 'echo "/etc";')`, `rm -rf $(lua -e 'print("/etc")')`, `rm -rf $(python3 <<< "print('/etc')")`, `rm -rf $(echo "print('/etc')" | python3)`,
		`rm -rf $(awk 'BEGIN{print "/etc"}')`, `rm -rf $(jq -nr '"/etc"')`, `$(python3 -c "print('rm -rf /etc')")`, `python3 -c "print('rm -rf /etc')" | sh`,
		`python3 -c "print('/etc')" | xargs rm -rf`,
	} {
		sayEach(t, []saying{{command, `delete /etc wide`}})
	}
	sayEach(t, []saying{
		{`rm -rf $(python3 -c "print('build')")`, `delete /home/u/p/build wide`},
		{`python3 -c "print('echo hi')" | sh`, ``},
		{`echo $(python3 -c "print('/')")`, ``},
	})
}

func TestProgramsEndProcessesThatTheyLookFor(t *testing.T) {
	sayEach(t, []saying{
		{`node -e "process.kill(+require('child_process').execSync('pgrep x'))"`, `kill x`},
		{`node -e "require('child_process').execSync('pgrep x')"`, ``},
	})
}
