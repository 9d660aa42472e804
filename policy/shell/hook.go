package shell

import "github.com/sluice-project/sluice/policy/command"

// hooks are what descriptions cannot say by themselves. A hook is told the values of
// an invocation by their roles.
var hooks = map[string]func(a *act, in *command.Reading){
	"ansible-module": ansibleModule,
	"compose-run":    composeRuns,
	"compose-scale":  composeScales,
	"container-copy": containerCopies,
	"container-run":  containerRuns,
	"copy-named":     copiesNamed,
	"install-from":   func(a *act, in *command.Reading) { a.installsFrom(in.Name+" plugin", in.Value("source")) },
	"kube-change":    kubeChanges,
	"kube-delete":    kubeDeletes,
	"kube-server":    kubeServer,
	"kubectl-inside": kubectlInside,
	"terragrunt-run": terragruntRuns,
	"vagrant-shares": vagrantShares,
}

// contexts are facts about where a program runs.
var contexts = map[string]func(a *act, in *command.Reading) bool{
	"own-volume":     hasOwnVolume,
	"test-label":     hasTestLabel,
	"destroy-plan":   isPlanOfRuin,
	"local-aws":      terraformLocal,
	"local-cluster":  func(a *act, in *command.Reading) bool { return !a.namesLive() && a.kubeLocal(in) },
	"chosen-cluster": func(a *act, in *command.Reading) bool { return !a.namesLive() && a.kubeChosen(in) },
}
