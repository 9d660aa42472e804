package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// endsTopic reports whether a word of topics says that something is destroyed:
// apps:destroy, environment:delete.
func endsTopic(word string) bool {
	i := strings.LastIndexByte(word, ':')
	return i > 0 && (cloudEnds[word[i+1:]] || word[i+1:] == "deprovision" || word[i+1:] == "wipe")
}

// smallTopics are those of which losing one is no loss of data.
var smallTopics = valued("profiles profile plugins plugin variable variables var config env login auth autocomplete tag alias webhook ssh-key ssh-keys telemetry cache domains domain certs certificate proxy ports network checks docker-options git buildpacks resource cron")

func isSmallTopic(word string) bool {
	topic, _, _ := strings.Cut(word, ":")
	return smallTopics[topic]
}

// halts notes that something others run is stopped: it comes back, but others do
// without it until then.
func (a *act) halts(about string) {
	a.does(effect.Stop, about)
	if isProduction(about) {
		a.destroys("what runs as "+about, false)
	}
}

// everybody are the ways to say that anybody may come in.
var everybody = []string{"0.0.0.0/0", "::/0", "*", "Internet", "Any"}

// openPorts are those behind which machines and databases are kept.
func openPorts(text string) bool {
	for port := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		if i := strings.LastIndexByte(port, ':'); i >= 0 {
			port = port[i+1:]
		}
		switch strings.ToLower(port) {
		case "all", "*", "tcp", "0-65535", "1-65535", "22", "3389", "5432", "3306", "1433", "6379", "27017", "9200", "2375", "2379", "6443", "445":
			return true
		}
	}
	return false
}

// cloudOpens notes what is opened to everybody: a store, a database, a machine.
func (a *act) cloudOpens(l *line, at int) bool {
	words := l.operands
	flag := func(name string) string { return wordAfter(a.Args, "--"+name) }
	opened := ""
	switch words[at] {
	case "set-permission": // az storage container
		if access := flag("public-access"); access == "container" || access == "blob" {
			opened = "public access to " + l.value("n", "name")
		}
	case "update", "patch":
		switch {
		case strings.EqualFold(flag("allow-blob-public-access"), "true"):
			opened = "public access to " + l.value("n", "name")
		case slices.Contains(everybody, flag("authorized-networks")):
			opened = "everybody to " + strings.Join(words, " ")
		}
	case "create":
		source := flag("source-ranges") + flag("source-address-prefixes") + flag("source-address-prefix")
		ports := flag("allow") + flag("rules") + flag("destination-port-ranges") + flag("destination-port-range")
		isRule := at > 0 && (words[at-1] == "firewall-rules" || words[at-1] == "rule")
		if isRule && slices.Contains(everybody, source) && openPorts(ports) && !strings.EqualFold(flag("access"), "Deny") && !strings.EqualFold(flag("action"), "DENY") {
			opened = "everybody to " + ports
		}
	}
	if opened != "" {
		a.does(effect.Grant, opened)
	}
	return opened != ""
}

// cloudShrinks notes what is switched off for all, and what is scaled to none.
func (a *act) cloudShrinks(l *line, at int, about string) bool {
	words := l.operands
	switch words[at] {
	case "disable": // gcloud services disable X --force: and all that uses it
		if at > 0 && words[at-1] == "services" && a.Name == "gcloud" {
			a.destroys(about, l.has("force"))
			return true
		}
	case "unlink":
		if at > 1 && words[at-2] == "billing" {
			a.destroys(about, true)
			return true
		}
	case "resize", "scale", "update":
		for _, name := range []string{"num-nodes", "size", "node-count", "count", "number-of-workers"} {
			if wordAfter(a.Args, "--"+name) == "0" {
				a.destroys("machines of "+about, false)
				return true
			}
		}
	}
	return false
}

// awsOpens notes what is shared with others, and guards and copies that are
// switched off.
func (a *act) awsOpens(service, does, about, all string) bool {
	plain := strings.Map(unspaced, all)
	switch {
	case (does == "modify-db-snapshot-attribute" || does == "modify-db-cluster-snapshot-attribute") && strings.Contains(all, "--values-to-add"),
		(does == "set-repository-policy" || does == "put-resource-policy" || does == "put-key-policy" || does == "set-queue-attributes" || does == "set-topic-attributes") && (strings.Contains(plain, `"Principal":"*"`) || strings.Contains(plain, `"AWS":"*"`)),
		does == "modify-db-instance" && slices.Contains(a.Args, "--publicly-accessible"):
		a.does(effect.Grant, about)
	case does == "put-public-access-block" && strings.Contains(strings.ToLower(plain), "false"),
		does == "update-continuous-backups" && strings.Contains(strings.ToLower(plain), "enabled=false"),
		does == "put-bucket-versioning" && strings.Contains(all, "Suspended"),
		strings.HasPrefix(does, "modify-db-") && wordAfter(a.Args, "--backup-retention-period") == "0",
		strings.HasPrefix(does, "modify-") && slices.Contains(a.Args, "--no-deletion-protection") && isProduction(all),
		does == "disable-alarm-actions", does == "disassociate-from-administrator-account", does == "disassociate-members", service == "kms" && does == "disable-key":
		a.does(effect.Disarm, about)
	case service == "route53" && does == "change-resource-record-sets":
		batch := wordAfter(a.Args, "--change-batch")
		if file, ok := strings.CutPrefix(batch, "file://"); ok {
			batch, _ = a.file(file)
		}
		batch = strings.Map(unspaced, batch)
		if !strings.Contains(batch, `"Action":"DELETE"`) && !strings.Contains(batch, "Action=DELETE") {
			return false
		}
		a.destroys(about, !strings.Contains(batch, `"CREATE"`) && !strings.Contains(batch, `"UPSERT"`) && !strings.Contains(batch, "acm-validations"))
	case wordAfter(a.Args, "--desired-count") == "0", wordAfter(a.Args, "--desired-capacity") == "0", wordAfter(a.Args, "--max-size") == "0", wordAfter(a.Args, "--reserved-concurrent-executions") == "0":
		a.destroys("machines of "+about, false)
	case does == "remove-account-from-organization":
		a.destroys(about, true)
	case strings.HasPrefix(does, "admin-delete-"):
		a.destroys(about, false)
	default:
		return false
	}
	return true
}
