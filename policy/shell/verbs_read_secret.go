package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// secretVerbs are programs that print secrets when they are asked in a certain
// way. Many do other things too, of which other tables tell.
var secretVerbs = map[string]verb{
	"set": shellVariables, "export": shellVariables, "declare": shellVariables, "typeset": shellVariables,
	"aws": awsSecret, "gcloud": gcloudSecret, "az": azSecret, "kubectl": kubeSecret, "oc": kubeSecret, "k": kubeSecret,
	"vault": vaultSecret, "bao": vaultSecret, "security": keychain, "pass": passwordStore, "gopass": passwordStore, "op": onePassword,
	"bw": bitwarden, "rbw": bitwarden, "lpass": passwordStore, "heroku": herokuSecret, "netlify": platformSecret, "railway": platformSecret, "pulumi": platformSecret, "terraform": platformSecret, "tofu": platformSecret, "rails": railsSecret, "rake": railsSecret,
	"doppler": dopplerSecret, "infisical": dopplerSecret, "chamber": dopplerSecret,
	"doctl": doctlSecret, "vercel": vercelSecret, "fly": flySecret, "flyctl": flySecret, "databricks": databricksSecret,
}

// and is a verb that does what else is known, unless it has said already that
// secrets are printed.
func (does verb) and(more verb) verb {
	if does == nil {
		return more
	}
	return func(a *act) {
		before := len(a.r.reading.Effects)
		does(a)
		for i := range a.r.reading.Effects[before:] {
			if a.r.reading.Effects[before+i].Verb == effect.Reveal {
				return
			}
		}
		more(a)
	}
}

// reveals notes that secrets are printed.
func (a *act) reveals(whose string) { a.does(effect.Reveal, whose) }

// revealsVariable notes that a variable is printed whose name says that it holds
// a secret.
func (a *act) revealsVariable(name string) {
	if isSecretName(name) || strings.HasSuffix(strings.ToUpper(name), "KEY") {
		a.reveals("$" + name)
	}
}

// sub reports whether the operands of a command begin with these words. A word
// may name several, as "get|list".
func (a *act) sub(words ...string) bool {
	if a.facts().described {
		return command.Builtin().Program(a.Name).Calls(a.Args, words...)
	}
	values := valueFlags[a.Name]
	for i := 0; i < len(a.Args) && len(words) > 0; i++ {
		body, dashes := cutDashes(a.Args[i])
		switch {
		case dashes > 0 && takesNext(body, dashes, values):
			i++
		case dashes > 0:
		case !slices.Contains(strings.Split(words[0], "|"), body):
			return false
		default:
			words = words[1:]
		}
	}
	return len(words) == 0
}

// namesVariables is printenv NAME.
func namesVariables(a *act, in *command.Reading) {
	for _, name := range a.few(in.Values("name")) {
		if a.revealsVariable(name); isConnectionName(name) {
			a.looks(false, a.r.sourced...)
			a.r.heard = merge(a.r.heard, a.r.sourced)
		}
	}
}

// shellVariables are set, export and declare where they only print.
func shellVariables(a *act) {
	switch {
	case a.Name == "set" && slices.Contains(a.Args, "+o") && slices.Contains(a.Args, "history"):
		a.disarm("history")
		return
	case len(a.Args) == 0:
	case a.Name != "set" && len(a.Args) == 1 && (a.Args[0] == "-p" || a.Args[0] == "-x" || a.Args[0] == "-xp" || a.Args[0] == "-px"):
	default:
		if a.Name != "set" && a.Has("p") {
			for _, name := range a.Operands() {
				a.revealsVariable(name)
			}
		}
		return
	}
	a.reveals("environment")
}

func awsSecret(a *act) {
	switch {
	case a.sub("configure", "export-credentials"), a.sub("sts", "get-session-token|assume-role|assume-role-with-web-identity|get-federation-token"):
		a.reveals("aws credentials")
	case a.sub("configure", "get"):
		if i := slices.Index(a.Args, "get"); slices.ContainsFunc(a.Args[i+1:], func(s string) bool {
			return strings.Contains(s, "secret") || strings.Contains(s, "token") || strings.Contains(s, "key")
		}) {
			a.reveals("aws credentials")
		}
	case a.sub("secretsmanager", "get-secret-value|batch-get-secret-value"), a.sub("ecr|ecr-public", "get-login-password|get-authorization-token"),
		a.sub("codeartifact", "get-authorization-token"), a.sub("iam", "create-access-key"), a.sub("rds", "generate-db-auth-token"), a.sub("eks", "get-token"):
		a.reveals("aws secrets")
	case a.sub("ssm", "get-parameter|get-parameters|get-parameters-by-path|get-parameter-history") && a.Has("--with-decryption"):
		a.reveals("aws secrets")
	}
}

func gcloudSecret(a *act) {
	operands := a.Operands(valueFlags["gcloud"]...)
	operands = slices.DeleteFunc(operands, func(s string) bool { return s == "beta" || s == "alpha" })
	text := strings.Join(operands[:min(4, len(operands))], " ")
	switch {
	case strings.HasPrefix(text, "auth print-"), strings.HasPrefix(text, "auth application-default print-"), strings.HasPrefix(text, "config config-helper"):
		a.reveals("gcloud token")
	case strings.HasPrefix(text, "secrets versions access"), strings.HasPrefix(text, "iam service-accounts keys create"):
		a.reveals("gcloud secrets")
	}
}

func azSecret(a *act) {
	switch {
	case a.sub("account", "get-access-token"):
		a.reveals("az token")
	case a.sub("keyvault", "secret", "show|download"), a.sub("storage", "account", "keys"), a.sub("acr", "credential", "show"), a.sub("ad", "sp", "create-for-rbac"),
		a.sub("cosmosdb", "keys", "list"), a.sub("storage", "account", "show-connection-string"), a.sub("webapp", "deployment", "list-publishing-credentials"):
		a.reveals("az secrets")
	}
}

// kubeSecret prints secrets only in forms that show what is in them.
func kubeSecret(a *act) {
	switch {
	case a.sub("get"):
		operands := a.Operands(append(command.Builtin().Program("kubectl").ValueFlags(), "o", "output", "l", "selector", "template", "field-selector")...)
		out := a.Flag("o") + a.Flag("output") + a.Flag("template")
		if out == "" || out == "wide" || out == "name" || len(operands) < 2 || asksNoData(out) {
			return
		}
		for kind := range strings.SplitSeq(operands[1], ",") {
			kind, _, _ = strings.Cut(kind, "/")
			if kind, _, _ = strings.Cut(kind, "."); strings.EqualFold(kind, "secret") || strings.EqualFold(kind, "secrets") {
				if a.Has("A") || a.Has("--all-namespaces") {
					a.reveals("kubernetes secrets of all-namespaces")
				} else {
					a.reveals("kubernetes secrets")
				}
				return
			}
		}
	case a.sub("config", "view") && a.Has("--raw"):
		a.reveals("kubernetes credentials")
	case a.sub("create", "token"), a.sub("whoami") && a.Has("t"):
		a.reveals("kubernetes token")
	case a.sub("extract"):
		a.reveals("kubernetes secrets")
	}
}

// asksNoData reports whether a form of output leaves out what is in a secret, or
// is for a certificate.
func asksNoData(form string) bool {
	if form == "yaml" || form == "json" || !strings.ContainsAny(form, "{=") {
		return false
	}
	return !strings.Contains(form, ".data") && !strings.Contains(form, "stringData") && !strings.Contains(form, "'data'") && !strings.Contains(form, `"data"`) && !strings.Contains(form, "..") && !strings.Contains(form, "{@}") && !strings.Contains(form, "{}") && !strings.Contains(form, "{.}") && !strings.Contains(form, "{{.}}") || strings.HasSuffix(strings.TrimRight(form, "}'\" "), `.crt`)
}

func vaultSecret(a *act) {
	if a.sub("read") || a.sub("kv", "get") || a.sub("print", "token") || a.sub("unwrap") || a.sub("token", "create") || a.sub("operator", "init|generate-root") {
		a.reveals("vault secrets")
	}
}

// keychain is security of macOS.
func keychain(a *act) {
	switch {
	case strings.HasPrefix(a.Sub, "find-") && strings.HasSuffix(a.Sub, "-password"):
		if a.Has("w") || a.Has("g") {
			a.reveals("keychain")
		}
	case a.Sub == "dump-keychain", a.Sub == "export":
		a.reveals("keychain")
	case a.Sub == "delete-keychain":
		a.deletes(true, "~/Library/Keychains")
	case a.Sub == "add-trusted-cert", a.Sub == "authorizationdb" && a.sub("authorizationdb", "write"):
		a.does(effect.Grant, a.Sub)
	case a.Sub == "remove-trusted-cert":
		a.does(effect.Disarm, a.Sub)
	}
}

// passwordStore is pass and its kin, which show what they are given a name of.
func passwordStore(a *act) {
	switch a.Sub {
	case "", "ls", "list", "find", "search", "init", "git", "generate", "gen", "insert", "edit", "rm", "mv", "cp", "help", "version", "status", "login", "sync", "logout":
	default:
		switch {
		case a.Has("c") || a.Has("--clip"):
			a.r.clipped = true
		case !a.sub("otp", "append|insert|validate"):
			a.reveals("password store")
		}
	}
}

func onePassword(a *act) {
	if a.sub("read|inject") || a.sub("item|document", "get") || a.sub("get") {
		a.reveals("1password")
	}
}

func bitwarden(a *act) {
	if a.sub("get|export") || a.sub("list", "items") {
		a.reveals("bitwarden")
	}
}
