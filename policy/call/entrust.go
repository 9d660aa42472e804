package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
)

// Words in tool names that indicate that they show secrets.
var (
	// keepers are servers and programs that store secrets.
	keepers = set("vault hashicorp 1password onepassword op bitwarden vaultwarden keychain keyring lastpass dashlane keepass keepassxc doppler infisical keyvault secretsmanager secretmanager passbolt gopass")
	// takingOut are verbs of tools that return what is stored.
	takingOut = set("get read fetch show reveal retrieve access export view dump copy lookup")
	// kept are what such tools return, whoever keeps it.
	kept = set("secret secrets password passwords passwd credential credentials passphrase")
	// about are words of tools that return something about secrets, or what
	// everybody may know.
	about = set("list search scan scanning alert alerts metadata names policy policies config status count version versions public anon publishable rotation schema template templates hint strength requirements help docs audit log logs events health leak leaks detection location locations reset page form field generator generate guide article tutorial example examples obsidian")
)

// namesSecret reports whether the words of a tool's name indicate a secret,
// whoever stores it.
func namesSecret(words []string) bool {
	return anyOf(words, kept) || after(words, "service", "role", "key") || after(words, "private", "key") || after(words, "access", "token") || after(words, "refresh", "token")
}

// entries are what secret stores call their entries.
var entries = set("item items entry login kv otp totp")

// after reports whether words follow each other.
func after(words []string, these ...string) bool {
	for i := range words {
		if len(words)-i >= len(these) && slices.Equal(words[i:i+len(these)], these) {
			return true
		}
	}
	return false
}

// Words in tool names that indicate that they give somebody access.
var (
	lettingIn  = set("add create invite set update put attach grant insert make share edit change assign enable bind patch modify")
	entrusted  = set("collaborator collaborators deploy key visibility permission permissions share config setting settings policy role binding member repo repos repository repositories")
	everyRight = []string{"AdministratorAccess", "roles/owner", "PowerUserAccess", "IAMFullAccess", "cluster-admin"}
	// limits are the settings that restrict tools.
	limits = set("blockedcommands allowedcommands alloweddirectories alloweddirs allowedpaths blockedpaths deniedcommands denylist allowlist readonly sandbox autoapprove requireapproval confirmcommands deniedtools alwaysallow permissionmode")
)

// entrusts records to what an unknown tool gives others access, which protections
// it switches off, and which secrets it shows.
func (c *Call) entrusts(words, server []string, text string) {
	lets := anyOf(words, lettingIn) && anyOf(words, entrusted)
	kills := (slices.Contains(words, "kill") || slices.Contains(words, "stop") || slices.Contains(words, "terminate")) && (slices.Contains(words, "process") || slices.Contains(words, "processes"))
	unprotects := slices.Contains(words, "unprotect") || slices.Contains(words, "disable") && slices.Contains(words, "protection")
	c.letsIn(words, server, text)
	takes := anyOf(words, takingOut) && !anyOf(words, about) && !anyOf(server, about) && (namesSecret(words) || anyOf(server, keepers) || anyOf(words, keepers))
	if !lets && !kills && !unprotects && !takes {
		return
	}
	args := argumentsOf(text)
	if args.set("dryrun") {
		return
	}
	made := effect.Effect{How: c.Name, Command: -1}
	switch {
	case takes && (namesSecret(words) || anyOf(words, entries) || kept[args.first("object", "type", "field")]):
		made.Verb, made.Object, made.Shown = effect.Reveal, "secrets of "+c.recipient(), true
	case kills:
		if name := args.first("name", "processname", "process", "pattern"); name != "" {
			c.as("pkill", "--", name)
		}
		return
	case unprotects && anyOf(words, refs):
		made.Verb, made.Object = effect.Disarm, "protection of branch "+args.first("branch", "branchname", "name", "ref")
	case !lets:
		return
	case slices.Contains(words, "collaborator") || slices.Contains(words, "collaborators") || after(words, "deploy", "key"):
		if args["readonly"] == true {
			return
		}
		made.Verb, made.Object = effect.Grant, strings.Join(words, " ")+" "+args.first("username", "user", "title", "login")
	case (anyOf(words, repositories) || slices.Contains(words, "visibility")) && !slices.Contains(words, "create") && (args.first("visibility") == "public" || args["private"] == false):
		made.Verb, made.Object = effect.Grant, "everybody access to repository "+args.first("repo", "repository", "name")
	case (slices.Contains(words, "permission") || slices.Contains(words, "permissions") || slices.Contains(words, "share")) && (args.first("type", "scope", "grantee") == "anyone" || args.first("type", "scope", "grantee") == "everyone"):
		made.Verb, made.Object = effect.Grant, "everybody access to "+args.first("fileid", "file", "id", "name", "path")
	case (slices.Contains(words, "config") || slices.Contains(words, "setting") || slices.Contains(words, "settings")) && limits[foldedKey(args.first("key", "name", "setting", "configkey"))]:
		made.Verb, made.Object = effect.Disarm, "settings of agent tools: "+args.first("key", "name", "setting", "configkey")
	case (slices.Contains(words, "policy") || slices.Contains(words, "role") || slices.Contains(words, "binding") || slices.Contains(words, "member")) && givesEveryRight(text):
		made.Verb, made.Object = effect.Grant, "every right in the cloud"
	default:
		return
	}
	c.affect(&made)
}

// givesEveryRight reports whether one of the texts in the arguments names a role
// with all rights.
func givesEveryRight(text string) bool {
	found := false
	eachText(text, func([]byte, jsonscan.Kind) bool { return true }, func(text []byte) {
		found = found || slices.ContainsFunc(everyRight, func(s string) bool { return strings.Contains(string(text), s) })
	})
	return found
}

// letsIn records that a tool writes a file that controls who may log in to a
// machine.
func (c *Call) letsIn(words, server []string, text string) {
	if !anyOf(words, copiers) && !anyOf(server, copiers) {
		return
	}
	if to := argumentsOf(text).first("remote", "remotepath", "remotefile", "destination", "dest", "target", "to"); strings.Contains(to, ".ssh/") {
		c.affect(&effect.Effect{Verb: effect.Write, Object: to, Remote: true, How: c.Name, Command: -1})
	}
}

// copiers are tools and servers that copy files to other machines.
var copiers = set("ssh sftp scp rsync ftp")

// operandsOf are the further members that programs of one kind take.
func (a arguments) operandsOf(program string) []string {
	var keys []string
	switch program {
	case "git":
		keys = []string{"revision", "rev", "object", "commit", "committish"}
	case "systemctl":
		keys = []string{"unit", "service", "servicename", "unitname"}
	case "npm", "pip", "uv", "yarn", "pnpm", "cargo", "brew", "apt-get":
		keys = []string{"package", "packages", "packagename", "packagenames", "spec", "specs", "url", "formula"}
	case "kubectl":
		if secret := strings.ToLower(a.first("resourcetype", "kind", "resource")); strings.HasPrefix(secret, "secret") { // whose tools return it whole
			if output := a.first("output", "outputformat", "format"); output == "" || output == "yaml" || output == "json" {
				return []string{"-o", "yaml"}
			}
		}
		return nil
	default:
		return nil
	}
	var list []string
	for _, key := range keys {
		for _, v := range textsOf(a[key]) {
			if v != "" && v[0] != '-' {
				list = append(list, v)
			}
		}
	}
	return list
}

// manifests reads what a tool gives to a cluster, as kubectl apply would.
func (c *Call) manifests(args arguments) {
	for _, key := range [...]string{"manifest", "resource", "yaml", "yamlcontent", "manifests", "content"} {
		for _, text := range textsOf(args[key]) {
			if strings.Contains(text, "kind:") || strings.Contains(text, `"kind"`) {
				c.as("sh", "-c", "kubectl apply -f - <<'end of manifest'\n"+strings.ReplaceAll(text, "end of manifest", "")+"\nend of manifest\n")
			}
		}
	}
}

// sentKeys is what a command makes an editor type into its terminal, empty if it
// is another command.
func sentKeys(command string, arguments []string) string {
	if !strings.HasPrefix(command, "workbench.") || !strings.Contains(command, "terminal") {
		return ""
	}
	var typed strings.Builder
	for _, raw := range arguments {
		if looksLikeObject(raw) {
			eachText(raw, func([]byte, jsonscan.Kind) bool { return true }, func(text []byte) { typed.Write(append(text, '\n')) })
		} else {
			typed.WriteString(raw + "\n")
		}
	}
	return typed.String()
}
