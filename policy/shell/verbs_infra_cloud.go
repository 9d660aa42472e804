package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// cloudEnds are the words by which the command lines of clouds destroy.
var cloudEnds = valued("delete destroy rm remove terminate purge nuke uninstall teardown undeploy hard-delete delete-volume delete-all del")

// cloudSmall are the things of which losing one is no loss of data.
var cloudSmall = valued(`tag tags label labels alias aliases image images version versions rule rules container containers deployment deployments invalidation
	record records record-set job jobs execution executions alert alerts member members locks lock webhook webhooks domain-mapping ip ips floating-ip
	firewall firewalls certificate certificates ssh-key ssh-keys key-pair token tokens route routes schedule schedules`)

// cloudFlags are flags with values that could be taken for words.
var cloudFlags = valued(`project account region zone format output o query subscription g resource-group n name profile c config a app t access-token configuration location filter cluster
	C command ssh-command scripts command-id org context namespace impersonate-service-account verbosity s service e environment role member server auth-token kubeconfig`)

// addsKeys reports whether an argument gives a machine keys that may log in, or a
// script that it runs when it starts.
func addsKeys(arg string) bool {
	return strings.Contains(arg, "ssh-keys=") || strings.Contains(arg, "sshKeys=") || strings.Contains(arg, "startup-script")
}

// cloud is for command lines whose words are things and what is done to them.
func cloud(a *act) {
	l := a.line(cloudFlags)
	if l.exact("dry-run", "help", "h") || l.has("dryrun") {
		return
	}
	about := strings.Join(append(slices.Clone(l.operands), l.values("n", "name", "g", "resource-group", "a", "app")...), " ")
	for i, word := range l.operands {
		switch {
		case cloudEnds[word], i < 3 && endsInside(word), i == 0 && endsTopic(word):
			small := i == 0 && isSmallTopic(word) || i > 0 && cloudSmall[l.operands[i-1]] && word != "destroy" && (a.Name != "az" || l.operand(0) != "storage" && l.operands[i-1] != "lock")
			a.destroys(strings.TrimSpace(strings.Replace(" "+about+" ", " "+word+" ", " ", 1)), !small)
			return
		case a.cloudSends(&l, i):
			return
		case word == "deploy", word == "apply", word == "up" && i == 0, word == "launch" && i == 0:
			a.applies(about)
			return
		case word == "add-iam-policy-binding", word == "set-iam-policy", word == "assignment" && l.operand(i+1) == "create", word == "create-for-rbac",
			a.Name == "az" && l.operand(0) == "ad" && (word == "create" || word == "add" || word == "reset"), a.Name == "ibmcloud" && i < 2 && strings.HasSuffix(word, "-policy-create"),
			a.Name == "gcloud" && l.operand(0) == "iam" && l.operand(2) == "keys" && word == "create":
			a.does(effect.Grant, strings.TrimSpace(about+" "+l.value("role")))
			return
		case word == "add-metadata" && slices.ContainsFunc(a.Args, addsKeys), word == "ssh-keys" && l.operand(i+1) == "add", // gcloud compute
			a.Name == "az" && l.operand(0) == "vm" && l.operand(1) == "user" && (word == "update" || word == "reset-ssh"),
			a.Name == "doctl" && word == "ssh-key" && (l.operand(i+1) == "import" || l.operand(i+1) == "create"), a.Name == "hcloud" && word == "ssh-key" && l.operand(i+1) == "create":
			a.does(effect.Grant, about)
			return
		case word == "down" && i == 0:
			a.destroys(about, true)
			return
		case word == "deallocate", word == "stop" && i > 0, word == "suspend":
			a.halts(about)
			return
		case a.cloudOpens(&l, i), a.cloudShrinks(&l, i, about):
			return
		case word == "run" && i == 0 && a.Name == "railway", word == "exec" && i == 0 && a.Name == "railway":
			a.argv(l.operands[1:])
			return
		}
	}
	switch a.Name {
	case "neonctl", "neon", "pscale":
		a.sqlFlags()
		for _, operand := range append(l.from(1), l.values("execute")...) {
			if strings.Contains(operand, " ") {
				a.sql(operand, standardSQL)
			}
		}
		if l.operand(0) == "shell" {
			a.sqlInput(standardSQL)
		}
	}
	switch a.Name {
	case "fly", "flyctl", "turso", "pscale", "supabase", "railway":
		if text := l.value("C", "command", "c", "config"); l.operand(1) == "connect" || l.operand(1) == "shell" || l.operand(1) == "execute" || l.operand(0) == "connect" {
			for _, operand := range append([]string{text}, l.from(2)...) {
				if strings.Contains(operand, " ") {
					a.sql(operand, standardSQL)
				}
			}
			a.sqlInput(standardSQL)
		}
		if l.operand(0) == "ssh" {
			a.remotely(l.value("C", "command"))
		}
		if hasWords(l.operands, []string{"scale", "count", "0"}) {
			a.destroys("machines "+l.value("a", "app"), false)
		}
	case "doctl":
		if l.operand(1) == "ssh" {
			a.remotely(l.value("ssh-command"))
		}
	case "az":
		a.sqlFlags()
		if l.operand(1) == "run-command" {
			a.remotely(l.value("scripts"))
		}
	}
}

// endsInside reports whether a word of several says that something is destroyed:
// service-instance-delete, delete-space, DeleteInstance.
func endsInside(word string) bool {
	for _, end := range []string{"delete", "destroy", "terminate", "purge", "rm"} {
		if strings.HasSuffix(word, "-"+end) || strings.HasPrefix(word, end+"-") || end != "rm" && len(word) > len(end) && strings.HasPrefix(word, strings.ToUpper(end[:1])+end[1:]) {
			return true
		}
	}
	return false
}

// cloudSends notes what is uploaded by a word like upload: az storage blob upload
// -f FILE, oci os object put --file FILE.
func (a *act) cloudSends(l *line, at int) bool {
	switch l.operands[at] {
	case "download":
		flags := cutLine(a.Args, uploadTakes, gnu)
		for _, file := range flags.values("f", "file", "d", "destination") {
			a.saves(file, a.Name+"://"+strings.Join(flags.values("account-name", "n", "name"), "/"))
		}
		return false
	case "upload", "upload-batch", "put", "bulk-upload", "import-file", "sync-up", "send":
	case "copy", "sync":
		if a.Name != "az" || l.operand(0) != "storage" {
			return false
		}
	default:
		return false
	}
	flags := cutLine(a.Args, uploadTakes, gnu)
	files := flags.values("f", "file", "s", "source", "src", "src-dir", "source-dir", "path", "body", "local", "src-path", "data")
	for _, operand := range l.from(at + 1) {
		if !isBucket(operand) {
			files = append(files, operand)
		}
	}
	to := a.Name + "-" + l.operand(0)
	for _, file := range a.few(files) {
		if !isBucket(file) {
			a.ships(to, file, mayBeDirectory(file))
		}
	}
	return len(files) > 0
}

var uploadTakes = func() takes {
	values := valued("f file source src src-dir source-dir path body local src-path data d destination destination-path container-name k account-key account-name")
	for name := range cloudFlags {
		values[name] = true
	}
	return values
}()

func gcloud(a *act) {
	l := a.line(cloudFlags)
	words := l.operands
	for len(words) > 0 && (words[0] == "beta" || words[0] == "alpha") {
		words = words[1:]
	}
	a.sqlFlags()
	if len(words) > 1 && words[0] == "sql" && words[1] == "connect" {
		a.sqlInput(standardSQL)
	}
	switch {
	case len(words) > 2 && words[0] == "storage" && (words[1] == "buckets" || words[1] == "folders" || words[1] == "managed-folders"):
		if words[2] == "delete" {
			a.destroys(strings.Join(words[3:], " "), true)
		} else {
			cloud(a)
		}
	case len(words) > 1 && words[0] == "storage":
		a.storage(words[1], words[2:], l.has("r", "R", "recursive"), l.has("delete-unmatched-destination-objects"))
	case len(words) > 1 && words[0] == "compute" && words[1] == "ssh":
		if command := l.value("command"); command != "" {
			a.remotely(command)
		} else {
			a.remotely(quoted(l.after))
		}
	case len(words) > 3 && words[0] == "compute" && words[1] == "scp":
		a.transfers(words[2], words[3], func(p string) bool { return strings.Contains(p, ":") })
	default:
		cloud(a)
	}
}

func gsutil(a *act) {
	l := a.line(valued("o h u p c l b s j"))
	if l.exact("n") && l.operand(0) == "rsync" {
		return
	}
	switch l.operand(0) {
	case "acl", "iam", "defacl":
		if text := strings.Join(l.operands, " "); strings.Contains(text, "allUsers") || strings.Contains(text, "public-read") || strings.Contains(text, "AllUsers") {
			a.does(effect.Grant, "public access to "+lastOf(l.operands))
		}
	default:
		a.storage(l.operand(0), l.from(1), l.has("r", "R"), l.exact("d"))
	}
}

func isBucket(p string) bool {
	return strings.Contains(p, "://") || strings.HasPrefix(p, "arn:")
}

// storage is what is done to stored objects, whatever the program.
func (a *act) storage(does string, operands []string, recursive, mirrors bool) {
	first, last := "", ""
	if len(operands) > 0 {
		first, last = operands[0], operands[len(operands)-1]
	}
	switch does {
	case "rm", "del", "remove", "delete", "rb", "mb-rm", "delete-bucket":
		for _, p := range operands {
			a.destroys(p, recursive || does == "rb" || strings.ContainsAny(p, "*?") || strings.Count(strings.TrimSuffix(p, "/"), "/") <= 2)
		}
		if a.More && len(operands) == 0 {
			a.destroys("objects", true)
		}
	case "cp", "copy", "sync", "rsync", "mirror", "put", "get", "upload", "download", "mv", "move":
		if len(operands) < 2 {
			return
		}
		for _, p := range a.few(operands[:len(operands)-1]) {
			a.transfers(p, last, isBucket)
		}
		if mirrors {
			a.removesThere(last, "objects in ", isBucket)
		}
		if does == "mv" || does == "move" {
			a.removesThere(first, "", isBucket)
		}
	case "cat":
		a.does(effect.Fetch, first)
	}
}

// objectStore is for the smaller clients of object stores.
func objectStore(a *act) {
	l := a.line(valued("profile endpoint-url config c access_key secret_key host region"))
	if l.has("dry-run", "n", "fake") {
		return
	}
	words := l.operands
	does := l.operand(0)
	if a.Name == "mc" { // alias/bucket
		switch does {
		case "rm", "rb":
			for _, p := range words[1:] {
				a.destroys(p, does == "rb" || l.has("recursive", "r"))
			}
		case "cp", "mirror", "mv":
			if to := lastOf(words); !strings.HasPrefix(to, ".") && !strings.HasPrefix(to, "/") && len(words) > 2 {
				a.sendsTo(to, words[1:len(words)-1]...)
			}
		case "anonymous", "policy":
			a.does(effect.Grant, "public access to "+lastOf(words))
		}
		return
	}
	if len(words) > 1 {
		a.storage(does, words[1:], l.has("recursive", "r"), l.has("delete", "delete-removed", "delete-destination"))
	}
}
