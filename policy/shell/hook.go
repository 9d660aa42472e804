package shell

import "github.com/sluice-project/sluice/policy/command"

// hooks are what descriptions cannot say by themselves. A hook is told the values of
// an invocation by their roles.
var hooks = map[string]func(a *act, in *command.Reading){
	"ansible-module":  ansibleModule,
	"aws-lifecycle":   awsLifecycle,
	"aws-objects":     awsObjects,
	"aws-policy":      awsPolicy,
	"aws-records":     awsRecords,
	"aws-remote":      awsRemote,
	"aws-send":        awsSends,
	"aws-setting":     awsSetting,
	"cloud-download":  cloudDownloads,
	"cloud-upload":    cloudUploads,
	"compose-run":     composeRuns,
	"compose-scale":   composeScales,
	"container-copy":  containerCopies,
	"container-run":   containerRuns,
	"copy-named":      copiesNamed,
	"install-from":    func(a *act, in *command.Reading) { a.installsFrom(in.Name+" plugin", in.Value("source")) },
	"kube-change":     kubeChanges,
	"kube-delete":     kubeDeletes,
	"kube-server":     kubeServer,
	"kubectl-inside":  kubectlInside,
	"minio-copy":      minioCopies,
	"objects":         objects,
	"platform-sql":    platformSQL,
	"sql-flags":       func(a *act, _ *command.Reading) { a.sqlFlags() },
	"sql-input":       func(a *act, _ *command.Reading) { a.sqlInput(standardSQL) },
	"wrangler-secret": func(a *act, _ *command.Reading) { a.sendsTo("cloudflare.com") },
	"wrangler-sql":    wranglerSQL,
	"terragrunt-run":  terragruntRuns,
	"vagrant-shares":  vagrantShares,
}

// contexts are facts about where a program runs.
var contexts = map[string]func(a *act, in *command.Reading) bool{
	"own-volume":         hasOwnVolume,
	"test-label":         hasTestLabel,
	"destroy-plan":       isPlanOfRuin,
	"local-aws-endpoint": awsLocal,
	"local-aws":          terraformLocal,
	"local-cluster":      func(a *act, in *command.Reading) bool { return !a.namesLive() && a.kubeLocal(in) },
	"chosen-cluster":     func(a *act, in *command.Reading) bool { return !a.namesLive() && a.kubeChosen(in) },
}
