package shell

import "testing"

func TestVerbsThatOpenRarerDoors(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"keepassxc-cli show -s vault.kdbx prod", "reveal password store"},
		{"keepassxc-cli ls vault.kdbx", ""},
		{"nmcli -s connection show home", "reveal credentials of networks"},
		{"nmcli connection show", ""},
		{"wg show all private-key", "reveal private keys of the tunnel"},
		{"wg show", ""},
		{"ps auxe", "reveal credentials in the variables of processes"},
		{"ps -ef", ""},
		{"gsettings set org.gnome.system.proxy mode manual", "disarm route to models"},
		{"gsettings set org.gnome.desktop.default-applications.terminal exec /tmp/x", "persist setting of the desktop; run /tmp/x ?"},
		{"gsettings set org.gnome.desktop.interface color-scheme prefer-dark", ""},
		{"fcrontab jobs", "persist crontab from /home/u/p/jobs"},
		{"go build -o /home/u/.local/bin/git ./x", "write /home/u/.local/bin/git"},
		{"go build -o bin/server ./x", ""},
		{"resolvectl dns eth0 203.0.113.9", "disarm route to models"},
		{"resolvectl dns", ""},
		{"lxc config device add c r disk source=/ path=/r", "grant host files /"},
		{"lxc config device add c r disk source=/home/u/p path=/r", ""},
		{"docker volume create --opt type=none --opt device=/ --opt o=bind v", "grant host files /"},
		{"chown u /etc/passwd", "mode /etc/passwd; grant owner of /etc/passwd"},
		{"chown root /etc/passwd", "mode /etc/passwd"},
		{"fail2ban-client stop", "disarm fail2ban-client"},
		{"fail2ban-client status", ""},
		{"code tunnel --name x", "reverse-shell code tunnel"},
		{"code tunnel status", ""},
		{"redis-cli CONFIG GET requirepass", "reveal password of redis"},
		{"redis-cli CONFIG GET maxmemory", ""},
		{"psql -c 'select rolname, rolpassword from pg_authid'", "reveal passwords of the server's users"},
		{"psql -c 'select rolname from pg_roles'", ""},
		{"NODE_TLS_REJECT_UNAUTHORIZED=0 claude -p hi", "start-agent claude; set-variable NODE_TLS_REJECT_UNAUTHORIZED; disarm settings of agent claude"},
		{"git config --get-regexp extraheader", "reveal git credentials"},
		{"git config --get user.email", ""},
	})
}
