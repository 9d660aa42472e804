package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// ending is a way to call a program that destroys: words in a row, and flags that
// must be there.
type ending struct {
	words, flags []string
	first        bool // nothing stands before the words
	narrow       bool // one of many: it matters where its name says so
}

// serviceEndings are the programs of platforms, stores, queues, names, builds,
// secrets and watchers, with the words by which each destroys. Ways are separated
// by commas; "+x" is a flag, "a|b" either word, "^" says that nothing stands
// before, and "~" that what goes is small.
var serviceEndings = map[string]string{ //nolint:gosec // pass is a program
	// Everything of an account.
	"aws-nuke": "run +no-dry-run, ^+no-dry-run", "azure-nuke": "run +no-dry-run, ^+no-dry-run", "gcp-nuke": "run +no-dry-run, ^+no-dry-run", "cloud-nuke": "^aws +force, ^defaults-aws +force, ^gcp +force", "awsweeper": "^+force",

	// Platforms.
	"kamal": "app remove, accessory remove, ^remove, ^~proxy remove", "appwrite": "databases delete, databases delete-collection, databases delete-table, storage delete-bucket, projects delete, users delete, teams delete, functions delete, sites delete, project delete",
	"symfony": "cloud:environment:delete, cloud:project:delete, cloud:environment:deactivate, environment:delete, project:delete", "scalingo": "^destroy, ^addons-remove, ^database-delete",
	"clever": "^delete, addon delete, ^~kv delete", "porter": "app delete, cluster delete", "lagoon": "delete project, delete environment", "acli": "environments:purge, environments:delete, ide:delete, app:delete, environment:delete",
	"terminus": "site:delete, env:wipe, multidev:delete, ~domain:remove, org:site:remove", "aptible": "apps:deprovision, db:deprovision, environment:deprovision", "eas": "project:delete, ~channel:delete, ~branch:delete, ~update:delete",
	"juju":   "^destroy-controller, ^destroy-model, ^kill-controller, ^remove-application +destroy-storage, ^remove-application +force, ^remove-storage, ^~remove-application, ^~remove-unit, ^remove-cloud",
	"sanity": "dataset delete, documents delete +all, ~hook delete", "contentful": "space delete, environment delete", "algolia": "indices delete, indices clear", "shopify": "theme delete, store delete",
	"stripe": "delete +live, cancel +live, payouts create +live, transfers create +live, refunds create +live", "auth0": "tenants delete, apps delete, users delete, connections delete, apis delete, ~rules delete", "cloudflared": "~tunnel delete, ~tunnel cleanup",
	"modal": "volume delete, dict delete, queue delete, environment delete, ~app stop", "runpodctl": "remove pod, remove pods", "vastai": "destroy instance|instances", "sky": "^down +all, ^down +a, storage delete, ^~down",
	"huggingface-cli": "repo delete, repo-files delete", "hf": "repo delete, repos delete, repo-files delete", "databricks": "clusters permanent-delete, fs rm +recursive, fs rm +r, workspace delete +recursive, catalogs delete, schemas delete, warehouses delete, tables delete, bundle destroy, volumes delete, instance-pools delete",
	"chalice": "^delete", "zappa": "^undeploy", "claudia": "^destroy", "arc": "^destroy", "nitric": "^down", "faas-cli": "~^remove, ~^rm", "func": "kubernetes delete, azure functionapp delete", "spin": "aka app delete, cloud apps delete",
	"ldcli": "projects delete, environments delete, ~flags delete", "newrelic": "entity delete", "checkly": "^destroy", "hookdeck": "connection delete, source delete", "ngrok": "~api endpoints delete", "mmctl": "team delete, user deleteall, ~channel delete, user delete",
	"gitlab-ctl": "^cleanse, ^uninstall", "gitlab-backup": "^restore", "mattermost": "^reset", "occ": "user:delete, trashbin:cleanup +all-users", "kcadm.sh": "^delete", "kcadm": "^delete",
	"ipa": "^user-del, ^group-del, ^host-del, ^dnszone-del", "samba-tool": "user delete, group delete, domain demote, ou delete, dns zonedelete", "ldapdelete": "+r",
	"magento": "setup:uninstall, ~module:uninstall", "wp": "site delete, site empty", "drush": "entity:delete", "bench": "drop-site",
	"fauna": "database delete", "pinecone": "index delete, namespace delete, project delete", "astra": "db delete, db delete-keyspace", "avn": "service terminate, project delete, service topic-delete, service database-delete, account delete",
	"atlas": "clusters delete, projects delete, organizations delete, deployments delete, serverless delete, backups snapshots delete", "mongocli": "clusters delete, projects delete, project delete", "ccloud": "cluster delete, kafka cluster delete, kafka topic delete",
	"ticloud": "serverless delete, cluster delete", "tiup": "cluster destroy, cluster clean +all, cluster clean +data, cluster prune", "snow": "object drop, stage remove, app teardown", "airflow": "db reset, dags delete", "celery": "purge", "rq": "^empty +all, ^~empty",
	"prefect": "work-pool delete, ~deployment delete, server database reset", "dagster": "run wipe, asset wipe +all, schedule wipe", "temporal": "operator namespace delete, namespace delete, workflow terminate +query, workflow delete +query, workflow delete +q, workflow terminate +q", "tctl": "namespace delete, ~workflow terminate",
	"pulsar-admin": "topics delete, tenants delete, namespaces delete, clusters delete, topics truncate, namespaces clear-backlog, topics delete-partitioned-topic", "pulsarctl": "topics delete, tenants delete, namespaces delete", "solr": "^delete",
	"curator_cli": "delete-indices|delete_indices, delete-snapshots|delete_snapshots", "arangorestore": "+overwrite",

	// What is stored.
	"ceph": "osd pool delete|rm, fs rm, osd purge|destroy|rm, fs subvolume rm, fs volume rm, orch rm, mon remove|rm, auth rm|del, osd pool purge, config-key rm", "rados": "^purge, ^rmpool, ^~rm", "rbd": "^rm|remove, snap purge, trash purge, trash rm, group rm, snap rm|remove, mirror pool disable, migration abort",
	"radosgw-admin": "bucket rm, user rm, realm rm|delete, zone rm|delete, zonegroup rm|delete, object rm, objects expire, gc process +include-all", "gluster": "volume delete, snapshot delete, peer detach, volume remove-brick, volume reset-brick", "juicefs": "^destroy, ^rmr, ^gc +delete, ^format +force",
	"lakectl": "repo delete, fs rm +recursive, ~branch delete", "swift": "^delete", "dvc": "gc +cloud, gc +c", "mc": "admin user remove|rm, admin bucket remote rm, replicate rm, ilm rule remove|rm +all, ilm rm +all, rb +dangerous",
	"nova": "^delete, ^force-delete", "cinder": "^delete, ^force-delete, snapshot-delete, backup-delete", "glance": "image-delete", "manila": "^delete", "trove": "^delete", "heat": "stack-delete", "vmadm": "^delete|destroy", "zoneadm": "uninstall", "bastille": "^destroy", "iocage": "^destroy", "ezjail-admin": "^delete", "cbsd": "jdestroy, bdestroy",
	"docker-machine": "^rm", "machinectl": "^remove, ^clean +all", "onevm": "^terminate, ^recover +delete", "oneimage": "^delete", "onedatastore": "^delete", "cmk": "^destroy, ^expunge, ^delete", "cloudmonkey": "^destroy, ^expunge, ^delete", "maas": "machine delete, machine release +erase", "cobbler": "system remove, distro remove, profile remove", "hammer": "host delete, organization delete, hostgroup delete",

	// Clusters.
	"rosa": "delete cluster, ~delete machinepool", "ocm": "delete cluster, ^delete", "openshift-install": "destroy cluster|bootstrap", "clusterctl": "^delete +all", "tanzu": "cluster delete, management-cluster delete, workload-cluster delete", "gardenctl": "^delete", "kapp": "^~delete", "timoni": "^~delete, bundle delete", "werf": "^~dismiss, ^purge", "vcluster": "^~delete", "skaffold": "^~delete", "devspace": "^~purge", "okteto": "^~destroy +volumes, ^~destroy", "garden": "^~cleanup, ^~delete",
	"cilium": "^uninstall", "calicoctl": "^~delete", "kn": "service delete +all, ~service delete", "tkn": "pipeline|task|clustertask|pipelinerun|taskrun delete +all, ~pipeline delete", "argo": "^delete +all, cron delete +all, template delete +all, ^terminate +all, ^~delete", "crictl": "^rmp +a, ^rmp +all, ^rm +a +f", "dcos": "app remove, package uninstall, service remove", "hetzner-k3s": "^delete", "spacectl": "stack delete", "tfc": "workspace delete", "tfctl": "^delete, ^uninstall",
	"puppet": "node purge, ~node clean, ~node deactivate", "knife": "node delete, client delete, environment delete, role delete, data bag delete, cookbook bulk delete, node bulk delete, ~cookbook delete", "salt-key": "+D, +delete-all", "fleetctl": "^delete, ^~destroy",

	// Names.
	"cli53": "rrpurge, ^delete, ~rrdelete", "pdnsutil": "delete-zone, delete-rrset, zone delete", "rndc": "delzone", "knotc": "conf-unset, zone-purge, zone-unset", "flarectl": "dns delete, zone delete", "cli4": "+delete", "octodns-sync": "+doit +force", "gandi": "domain delete, vm delete, ~record delete", "lexicon": "delete",

	// Builds and their stores.
	"java": "jenkins-cli.jar delete-job|delete-node|delete-view|delete-builds|delete-credentials|safe-shutdown", "jenkins-cli": "delete-job, delete-node, delete-view, delete-builds, delete-credentials, safe-shutdown, quiet-down", "drone": "repo rm|disable, ~secret rm, orgsecret rm", "woodpecker-cli": "repo rm, ~secret rm", "circleci": "context delete, runner resource-class delete, namespace delete-alias, orb unlist", "tea": "organization delete, organizations delete", "fj": "repo delete",
	"pod": "trunk delete, trunk deprecate, trunk remove-owner", "nuget": "^delete", "dotnet": "nuget delete", "vsce": "^unpublish", "mix": "hex.retire, hex.publish +revert, hex.package remove", "snapcraft": "^close, ^unregister", "jf": "rt delete|del, rt repo-delete|rdel, rt user-delete", "jfrog": "rt delete|del, rt repo-delete|rdel",

	// What keeps secrets.
	"pass": "^rm|remove|delete", "gopass": "^rm|remove|delete, mounts remove, ^~unlink", "op": "item delete, vault delete, document delete, user delete, group delete, account forget +all", "bw": "^delete", "rbw": "^remove|rm, ^purge", "lpass": "^rm, ^rmdir", "keepassxc-cli": "^rm, ^rmdir", "akeyless": "delete-item, delete-items, delete-role, delete-target", "chamber": "^delete", "doppler": "projects delete, configs delete, environments delete, ~secrets delete", "infisical": "~secrets delete, projects delete",
	"ykman": "piv reset, fido reset, oath reset, openpgp reset, config reset, oath accounts delete", "nitropy": "nk3 factory-reset, fido2 reset", "teller": "^delete", "berglas": "^delete", "boundary": "scopes delete, ~targets delete",

	// Machines from below.
	"ipmitool": "power off|cycle|reset|soft, chassis power off|cycle|reset|soft, sel clear, user disable, ~mc reset", "ipmipower": "+off, +reset, +cycle, +soft", "racadm": "serveraction powerdown|powercycle|hardreset|graceshutdown, racresetcfg, systemerase, storage resetconfig, storage deletevd", "redfishtool": "reset forceoff|forcerestart|powercycle|gracefulshutdown, reset ForceOff|ForceRestart|PowerCycle|GracefulShutdown", "storcli": "delete, del, erase", "storcli64": "delete, del, erase", "ssacli": "delete, erase", "arcconf": "^delete, ^uninit",
}

// ownerEndings are the programs of registries, with the words by which somebody
// else may publish there what others install.
var ownerEndings = map[string]string{
	"gem": "^owner +a, ^owner +add", "pod": "trunk add-owner", "mix": "hex.owner add|transfer, hex.organization add", "pnpm": "^owner add", "yarn": "npm owner add, ^owner add", "grafana-cli": "admin reset-admin-password", "rabbitmqadmin": "declare permission", "mc": "admin user add, admin policy attach", "ovsx": "create-namespace",
	"kcadm.sh": "add-roles, set-password", "samba-tool": "group addmembers, user setpassword",
}

// serviceVerbs are those programs, beside what else they do.
var serviceVerbs = func() map[string]verb {
	table := map[string]verb{}
	for name, ways := range serviceEndings {
		if list := waysOf(ways); len(list) > 0 {
			table[name] = endsService(list)
		}
	}
	for name, ways := range ownerEndings {
		if list := waysOf(ways); len(list) > 0 {
			table[name] = opensService(list, table[name])
		}
	}
	return table
}()

// waysOf reads the ways of a program.
func waysOf(ways string) []ending {
	var list []ending
	for way := range strings.SplitSeq(ways, ",") {
		var e ending
		for word := range strings.FieldsSeq(way) {
			for word != "" && (word[0] == '^' || word[0] == '~') {
				e.first, e.narrow = e.first || word[0] == '^', e.narrow || word[0] == '~'
				word = word[1:]
			}
			switch {
			case strings.HasPrefix(word, "+"):
				e.flags = append(e.flags, word[1:])
			case word != "":
				e.words = append(e.words, word)
			}
		}
		if len(e.words)+len(e.flags) > 0 || e.first {
			list = append(list, e)
		}
	}
	return list
}

// serviceTakes are flags with a value that may stand before the words.
var serviceTakes = valued("A app-config H host U user P password s server url profile context org project p")

// at is where the words of a way stand, less than none if they do not.
func (e *ending) at(l *line) int {
	for _, flag := range e.flags {
		if !l.has(flag) {
			return -1
		}
	}
	for i := 0; i+len(e.words) <= len(l.operands) && (i == 0 || !e.first); i++ {
		if e.matches(l.operands[i:]) {
			return i
		}
	}
	return -1
}

func (e *ending) matches(words []string) bool {
	for i, want := range e.words {
		if words[i] == want {
			continue
		}
		if !strings.Contains(want, "|") || !slices.Contains(strings.Split(want, "|"), words[i]) {
			return false
		}
	}
	return true
}

// way is the first of the ways that a call goes, nil if it goes none.
func (a *act) way(list []ending) (*ending, *line) {
	l := cutLine(a.Args, serviceTakes, gnu)
	if l.exact("help", "dry-run", "dryrun") || lastOf(a.Args) == "-h" {
		return nil, nil
	}
	for i := range list {
		if list[i].at(&l) >= 0 {
			return &list[i], &l
		}
	}
	return nil, nil
}

func endsService(list []ending) verb {
	return func(a *act) {
		if e, l := a.way(list); e != nil {
			a.destroys(a.Name+" "+strings.Join(append(slices.Clone(l.operands), l.given()...), " "), !e.narrow)
		}
	}
}

func opensService(list []ending, others verb) verb {
	return func(a *act) {
		if others != nil {
			others(a)
		}
		if e, l := a.way(list); e != nil {
			a.does(effect.Grant, a.Name+" "+strings.Join(l.operands, " "))
		}
	}
}

// given are the values of the flags.
func (l *line) given() []string {
	var list []string
	for i := range l.flags {
		if l.flags[i].value != "" {
			list = append(list, l.flags[i].value)
		}
	}
	return list
}
