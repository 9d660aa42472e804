package flow

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// privateOf finds what a call reads that is private.
func (d *digest) privateOf(c *call.Call, words []string) (why, object string) {
	cwd := d.at.Cwd
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Verb == effect.Reveal:
			return "secrets that were printed", e.Object
		case e.Verb == effect.Read && isPrivate(e.Object, cwd):
			return "a private file", e.Object
		case e.Verb == effect.Read && e.Wide && isHome(e.Object):
			return "everything in a home directory", e.Object
		case e.Verb == effect.Send && isPrivate(e.From, cwd):
			return "a private file", e.From
		}
	}
	for _, p := range c.Reads {
		if isPrivate(p, cwd) {
			return "a private file", p
		}
	}
	if c.Kind == call.KindMCP || c.Kind == call.KindOther && !isFamiliar(c.Name) {
		for _, w := range words {
			if privateWords[w] {
				return "what a " + w + " tool returned", c.Server
			}
		}
		for _, name := range []string{"repo", "project", "space", "folder", "path"} {
			if of, ok := c.Args()[name].(string); ok && (strings.Contains(of, "secret") || strings.Contains(of, "private")) {
				return "what is called private", of
			}
		}
		if of := d.privateRepo(c, words); of != "" {
			return "what is called private", of
		}
	}
	for i := range c.Commands {
		if host := databaseHost(&c.Commands[i]); host != "" {
			return "a database on another machine", host
		}
		if asksDatabase(&c.Commands[i]) {
			return "a database", c.Commands[i].Name
		}
	}
	return "", ""
}

// asksDatabase reports whether a command prints what is in a database.
func asksDatabase(c *invocation.Command) bool {
	return c.Is("psql", "mysql", "mariadb", "mongosh") && strings.Contains(strings.ToLower(c.Text), "select")
}

// privateWords are in the names of tools and servers that return what only some
// may read.
var privateWords = set("mail email emails gmail inbox outlook imap calendar contacts drive gdrive dropbox onedrive sharepoint notion slack teams discord telegram whatsapp " +
	"crm salesforce hubspot zendesk intercom stripe customer customers confluence jira linear postgres postgresql mysql mariadb mongo mongodb redis supabase " +
	"snowflake bigquery redshift clickhouse databricks oracle mssql neon planetscale vault keychain passwords bitwarden 1password secrets")

// databaseHost is the machine of a database that a command asks, empty if it is
// this one or the command is of another sort.
func databaseHost(c *invocation.Command) string {
	flags := []string{"h", "host"}
	switch c.Name {
	case "psql", "pg_dump", "pg_dumpall", "mysql", "mysqldump", "mariadb", "mongosh", "mongo", "mongodump", "mongoexport", "clickhouse-client":
	case "redis-cli":
		flags = append(flags, "u")
	case "sqlcmd":
		flags = []string{"S"}
	case "bq", "snowsql":
		return c.Name
	default:
		return ""
	}
	for _, name := range flags {
		if host := c.Flag(name); host != "" && !isLocal(host) && !strings.HasPrefix(host, "/") {
			return host
		}
	}
	for _, arg := range c.Args {
		if scheme, _, ok := strings.Cut(arg, "://"); ok && !isLocal(arg) {
			return scheme // not the rest, which may hold a password
		}
		if host, ok := strings.CutPrefix(arg, "host="); ok && !isLocal(host) {
			return host
		}
	}
	return ""
}

// isHome reports whether a path is a home directory, or has all of them in it.
func isHome(p string) bool {
	switch p {
	case "/", "~", "/root", "/home", "/Users":
		return true
	}
	dir := path.Dir(p)
	return dir == "/home" || dir == "/Users"
}

// privateNames are files that hold secrets, by name.
var privateNames = set(".netrc _netrc .npmrc .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd .vault-token .dockercfg .s3cfg .boto .envrc " +
	"id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk identity shadow gshadow master.key credentials.json service-account.json service_account.json application_default_credentials.json " +
	"client_secret.json secrets.yml secrets.yaml secrets.json secrets.toml secret.yml secret.yaml wallet.dat terraform.tfstate terraform.tfstate.backup " +
	".bash_history .zsh_history .zhistory .history .sh_history fish_history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history .node_repl_history consolehost_history.txt " +
	"cookies cookies.sqlite logins.json key3.db key4.db cookies.binarycookies login.keychain login.keychain-db keychain.db rclone.conf .erlang.cookie credentials.db access_tokens.db accesstokens.json msal_token_cache.json")

// privateEnds are how such files end.
var privateEnds = []string{
	".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".tfvars", ".keytab", ".ovpn", ".mobileprovision", ".agekey",
	".dump", ".sql.gz", ".pgdump", ".dmp", ".bak.sql", ".rdb", ".wallet",
}

// privateParts are directories and files that hold them, by a part of the path.
var privateParts = []string{
	"/.ssh/", "/.aws/", "/.azure/", "/.gnupg/", "/.kube/", "/.config/gcloud/", "/.config/gh/hosts", "/.config/glab-cli/", "/.docker/config.json", "/.password-store/",
	"/.config/op/", "/.oci/", "/.terraform.d/credentials", "/.config/doctl/", "/.fly/", "/.heroku/", "/.netlify/", "/.cargo/credentials", "/.gem/credentials", "/.m2/settings",
	"/.config/hub", "/.composer/auth", "/.subversion/auth/", "/keychains/", "/.mozilla/firefox/", "/firefox/profiles/", "/google/chrome/", "/.config/google-chrome", "/chromium/", "/bravesoftware/",
	"/microsoft/edge/", "/.local/share/keyrings/", "/run/secrets/", "/var/run/secrets/", "/.electrum/", "/.bitcoin/", "/.ethereum/", "/.solana/", "/library/cookies", "/library/messages/", "/library/mail/",
	"/.thunderbird/", "/.claude/.credentials", "/.codex/auth.json", "/environ",
}

// isPrivate reports whether a file is one that holds secrets or what is
// confidential, by its path alone. Where the session works says nothing about it.
func isPrivate(p, cwd string) bool {
	if p == "" || len(p) > effect.MaxPlace {
		return false
	}
	if within(p, cwd) && cwd != "/" && isConfidential(p[len(cwd):]) || !within(p, cwd) && isConfidential(p) {
		return true
	}
	p = strings.ToLower(p)
	name := path.Base(p)
	if rest, ok := strings.CutPrefix(name, ".env"); ok && (rest == "" || rest[0] == '.' || rest[0] == '*' || rest[0] == '-' || rest[0] == '_') {
		return !isSample(rest)
	}
	if privateNames[name] {
		return true
	}
	if strings.HasSuffix(name, ".pub") || isSample(name) {
		return false
	}
	for _, end := range privateEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	if strings.HasPrefix(name, "production.") || strings.HasPrefix(name, "prod.") || strings.HasPrefix(name, "users.csv") || strings.HasPrefix(name, "customer") && strings.HasSuffix(name, ".csv") {
		return true
	}
	if strings.HasSuffix(name, ".env") || strings.Contains(name, "dump") && strings.HasSuffix(name, ".sql") {
		return true
	}
	if name == "known_hosts" || name == "config" && strings.Contains(p, ".ssh/") {
		return false
	}
	in := "/" + p
	for _, part := range privateParts {
		if strings.Contains(in, part) {
			return part != "/environ" || strings.HasPrefix(p, "/proc/")
		}
	}
	return false
}

// isSample reports whether a name says that a file is only an example.
func isSample(name string) bool {
	for _, word := range []string{"example", "sample", "template", ".dist", "default", ".tpl"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}
