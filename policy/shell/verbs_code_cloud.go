package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// cloudLibraries are how programs call the libraries by which they talk to a
// cloud.
var cloudLibraries = []string{
	"boto3", "botocore", "aioboto3", "google.cloud", "googleapiclient", "azure.mgmt", "azure.storage", "azure.identity", "azure.cosmos", "from azure", "kubernetes", "pykube", "openstack", "digitalocean", "pydo", "hcloud", "oci.",
	"@aws-sdk", "aws-sdk", "Aws::", "@google-cloud", "@azure", "@kubernetes/client-node", "cloudflare", "linode", "proxmoxer", "pulumi",
}

// scratchClouds are what stands for a cloud in tests and on one's own machine.
var scratchClouds = []string{"localhost", "127.0.0.1", "localstack", "moto", "mock", "0.0.0.0", "minio:", "host.docker.internal", "DryRun=True", "dry_run=True", "DryRun: true", `dry_run="All"`, "dryRun"}

// The words of calls that take something away in a cloud.
var (
	sdkEnds = wordSet("delete terminate destroy purge remove deregister release begindelete drop")
	// sdkWide hold what others run or keep; cloudNarrow are single parts.
	sdkWide = wordSet("bucket buckets instance instances table tables stack stacks cluster clusters nodegroup volume volumes snapshot snapshots filesystem database databases dataset datasets namespace namespaces project projects group groups vpc keyspace container share account vault disk disks zone server servers droplet droplets vm vms machine machines domain warehouse directory replication backup backups recovery collection organization subscription environment blobs node nodes pvc pv claim volumeclaim")
	// sdkParts stand beside those and name less: the tags of an instance.
	sdkParts = wordSet("tag tags policy policies rule rules attribute attributes item items object objects message messages key keys record records permission permissions notification lifecycle cors encryption website metadata parameter parameters profile profiles member members target targets listener template templates row rows entity entities pod pods file files blob event")
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// losesCloud notes what a program takes away in a cloud through the library of
// its maker: client.delete_bucket(...), new DeleteBucketCommand(...),
// bucket.objects.all().delete().
func (a *act) losesCloud(program string) {
	mentions := func(s string) bool { return strings.Contains(program, s) }
	if !slices.ContainsFunc(cloudLibraries, mentions) || slices.ContainsFunc(scratchClouds, mentions) {
		return
	}
	left := mostQuoted
	eachName(program, func(name, before, after string) bool {
		if !strings.HasPrefix(after, "(") || !isMember(before) && !strings.HasSuffix(before, "new ") && !strings.HasSuffix(name, "Command") {
			return true
		}
		object, wide := cloudLoss(name, before, after[1:])
		if object == "" {
			return true
		}
		a.add(effect.Effect{Verb: effect.Destroy, Object: object, Wide: wide})
		left--
		return left > 0
	})
}

// cloudLoss is what a call takes away, empty if nothing, and whether that is much.
func cloudLoss(name, before, args string) (object string, wide bool) {
	said := nameWords(strings.TrimSuffix(name, "Command"))
	if len(said) > 1 && said[0] == "begin" {
		said = said[1:]
	}
	if len(said) == 0 || !sdkEnds[said[0]] {
		return "", false
	}
	if len(said) == 1 {
		return cloudThing(said[0], before, args)
	}
	things := said[1:]
	wide = false
	for _, w := range things {
		if sdkParts[w] {
			return strings.Join(things, " "), false
		}
		wide = wide || sdkWide[w]
	}
	if !wide && !slices.Contains(things, "db") {
		return "", false
	}
	object = strings.Join(things, " ")
	if text, ok := firstQuote(args); ok {
		object += " " + text
	}
	return object, true
}

// cloudThing is cloudLoss for a call whose name does not say what: what stands
// before it does.
func cloudThing(verb, before, args string) (object string, wide bool) {
	before = before[max(strings.LastIndexAny(before, ";\n="), 0):]
	called := nameWords(strings.Map(func(c rune) rune {
		if c < 0x80 && isNameByte(byte(c)) {
			return c
		}
		return '_'
	}, before))
	all := strings.HasSuffix(before, ".all().") || strings.HasSuffix(before, "object_versions.") || strings.HasSuffix(before, ".objects.") || strings.HasSuffix(before, ".instances.") ||
		strings.Contains(before, ".filter(") && (strings.Contains(before, "filter()") || verb == "terminate")
	part := slices.ContainsFunc(called, func(w string) bool { return sdkParts[w] })
	for _, w := range called {
		if !sdkWide[w] && (!all || w != "objects" && w != "versions") {
			continue
		}
		if part && !all { // bucket.Object('x').delete()
			return "", false
		}
		object = w
		at := strings.Index(strings.ToLower(before), w)
		if at < 0 || at > len(before) { // letters that change their length with their case
			at = 0
		}
		if text, ok := firstQuote(before[at:] + args); ok {
			object += " " + text
		}
		return object, true
	}
	return "", false
}

// firstQuote is the first text in quotes.
func firstQuote(s string) (string, bool) {
	i := strings.IndexAny(s, "\"'")
	if i < 0 {
		return "", false
	}
	return cutQuote(s[i:])
}

// nameWords are the words of a name in lower case.
func nameWords(name string) []string {
	var list []string
	start := 0
	cut := func(end int) {
		if end > start {
			list = append(list, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_':
			cut(i)
			start = i + 1
		case 'A' <= c && c <= 'Z' && i > start && (name[i-1] < 'A' || name[i-1] > 'Z' || i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return list
}
