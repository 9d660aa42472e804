package effect_test

import (
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
)

// secretNames are patterns as sets of secrets have them: names, beginnings,
// endings, and texts in between.
var secretNames = []string{
	"**/.env", "**/.env.*.local", "**/id_rsa", "**/credentials.json", "**/*.pem", "**/*.key", "**/*.keystore", "**/*.p12",
	"**/service-account*.json", "**/*firebase-adminsdk*.json", "**/secrets/*.txt", "**/secrets/prod*", "**/wallet.dat", "**/.git/hooks/*",
}

// Every name of everyday files with every kind of wildcard at its end means none
// of the secrets, though it could match some.
func TestWildcardsThatSpellNoSecretMeanNone(t *testing.T) {
	t.Parallel()
	set := effect.NewPaths(secretNames)
	at := effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	for _, name := range []string{"README", "go", "package", "Dockerfile", "LICENSE", "app-1.0", "main", "report_2026", "fail2ban.log", "www-backup.tar", "data"} {
		for _, rest := range []string{"*", ".*", "-*", "?", "[0-9]", "*.json", "*.md", ".[ch]", "_*.txt", "[.gz", ".[csv", "*.tar.*", "**"} {
			for _, dir := range []string{"", "src/", "/home/u/p/", "/var/log/", "../"} {
				if set.Has(dir+name+rest, at) {
					t.Errorf("%s means a secret", dir+name+rest)
				}
			}
		}
	}
}

// Every beginning of a secret's name and every name with a secret's ending, with
// every kind of wildcard, means it.
func TestWildcardsThatSpellASecretMeanIt(t *testing.T) {
	t.Parallel()
	set := effect.NewPaths(secretNames)
	at := effect.Place{Cwd: "/home/u/p", Home: "/home/u"}
	check := func(path string) {
		t.Helper()
		if !set.Has(path, at) {
			t.Errorf("%s means no secret", path)
		}
	}
	for _, name := range []string{".env", "id_rsa", "credentials.json", "service-account", "wallet.dat"} {
		for n := 1 + len(name)/4; n < len(name); n++ {
			for _, dir := range []string{"", "conf/", "/home/u/p/"} {
				check(dir + name[:n] + "*")
				if name != "service-account" {
					check(dir + name[:n] + "*" + name[n+1:])
					check(dir + name[:n] + "?" + name[n+1:])
					check(dir + name[:n] + "[" + name[n:n+1] + "x]" + name[n+1:])
				}
			}
		}
	}
	for _, ending := range []string{".pem", ".key", ".keystore", ".p12"} {
		for _, head := range []string{"*", "server*", "s?rver", "srv[0-9]", "*-private", "??"} {
			check(head + ending)
		}
	}
	for _, path := range []string{"server.ke*", "tls/server.pe?", "my-firebase*.json", "x-firebase-adminsdk-*", "secrets/p*", "secrets/a*.txt", ".git/hooks/pre-*", ".env.*", ".env*"} {
		check(path)
	}
}
