package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// infraVerbs are the programs that make, change and destroy what others run.
var infraVerbs = map[string]verb{
	"terraform": terraform, "tofu": terraform, "terragrunt": terraform, "opentofu": terraform, "terraform-docs": nothing, "tf": terraform,
	"pulumi": pulumi, "cdk": stacks, "cdktf": stacks, "sam": stacks, "serverless": stacks, "sls": stacks, "sst": stacks, "copilot": stacks, "eksctl": cloud, "ampx": stacks, "amplify": stacks,

	"rke": cloud, "argocd": cloud, "flux": cloud, "velero": cloud, "istioctl": cloud, "kops": cloud, "rancher": cloud,
	"docker": docker, "podman": docker, "nerdctl": docker, "docker-compose": compose, "podman-compose": compose, "finch": docker, "buildah": docker,
	"aws": aws, "awslocal": nothing, "gcloud": gcloud, "gsutil": gsutil, "az": cloud,
	"doctl": cloud, "hcloud": cloud, "linode-cli": cloud, "scw": cloud, "heroku": heroku, "fly": cloud, "flyctl": cloud, "vercel": vercel, "vc": vercel,
	"netlify": vercel, "ntl": vercel, "wrangler": wrangler, "railway": cloud, "firebase": firebase, "render": cloud, "oci": cloud, "ibmcloud": cloud,
	"vultr-cli": cloud, "civo": cloud, "exo": cloud, "yc": cloud, "aliyun": cloud, "openstack": cloud, "upcloud": cloud, "ovhcloud": cloud, "cf": cloud, "eb": cloud, "surge": vercel,
	"turso": cloud, "pscale": cloud, "neonctl": cloud, "neon": cloud, "upstash": cloud, "confluent": cloud, "tsuru": cloud, "koyeb": cloud, "northflank": cloud, "cloudctl": cloud, "stackit": cloud, "gridscale": cloud,
	"dokku": cloud, "platform": cloud, "upsun": cloud, "gigalixir": cloud, "twilio": cloud, "convox": cloud, "caprover": cloud, "qovery": cloud, "zeabur": cloud, "mgc": cloud, "metal": cloud, "nhost": cloud,
	"qm": machines, "pct": machines, "VBoxManage": machines, "vboxmanage": machines, "prlctl": machines, "vmrun": machines, "govc": machines, "xe": machines, "vim-cmd": machines, "utmctl": machines, "tart": machines, "orb": machines,
	"crane": registryTool, "gcrane": registryTool, "skopeo": registryTool, "regctl": registryTool, "oras": registryTool,
	"vagrant": vagrant, "ansible": ansible, "ansible-pull": pulls, "ansible-playbook": playbook, "packer": nothing, "nomad": nomad, "consul": consul, "vault": vault, "bao": vault,
	"mc": objectStore, "s3cmd": objectStore, "s5cmd": objectStore, "azcopy": objectStore, "b2": objectStore, "virsh": virsh, "multipass": cloud, "lxc": cloud, "incus": cloud,
}

func nothing(*act) {}

// isProduction reports whether a name says that others use what it names.
func isProduction(name string) bool { return effect.IsProduction(name) }

// destroys notes that infrastructure is destroyed.
func (a *act) destroys(what string, wide bool) {
	a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace(what), Wide: wide, Scratch: a.spare != nil && a.spare(a, what)})
}

// applies notes that infrastructure is changed.
func (a *act) applies(what string) { a.does(effect.Apply, strings.TrimSpace(what)) }

// publishes notes that something is made public.
func (a *act) publishes(what string) { a.does(effect.Publish, strings.TrimSpace(what)) }

func terraform(a *act) {
	l := cutLine(a.Args, valued("var var-file target replace state state-out backup parallelism chdir lock-timeout config terragrunt-config terragrunt-working-dir"), oneDash)
	words := l.operands
	if len(words) > 0 && (words[0] == "run-all" || words[0] == "run" || words[0] == "stack") && a.Name == "terragrunt" {
		words = words[1:]
		words = slices.DeleteFunc(slices.Clone(words), func(s string) bool { return s == "--" })
	}
	if len(words) == 0 || l.exact("help", "h") {
		return
	}
	sub := ""
	if len(words) > 1 {
		sub = words[1]
	}
	what := "infrastructure"
	if targets := l.values("target"); len(targets) > 0 {
		what = strings.Join(targets, " ")
	}
	switch words[0] {
	case "destroy":
		a.destroys(what, !a.terraformLocal(&l))
	case "destroy-all":
		a.destroys("infrastructure", true)
	case "apply", "apply-all":
		for _, resource := range l.values("replace") {
			a.destroys(resource, keepsData(resource))
		}
		if l.exact("destroy") || a.destroysByArguments() || sub != "" && a.isPlanOfRuin(sub) {
			a.destroys(what, true)
		} else {
			a.applies(what)
		}
	case "state":
		if (sub == "rm" || sub == "push" || sub == "replace-provider") && !l.exact("dry-run") {
			what := strings.Join(words[2:], " ")
			a.destroys("state "+what, sub == "push" || a.More || unknown(what) && strings.Contains(what, "state list"))
		}
	case "workspace":
		if sub == "delete" {
			a.destroys("workspace "+strings.Join(words[2:], " "), l.exact("force"))
		}
	case "force-unlock":
		a.does(effect.Disarm, "state lock")
	case "taint": // the next apply makes it anew
		for _, resource := range words[1:] {
			a.destroys(resource, keepsData(resource))
		}
	case "import", "refresh":
		a.applies("state")
	case "login", "init", "plan", "validate", "fmt", "show", "output":
	}
}

// terraformLocal reports whether terraform talks to something on this machine that
// stands for Amazon, and to nothing else as far as can be told.
func (a *act) terraformLocal(l *line) bool {
	endpoint := a.Env["AWS_ENDPOINT_URL"]
	host := hostOf(endpoint)
	if a.Remote || !strings.Contains(endpoint, "://") || unknown(endpoint) || host != "localhost" && host != "127.0.0.1" && host != "[::1]" && host != "::1" && host != "localstack" && host != "localhost.localstack.cloud" {
		return false
	}
	if before, _, ok := strings.Cut(a.Text, a.Name); !ok || a.Sudo || a.Env["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] != "" ||
		!strings.Contains(before, "AWS_ENDPOINT_URL=") || strings.Contains(before, "env ") { // it must be the variable of this very command
		return false
	}
	for _, target := range l.values("target") {
		if !strings.HasPrefix(target, "aws_") {
			return false
		}
	}
	return !slices.ContainsFunc(a.Args, isProduction) && !isProduction(a.Env["AWS_PROFILE"]) && !isProduction(a.Env["TF_WORKSPACE"])
}

// keepsData reports whether a resource is one that is not the same when it was
// made anew: aws_db_instance.main.
func keepsData(resource string) bool {
	kind, _, _ := strings.Cut(resource, ".")
	if kind == "module" || kind == "data" {
		_, rest, _ := strings.Cut(resource[len(kind):], ".")
		if _, after, ok := strings.Cut(rest, "."); ok {
			kind = after
		}
	}
	for _, word := range [...]string{"_db_", "rds_", "database", "sql", "bucket", "storage", "dynamodb", "volume", "_disk", "_efs_", "file_system", "redis", "elasticache", "docdb", "spanner", "bigquery", "cosmosdb", "keyspace", "_kms_", "vault", "snapshot", "backup", "opensearch", "elasticsearch", "neptune", "redshift", "persistent"} {
		if strings.Contains(kind, word) {
			return true
		}
	}
	return false
}

// destroysByArguments reports whether the environment adds -destroy to what
// Terraform is called with.
func (a *act) destroysByArguments() bool {
	for _, name := range []string{"TF_CLI_ARGS", "TF_CLI_ARGS_apply"} {
		given, ok := a.Env[name]
		if !ok {
			given, _ = a.variable(name)
		}
		for word := range strings.FieldsSeq(given) {
			if word = strings.TrimLeft(word, "-"); word == "destroy" || word == "destroy=true" {
				return true
			}
		}
	}
	return false
}

// isPlanOfRuin reports whether a plan was made with -destroy before in the text.
func (a *act) isPlanOfRuin(plan string) bool {
	for i := range a.r.reading.Commands {
		c := &a.r.reading.Commands[i]
		if !a.r.pay(1 + len(c.Args)) {
			break
		}
		if c.Sub != "plan" || !c.Is("terraform", "tofu", "terragrunt", "opentofu", "tf") {
			continue
		}
		l := cutLine(c.Args, valued("out var var-file target chdir"), oneDash)
		if l.exact("destroy") && l.value("out") == plan {
			return true
		}
	}
	return false
}

func pulumi(a *act) {
	l := a.line(valued("s stack C cwd color config-file t target m message parallel"))
	switch sub := l.operand(0) + " " + l.operand(1); {
	case l.has("preview-only"):
	case l.operand(0) == "destroy", l.operand(0) == "down", l.operand(0) == "dn":
		a.destroys("stack "+l.value("s", "stack"), true)
	case sub == "stack rm", sub == "state delete":
		a.destroys(l.operand(0)+" "+strings.Join(l.from(2), " "), true)
	case l.operand(0) == "up", l.operand(0) == "update":
		a.applies("stack " + l.value("s", "stack"))
	case sub == "config set" && l.has("secret"):
	}
}

// stacks is for tools with deploy and destroy.
func stacks(a *act) {
	l := a.line(valued("profile region stage s r c context app a stack-name config-file config-env name n env"))
	for _, word := range l.operands {
		switch word {
		case "destroy", "remove", "delete":
			a.destroys("stack "+strings.Join(append(l.operands[1:], l.values("stack-name", "stage", "s")...), " "), true)
			return
		case "deploy", "sync", "push":
			a.applies("stack " + strings.Join(l.operands[1:], " "))
			return
		}
	}
}

// vagrant keeps machines for work on this one, which it makes again from a file.
func vagrant(a *act) {
	l := a.line(valued("c command provider"))
	switch l.operand(0) {
	case "ssh":
		a.vagrantShares()
	case "destroy":
		names := strings.Join(l.from(1), " ") + " " + a.fromEnvironment("VAGRANT_CWD")
		a.destroys("machine "+names, a.More || unknown(names) || keepsForOthers(names) || l.value("provider") != "" || a.fromEnvironment("VAGRANT_DEFAULT_PROVIDER") != "")
	case "box":
		if l.operand(1) == "remove" {
			a.destroys("box "+l.operand(2), false)
		}
	}
}

// vagrantShares notes what a command in the machine deletes of the directory that
// it shares with this one.
func (a *act) vagrantShares() {
	if !a.r.pay(len(a.r.reading.Effects)) {
		return
	}
	for _, e := range slices.Clip(a.r.reading.Effects) {
		below, ok := strings.CutPrefix(e.Object, "/vagrant")
		if e.Verb == effect.Delete && e.Remote && ok && (below == "" || below[0] == '/') {
			a.deletes(e.Wide, "."+below)
		}
	}
}

// ansible runs a module on other machines.
func ansible(a *act) {
	l := a.line(valued("m module-name a args i inventory u user e extra-vars l limit f forks B P t c connection T private-key become-user become-method vault-password-file"))
	if l.has("C", "check", "list-hosts", "syntax-check") {
		return
	}
	module, args := l.value("m", "module-name"), l.value("a", "args")
	if on := l.operand(0); on == "localhost" || on == "127.0.0.1" || l.value("c", "connection") == "local" {
		a.ansibleHere(module, args)
	}
	switch module {
	case "", "shell", "command", "raw", "script", "ansible.builtin.shell", "ansible.builtin.command", "ansible.builtin.raw", "win_shell":
		if args != "" {
			a.remotely(args)
		}
	case "file":
		if strings.Contains(args, "state=absent") {
			for word := range strings.FieldsSeq(args) {
				if p, ok := strings.CutPrefix(word, "path="); ok {
					a.remotely("rm -rf " + quote(p))
				}
			}
		}
	case "ping", "setup", "debug":
	default:
		a.applies(l.operand(0))
	}
}

func playbook(a *act) {
	l := a.line(valued("i inventory u user e extra-vars l limit f forks t tags skip-tags vault-password-file private-key"))
	if !l.has("C", "check", "syntax-check", "list-hosts", "list-tasks", "list-tags") {
		a.applies(strings.Join(l.operands, " "))
	}
}

func nomad(a *act) {
	l := cutLine(a.Args, valued("address region namespace token"), oneDash)
	switch sub := l.operand(0) + " " + l.operand(1); {
	case l.operand(0) == "stop":
		a.destroys("job "+l.operand(1), l.exact("purge"))
	case sub == "job stop":
		a.destroys("job "+l.operand(2), l.exact("purge"))
	case sub == "namespace delete", sub == "volume delete", sub == "volume deregister", sub == "node drain", sub == "var purge":
		a.destroys(strings.Join(l.operands, " "), true)
	case l.operand(0) == "run", sub == "job run":
		a.applies("job " + l.operand(len(l.operands)-1))
	}
}

func consul(a *act) {
	l := cutLine(a.Args, valued("http-addr token datacenter namespace"), oneDash)
	if l.operand(0) == "kv" && l.operand(1) == "delete" {
		a.destroys("key "+l.operand(2), l.exact("recurse"))
	}
}

func vault(a *act) {
	l := cutLine(a.Args, valued("address namespace mount path"), oneDash)
	switch sub := l.operand(0) + " " + l.operand(1); {
	case l.operand(0) == "delete":
		a.destroys("secret "+l.operand(1), false)
	case sub == "kv delete":
		a.destroys("secret "+l.operand(2), false)
	case sub == "kv destroy", sub == "kv metadata" && l.operand(2) == "delete", sub == "secrets disable", sub == "auth disable", sub == "namespace delete":
		a.destroys(strings.Join(l.operands, " "), true)
	case sub == "operator seal", sub == "operator raft" && l.operand(2) == "remove-peer", sub == "lease revoke" && l.exact("prefix", "force"):
		a.destroys("vault "+strings.Join(l.operands, " "), true)
	case sub == "audit disable":
		a.does(effect.Disarm, "vault audit")
	case sub == "policy write", sub == "token create":
		a.does(effect.Grant, strings.Join(l.operands, " "))
	}
}
