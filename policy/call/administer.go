package call

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

// Words in tool names that indicate what they delete.
var (
	endingWords = set("delete destroy drop remove terminate purge wipe teardown truncate flush flushall flushdb erase nuke uninstall deprovision decommission deletes rm del clear prune")
	// stores are databases that do not speak SQL.
	stores = set("mongo mongodb redis valkey elasticsearch elastic opensearch qdrant pinecone weaviate chroma milvus neo4j dynamodb dynamo cassandra firestore firebase couchdb couchbase influxdb memcached etcd kafka redpanda pulsar airtable rethinkdb arangodb")
	// dataThings are containers in a database.
	dataThings = set("topic topics database databases db table tables collection collections schema schemas keyspace dataset datasets flushall flushdb keys")
	// rowThings are parts of those, selected by a filter.
	rowThings = set("many documents records rows all entries items nodes")
	// widePlaces contain what others run or store.
	widePlaces = set("bucket buckets cluster clusters instance instances project projects stack stacks namespace namespaces volume volumes pvc disk disks vpc server servers vm vms droplet droplets account subscription zone tenant organization org snapshot snapshots backup backups zones accounts subscriptions tenants organizations vpcs infrastructure environment environments persistentvolume persistentvolumeclaim database databases table tables datacenter hypervisor vault keyvault warehouse infra helm chart charts")
	// narrowThings are single parts of those.
	narrowThings = set("pod pods deployment deployments service services secret secrets configmap job function lambda queue topic container containers image release ingress statefulset daemonset resource resources dns object objects")
	repositories = set("repo repos repository repositories")
	refs         = set("branch branches ref refs tag tags")
	indexes      = set("index indices")
	// hostedThings are what people have at one of the hosts.
	hostedThings = set("service services app apps site sites worker workers application applications website websites machine machines dyno dynos")
	hosts        = set("railway render fly flyio heroku vercel netlify cloudflare supabase neon koyeb northflank dokku coolify digitalocean linode hetzner vultr scaleway appwrite amplify deno cpanel plesk argocd argo auth0 okta clerk keycloak entra")
	// drives store people's files, and sharedThings are what people work on.
	drives       = set("gdrive drive googledrive onedrive dropbox box sharepoint icloud nextcloud")
	gone         = set("delete destroy")
	sharedThings = set("team teams workspace workspaces board boards space spaces channel channels")
	// inside contain programs of their own.
	inside = set("pod pods container containers")
	clouds = set("kubernetes k8s kubectl aws gcp azure cloudflare")
)

// programs are command lines that tools and servers are named after. The
// arguments of such a tool are those of the program.
var programs = map[string][]string{
	"kubectl": {"kubectl"}, "kubernetes": {"kubectl"}, "k8s": {"kubectl"}, "helm": {"helm"}, "terraform": {"terraform"}, "tofu": {"tofu"}, "opentofu": {"tofu"}, "terragrunt": {"terragrunt"},
	"aws": {"aws"}, "gcloud": {"gcloud"}, "azure": {"az"}, "az": {"az"}, "docker": {"docker"}, "podman": {"podman"}, "git": {"git"}, "gh": {"gh"}, "pulumi": {"pulumi"}, "cdk": {"cdk"},
	"redis": {"redis-cli"}, "valkey": {"redis-cli"}, "mongo": {"mongosh", "--eval"}, "mongodb": {"mongosh", "--eval"}, "mongosh": {"mongosh", "--eval"}, "npm": {"npm"}, "heroku": {"heroku"}, "flyctl": {"flyctl"}, "vercel": {"vercel"},
	"doctl": {"doctl"}, "ansible": {"ansible"}, "systemctl": {"systemctl"}, "rclone": {"rclone"}, "gsutil": {"gsutil"},
	"systemd": {"systemctl"}, "prisma": {"prisma"}, "pip": {"pip"}, "uv": {"uv"}, "yarn": {"yarn"}, "pnpm": {"pnpm"}, "cargo": {"cargo"}, "brew": {"brew"}, "homebrew": {"brew"}, "apt": {"apt-get"},
}

// namesProgram reports whether one of the words is the name of such a command line.
func namesProgram(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return programs[w] != nil || w == "ssh" })
}

// administers records what an unknown tool does to what others run or store, by
// the words of its name.
func (c *Call) administers(m members, text string) {
	var room, more [maxWords]string
	words, server := wordsOf(room[:0], c.doing), wordsOf(more[:0], c.Server)
	c.asProgram(words, server, m, text)
	c.entrusts(words, server, text)
	if anyOf(words, engines) || anyOf(server, engines) {
		c.containers(words, server, argumentsOf(text))
	}
	ends := anyOf(words, endingWords)
	if !ends && !slices.Contains(words, "ref") {
		return
	}
	args := argumentsOf(text)
	if args.set("dryrun") {
		return
	}
	if !ends {
		if args.set("force") { // update_ref
			c.affect(&effect.Effect{Verb: effect.ForcePush, Object: branchName(args.first("ref", "branch")), How: c.Name, Command: -1})
		}
		return
	}
	kind := args.first("resourcetype", "kind", "resource", "type")
	kinds := wordsOf(nil, kind)
	database := anyOf(words, databases) || anyOf(server, databases) || anyOf(words, stores) || anyOf(server, stores)
	name := args.first("name", "resourcename", "id", "bucket", "bucketname", "database", "databasename", "collection", "collectionname", "table", "tablename", "stackname", "clustername", "cluster",
		"instanceid", "instancename", "projectid", "projectname", "databaseid", "project", "namespace", "volumeid", "index", "topic", "zoneid", "applicationname", "secretid", "secretname", "path")
	made := effect.Effect{How: c.Name, Command: -1}
	switch {
	case database && slices.Contains(words, "delete") && args.first("method", "httpmethod") != "" && strings.Count(strings.Trim(args.first("path", "endpoint", "url"), "/"), "/") == 0 && args.first("path", "endpoint") != "":
		made.Verb, made.Wide = effect.Drop, true // DELETE /index
		made.Object = "index " + args.first("path", "endpoint")
		made.Scratch = sql.IsScratch(made.Object)
	case anyOf(words, repositories) && !anyOf(words, refs) && !slices.Contains(words, "file"):
		made.Verb, made.Wide = effect.Destroy, true
		made.Object = strings.TrimSpace("repository " + strings.Trim(args.first("owner", "org", "organization", "workspace")+"/"+args.first("repo", "repository", "name", "reponame", "slug"), "/"))
	case anyOf(words, refs) && (slices.Contains(words, "git") || args.has("repo", "repository", "ref", "branch", "branchname")):
		made.Verb, made.Object = effect.DeleteBranch, branchName(args.first("branch", "branchname", "ref", "name", "tag"))
	case database && (anyOf(words, stores) || anyOf(server, stores)) && args.everyKey():
		made.Verb, made.Object, made.Wide = effect.Drop, "keys", true
	case anyOf(server, drives) && (args.set("permanent") || args.set("permanently") || args.set("skiptrash")), // not into a bin
		anyOf(words, gone) && len(words) > 0 && sharedThings[words[len(words)-1]]:
		made.Verb, made.Wide = effect.Destroy, true
		made.Object = strings.TrimSpace(words[len(words)-1] + " " + firstOf(name, args.first("fileid", "teamid", "workspaceid", "boardid", "channel", "channelid")))
	case database && anyOf(words, rowThings) && !args.emptyFilter():
		return
	case database && (anyOf(words, rowThings) || anyOf(words, dataThings) || anyOf(kinds, dataThings) || slices.Contains(words, "truncate") || slices.Contains(words, "flush")),
		database && anyOf(words, indexes) && (anyOf(words, stores) || anyOf(server, stores)) && !slices.Contains(server, "mongodb"):
		made.Verb, made.Wide = effect.Drop, true
		made.Object = strings.TrimSpace(thing(words, "database") + " " + name)
		made.Scratch = sql.IsScratch(made.Object)
	case anyOf(words, widePlaces) || anyOf(kinds, widePlaces) || anyOf(words, narrowThings) && args.set("all"), anyOf(words, hostedThings) && (anyOf(server, hosts) || anyOf(words, hosts)):
		made.Verb, made.Wide = effect.Destroy, true
		made.Object = strings.TrimSpace(firstOf(kind, thing(words, "")) + " " + name)
	case anyOf(words, stores) && args.set("recursive") || anyOf(server, stores) && args.set("recursive"):
		made.Verb, made.Wide, made.Object = effect.Drop, true, strings.TrimSpace("rows of "+name)
	case anyOf(words, narrowThings) || kind != "" && name != "" && anyOf(server, clouds):
		made.Verb, made.Object = effect.Destroy, strings.TrimSpace(firstOf(kind, thing(words, ""))+" "+name)
	default:
		return
	}
	c.affect(&made)
}

// asProgram reads the arguments of a tool that is named after a program.
func (c *Call) asProgram(words, server []string, m members, text string) {
	var program []string
	at := -1
	for i, w := range words {
		if p := programs[w]; p != nil {
			program, at = p, i
			break
		}
	}
	for _, w := range server {
		if p := programs[w]; p != nil && program == nil {
			program = p
		}
	}
	if program != nil && slices.Contains(words, "exec") && (at < 0 || anyOf(words, inside)) {
		c.insideOf(program[0], m, text)
		return
	}
	if program == nil || slices.Contains(words, "exec") && at >= 0 {
		return
	}
	var given []string // as a list
	var lines []string
	for i := range m {
		switch v := &m[i]; v.field {
		case fieldCommand, fieldCommands:
			lines = append(lines, v.texts()...)
		case fieldInput, fieldPrompt:
			if v.kind == jsonscan.String && !looksLikeObject(v.text) && (v.field == fieldInput || len(program) > 1) {
				lines = append(lines, v.text)
			}
		case fieldArguments:
			list, _ := v.strings()
			if given = append(given, list...); v.kind == jsonscan.String && !looksLikeObject(v.text) {
				given = append(given, strings.Fields(v.text)...)
			}
		default:
		}
	}
	args := argumentsOf(text)
	if args.set("dryrun") {
		return
	}
	for _, line := range lines {
		switch first, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case first == program[0]: // read as it is
		case len(program) > 1:
			c.as(program[0], program[1], line)
		case rest == "":
			c.as(slices.Concat(program, []string{line}, args.flags(), args.operands(), given)...)
		default:
			c.as("sh", "-c", program[0]+" "+line)
		}
	}
	if program[0] == "kubectl" {
		c.manifests(args)
	}
	if len(lines) > 0 || len(program) > 1 {
		return
	}
	// git_push, kubectl_delete, docker_system_prune
	verbs := slices.DeleteFunc(slices.Clone(words[at+1:]), func(w string) bool {
		return fillers[w] && (w != "run" || !engines[program[0]]) || w == "unit" && program[0] == "systemctl" || program[0] == "kubectl" && (w == "resource" || w == "resources")
	})
	if len(verbs)+len(given) == 0 || len(verbs) > 3 {
		return
	}
	operands := append(args.operands(), args.operandsOf(program[0])...)
	if program[0] == "git" && len(verbs) > 0 && verbs[0] == "push" && !args.has("remote") && len(given) == 0 {
		operands = append([]string{"origin"}, operands...)
	}
	c.as(slices.Concat(program, verbs, args.flags(), operands, given)...)
}

// insideOf reads what a tool runs in a pod or container.
func (c *Call) insideOf(program string, m members, text string) {
	for i := range m {
		v := &m[i]
		if v.field != fieldCommand && v.field != fieldCommands {
			continue
		}
		command := v.texts()
		if v.kind == jsonscan.String {
			command = []string{"sh", "-c", v.text}
		}
		name := argumentsOf(text).first("name", "pod", "podname", "container", "containername", "containerid", "id")
		c.as(slices.Concat([]string{program, "exec", firstOf(name, "x"), "--"}, command)...)
	}
}

// fillers are words of names without meaning.
var fillers = set("run execute command cli generic tool call use cmd do")

// branchName is a branch without its prefix: refs/heads/main.
func branchName(ref string) string {
	ref = strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")
	if ref == "" {
		return "*"
	}
	return ref
}

// thing is the word of a name that says what is deleted.
func thing(words []string, otherwise string) string {
	for _, w := range words {
		if dataThings[w] || widePlaces[w] || narrowThings[w] || hostedThings[w] {
			return w
		}
	}
	return otherwise
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
