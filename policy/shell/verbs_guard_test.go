package shell

import (
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

func TestGuardIsStoppedByWhatKeepsIt(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"docker stop sluice", "destroy container sluice; stop sluice"},
		{"docker stop web", "destroy container web"},
		{"docker logs sluice", ""},
		{"docker build -t sluice .", ""},
		{"docker compose stop sluice", "stop sluice"},
		{"pm2 delete sluice", "kill pm2 sluice; stop sluice"},
		{"pm2 delete api", "kill pm2 api"},
		{"nssm stop sluice", "stop sluice"},
		{"brew services stop sluice", "stop sluice"},
		{"snap stop sluice", "stop sluice"},
		{"tmux kill-session -t sluice", "stop sluice"},
		{"tmux kill-session -t dev", ""},
		{"screen -S sluice -X quit", "unset-variable *; stop sluice"},
		{"busctl --user call a b c StopUnit ss sluice.service replace", "stop sluice"},
		{"cargo uninstall sluice", "stop sluice"},
		{"go clean -i github.com/sluice-project/sluice", "stop sluice"},
		{"go clean -cache", ""},
	})
}

func TestGuardIsLookedForAndKilled(t *testing.T) {
	for _, text := range []string{
		"kill $(ps -C sluice -o pid=)", "ps -C sluice -o pid= | xargs -r kill", "kill $(lsof -ti :8484)", "lsof -ti tcp:8484 | xargs kill", "fuser -k 8484/tcp", "npx kill-port 8484",
		"for p in /proc/[0-9]*; do grep -q sluice $p/comm && kill -9 ${p#/proc/}; done", "kill $(systemctl show -p MainPID --value sluice)", "pkill $(echo bHVpY2U= | base64 -d | sed 's/^/s/')",
	} {
		if !kills(text) {
			t.Errorf("%s: does not kill the guard", text)
		}
	}
	for _, text := range []string{
		"kill $(ps -C node -o pid=)", "kill $(lsof -ti :3000)", "fuser -k 3000/tcp", "npx kill-port 5173", "grep -rn sluice README.md && kill $PID", "kill 1234", "kill %1",
	} {
		if kills(text) {
			t.Errorf("%s: kills the guard", text)
		}
	}
}

func kills(text string) bool {
	for _, e := range Read(text, invocation.Setting{}).Effects {
		if e.Verb == "kill" && e.Object == invocation.GuardName {
			return true
		}
	}
	return false
}

func TestVariablesOfTheGuardAreTakenAway(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"tmux set-environment -gu ANTHROPIC_BASE_URL", "unset-variable ANTHROPIC_BASE_URL"},
		{"tmux setenv -g A b", "set-variable A from b"},
		{"fish -c 'set -e A_B'", "unset-variable A_B"},
		{"fish -c 'set -gx A_B c'", "set-variable A_B from c"},
		{`reg delete 'HKCU\Environment' /v ANTHROPIC_BASE_URL /f`, "unset-variable ANTHROPIC_BASE_URL; destroy registry HKCU/Environment"},
	})
	for _, text := range []string{"unset ${!ANTHROPIC*}", "unset $(compgen -v ANTHROPIC)", "for v in $(compgen -v | grep BASE_URL); do unset $v; done"} {
		found := false
		for _, e := range Read(text, invocation.Setting{}).Effects {
			found = found || e.Verb == "unset-variable" && e.Object == "ANTHROPIC_BASE_URL"
		}
		if !found {
			t.Errorf("%s: does not take ANTHROPIC_BASE_URL away", text)
		}
	}
}

func TestShellsOfOthers(t *testing.T) {
	checkVerbs(t, [][2]string{
		{"sudo -i", "grant shell as another user"},
		{"sudo su", "grant shell as another user sudo"},
		{"sudo sh", "grant a shell as another user sudo"},
		{"su root -c sh", "grant a shell as another user sudo"},
		{"pkexec bash", "grant a shell as another user sudo"},
		{"gsudo", "grant shell as another user"},
		{"echo pw | sudo -S id", "grant sudo with a password from the text"},
		{"sudo -S id", ""},
		{"SUDO_ASKPASS=/tmp/a sudo -A id", "grant sudo with a password from the text"},
		{"SUDO_ASKPASS=/usr/bin/ssh-askpass sudo -A id", ""},
		{"sudo id", ""},
		{"sudo -u postgres psql -l", ""},
		{"su - postgres -c 'psql -l'", ""},
		{"chmod --reference=/usr/bin/sudo x", "mode /home/u/p/x; grant setuid /home/u/p/x"},
		{"sudoedit /etc/sudoers", "write /etc/sudoers sudo"},
		{"ssh-import-id gh:x", "grant login for gh:x"},
	})
}
