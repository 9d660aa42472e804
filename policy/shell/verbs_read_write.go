package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

func sortVerb(a *act) {
	g := a.given(&usage{values: "kotTS", long: []string{"key", "output", "field-separator", "temporary-directory", "buffer-size", "compress-program", "files0-from", "batch-size", "parallel", "random-source"}})
	if program := g.value("compress-program"); program != "" {
		a.script(program)
	}
	a.looks(false, g.all("files0-from")...)
	a.looks(false, g.operands...)
	for _, p := range g.all("o", "output") {
		if a.nothingFrom(g.operands) {
			a.emptied(p)
		}
		a.put(p, "")
	}
}

func shuf(a *act) {
	g := a.given(&usage{values: "ion", long: []string{"input-range", "head-count", "output", "random-source"}})
	if !g.has("e", "echo", "i", "input-range") {
		a.looks(false, g.operands...)
	}
	if a.nothingFrom(g.operands) {
		a.emptied(g.all("o", "output")...)
	}
	a.writes(g.all("o", "output")...)
}

func iconv(a *act) {
	g := a.given(&usage{values: "fto", long: []string{"from-code", "to-code", "output"}})
	a.looks(false, g.operands...)
	a.writes(g.all("o", "output")...)
}

func pandoc(a *act) {
	g := a.given(&usage{values: "frtwoFLMVHBAcd", long: []string{"from", "to", "output", "filter", "lua-filter", "template", "metadata", "pdf-engine", "data-dir", "resource-path", "css", "reference-doc"}})
	for _, program := range g.all("F", "filter", "L", "lua-filter") {
		if strings.Contains(program, "/") || strings.Contains(program, ".") {
			a.runs(program)
		}
	}
	a.looks(false, g.operands...)
	a.writes(g.all("o", "output")...)
}

func plutil(a *act) {
	g := a.given(&usage{})
	switch a.firstArg() {
	case "-insert", "-replace", "-remove", "-convert":
		a.writes(append(a.after("-o"), g.last())...)
	default:
		a.looks(false, g.operands...)
	}
}

func (a *act) firstArg() string {
	if len(a.Args) == 0 {
		return ""
	}
	return a.Args[0]
}

// openssl reads and writes keys and what they protect.
func openssl(a *act) {
	if a.Sub == "s_client" || a.Sub == "s_server" {
		secureClient(a)
		return
	}
	a.looks(false, a.after("-in", "-inkey", "-key", "-keyin", "-kfile", "-CAkey", "-signkey", "-sign", "-config", "-extfile", "-CA", "-certfile", "-rand")...)
	for _, source := range a.after("-pass", "-passin", "-passout") {
		if file, ok := strings.CutPrefix(source, "file:"); ok {
			a.looks(false, file)
		}
	}
	for _, p := range a.after("-out", "-keyout", "-writerand") {
		from := a.cameFrom()
		if in := a.after("-in"); from == "" && len(in) > 0 && a.Sub == "enc" {
			from = a.path(in[0])
		}
		a.put(p, from)
	}
	for _, library := range a.after("-engine", "-provider") {
		if strings.Contains(library, "/") {
			a.runs(library)
		}
	}
	if operands := a.Operands("in", "out", "sign", "verify", "signature", "hmac", "mac", "macopt"); len(operands) > 1 {
		switch operands[0] {
		case "dgst", "sha256", "sha512", "sha1", "md5":
			a.looks(false, operands[1:]...)
		}
	}
}

// gpg encrypts, decrypts and keeps keys.
func gpg(a *act) {
	g := a.given(&usage{values: "oruRN", long: []string{
		"output", "recipient", "local-user", "homedir", "keyserver", "passphrase", "passphrase-file", "passphrase-fd", "pinentry-mode", "trust-model", "default-key",
		"options", "cipher-algo", "status-fd", "keyring", "hidden-recipient", "compress-algo", "batch-file", "export-options", "keyid-format", "logger-fd", "command-fd",
	}, flags: []string{"export"}})
	a.looks(false, g.all("passphrase-file")...)
	from := ""
	if p := lastOf(g.operands); !isNoFile(p) {
		from = a.path(p)
	}
	for _, p := range g.all("o", "output") {
		a.put(p, from)
	}
	server := g.value("keyserver")
	if server == "" {
		server = "keyserver"
	}
	switch {
	case g.has("export-secret-keys", "export-secret-subkeys", "export-secret-key", "export-ownertrust-secret"):
		a.reveals("gpg secret keys")
	case g.has("delete-secret-keys", "delete-secret-and-public-keys", "delete-secret-key", "delete-keys", "delete-secret-and-public-key"):
		a.deletes(true, "~/.gnupg")
	case g.has("send-keys"): // the public ones
		a.does(effect.Send, server)
	case g.has("recv-keys", "receive-keys", "search-keys", "refresh-keys", "locate-keys", "fetch-keys", "auto-key-locate"):
		a.does(effect.Fetch, server)
	case g.has("k", "K", "list-keys", "list-secret-keys", "fingerprint", "export", "full-generate-key", "generate-key", "quick-generate-key", "gen-key", "version"):
	default:
		a.looks(false, g.operands...)
		if g.has("verify") {
			a.signedFile(g.operands)
		}
		if g.has("d", "decrypt") && !g.has("o", "output") {
			a.reveals("encrypted text")
		}
		if g.has("c", "e", "s", "b", "symmetric", "encrypt", "sign", "detach-sign", "clear-sign", "clearsign") && !g.has("o", "output") {
			for _, p := range g.operands {
				a.writes(p + ".gpg")
			}
		}
	}
}

func age(a *act) {
	g := a.given(&usage{values: "ioRrj", long: []string{"output", "recipient", "recipients-file", "identity"}})
	a.looks(false, g.operands...)
	from := ""
	if p := lastOf(g.operands); !isNoFile(p) {
		from = a.path(p)
	}
	for _, p := range g.all("o", "output") {
		a.put(p, from)
	}
	if g.has("d", "decrypt") && !g.has("o", "output") {
		a.reveals("encrypted text")
	}
}

// keygen makes keys. It shows the public half of one, or changes its passphrase.
func keygen(a *act) {
	g := a.given(&usage{values: "abCDEFfIKmMNnOPRrSstVwYzZ"})
	files := g.all("f")
	if g.has("p") && g.has("N") && g.value("N") == "" { // whoever has the file has the key
		for _, p := range files {
			a.does(effect.Grant, "use of "+a.path(p)+" without a password")
		}
	}
	switch {
	case g.has("l", "y", "B", "L"), g.has("e") && !g.has("p"): // the public half, or its fingerprint
		for _, p := range files {
			a.add(effect.Effect{Verb: effect.Read, Object: a.path(p), How: outline})
		}
	case g.has("F", "H"):
		a.looks(false, files...)
	case g.has("R"):
		if len(files) == 0 {
			files = []string{"~/.ssh/known_hosts"}
		}
		a.writes(files...)
	case g.has("s"):
		a.looks(false, g.all("s")...)
	default:
		if len(files) == 0 {
			files = []string{"~/.ssh/id_ed25519"}
		}
		a.writes(files...)
	}
}

// sops and ansible-vault keep secrets in files.
func sops(a *act) {
	g := a.given(&usage{values: "ek", long: []string{"output", "input-type", "output-type", "age", "pgp", "kms", "extract", "set", "config", "vault-password-file", "vault-id", "encrypt-vault-id", "name"}})
	whole := g.has("d", "decrypt")
	if a.Name == "ansible-vault" || len(g.operands) > 1 {
		switch g.first() {
		case "decrypt", "view":
			whole = true
		case "exec-env", "exec-file":
			if len(g.operands) > 1 {
				a.script(strings.Join(g.operands[1:], " "))
			}
			return
		}
	}
	if whole {
		a.looks(false, g.operands[:min(1, len(g.operands))]...)
		if !g.has("output") {
			a.reveals("secrets in " + a.path(g.first()))
		}
	} else {
		a.writes(g.operands...)
	}
	a.writes(g.all("output")...)
}
