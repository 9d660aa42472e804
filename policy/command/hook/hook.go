package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
	"github.com/sluice-project/sluice/policy/program/windows"
)

// Described is what a program of the catalogue does.
func Described(name string) invocation.Verb {
	return func(a *invocation.Act) { Resolve(a, command.Builtin().Program(name)) }
}

// Resolve reads the command with the description of its program.
func Resolve(a *invocation.Act, p *command.Program) {
	a.Kinds = p.EffectKinds()
	d := invocation.DescribedAct{Act: a, Windows: p.IsForWindows()}
	args := a.Args
	if d.Windows {
		args = windowsArgs(a)
	}
	p.Resolve(output.Invocation(a, args), &d)
	d.Write()
}

// Hooks are what descriptions cannot say by themselves. A hook is told the values of
// an invocation by their roles.
var Hooks = map[string]func(a *invocation.Act, in *command.Reading){
	"framework":           frameworkPlace,
	"mongo":               mongo,
	"redis":               redis,
	"sql-database-file":   sqlFileClient,
	"sql-variables":       sqlVariables,
	"store-script":        storeScript,
	"gh-api":              ghAPI,
	"git-add":             gitAdd,
	"git-address":         gitRemoteIs,
	"git-alias":           gitAlias,
	"git-apply":           gitApply,
	"git-clean-tree":      func(a *invocation.Act, _ *command.Reading) { gitCleans(a, ".") },
	"git-clone":           gitClone,
	"git-config":          gitConfig("--kept"),
	"git-config-for-good": gitConfig("--for-good"),
	"git-discard":         gitDiscards,
	"git-discard-all":     gitDiscardsAll,
	"git-fetch":           gitFetch,
	"git-hide":            func(a *invocation.Act, in *command.Reading) { gitHides(a, in.Values("path")...) },
	"git-hook-files":      gitHookFiles,
	"git-objects":         gitObjects,
	"git-paths":           gitPaths,
	"git-place":           gitPlace,
	"git-push":            gitPush,
	"git-refs-from-input": gitUpdatesListed,
	"git-staged":          func(a *invocation.Act, _ *command.Reading) { a.Looks(false, output.Staged(a)...) },
	"git-settings-file":   func(a *invocation.Act, in *command.Reading) { gitSettingsIn(a, in.Value("value")) },
	"git-template":        gitTemplate,
	"asks-name":           asksName,
	"browser":             browses,
	"carry":               carries,
	"carry-registry":      carriesImage,
	"carry-files":         carriesFiles,
	"file-server":         servesFiles,
	"file-server-configured": func(a *invocation.Act, in *command.Reading) {
		if len(in.Values("dir")) > 0 {
			servesFiles(a, in)
		}
	},
	"file-transfer": fileops.TransferFiles,
	"netcat":        fileops.Netcat,
	"nmap-script": func(a *invocation.Act, in *command.Reading) { // a program in Lua
		for _, file := range in.Values("script") {
			if content, known := a.FileGiven(file); known {
				a.R.Shell.LookOver(a, content)
			} else if strings.Contains(file, "/") {
				a.Does(effect.Run, a.Path(file))
			}
		}
	},
	"transfer":       transfer,
	"upload":         uploads,
	"rclone-put":     func(a *invocation.Act, in *command.Reading) { a.SendsTo(placeOf(in.Value("target"))) },
	"rails-secret":   func(a *invocation.Act, _ *command.Reading) { output.RailsSecret(a) },
	"request":        requests(false, false),
	"request-fed":    requests(true, false),
	"request-saves":  requests(false, true),
	"socat":          fileops.Socat,
	"ssh":            fileops.SecureShell,
	"ssh-key":        fileops.CopyKey,
	"talk":           func(a *invocation.Act, in *command.Reading) { fileops.Talks(a, strings.Join(in.Values("word"), ":")) },
	"apple-script":   fileops.RunsAppleScript,
	"compose-run":    composeRuns,
	"attributes":     fileops.Chattr,
	"awk":            fileops.Awk,
	"clipboard":      func(a *invocation.Act, _ *command.Reading) { a.R.Clipped = true },
	"copy":           fileops.Duplicate,
	"cpio":           fileops.Cpio,
	"dd":             fileops.Dd,
	"ed":             fileops.Ed,
	"emacs":          fileops.Emacs,
	"install-file":   fileops.InstallFile,
	"link":           fileops.Link,
	"make-directory": fileops.MakesDirectory,
	"mode":           fileops.Chmod,
	"move":           fileops.Move,
	"lands":          fileops.Lands,
	"owner":          fileops.Owned,
	"patch":          fileops.Patched,
	"remove-empty":   fileops.RemovesEmpty,
	"rename":         fileops.Renamed,
	"rsync":          fileops.Rsync,
	"scp":            fileops.Scp,
	"sed":            fileops.Sed,
	"tar":            fileops.Tar,
	"tee":            fileops.Tee,
	"vi":             fileops.Vi,
	"jq-environment": fileops.JqEnvironment,
	"memory-dump":    fileops.DumpsMemory,
	"signature": func(a *invocation.Act, in *command.Reading) {
		if in.Has("verify") {
			signedFile(a, in.Values("path"))
		}
	},
	"container-exec":  containerExecutes,
	"container-run":   containerRuns,
	"image-registry":  asksImageRegistry,
	"crontab":         fileops.ReplacesCrontab,
	"bun-file":        func(a *invocation.Act, _ *command.Reading) { follow.CodeVerb("bun")(a) },
	"nix-shell":       nixShell,
	"make":            makes,
	"package-script":  runsScript,
	"python-run":      runsPython,
	"run-with-files":  output.RunsWithFiles,
	"show-variables":  output.ShowsVariables,
	"name-variables":  namesVariables,
	"other-user":      func(a *invocation.Act, _ *command.Reading) { a.Sudo = true },
	"parallel":        fileops.Parallel,
	"typed-keys":      fileops.TypedKeys,
	"run-behind-file": fileops.RunsBehindFile,
	"mysql-init": func(a *invocation.Act, in *command.Reading) {
		for _, text := range in.Values("init") { // before all others
			a.SQL(text, invocation.MySQL)
		}
	},
	"calls-system": func(a *invocation.Act, in *command.Reading) {
		for _, text := range in.Values("instruction") {
			follow.Calls(a, text, "system(", "popen(")
		}
	},
	"tmux-formats":      fileops.TmuxFormats,
	"kill":              fileops.KillsProcesses,
	"kube-delete":       kubeDeletes,
	"kube-secret":       fileops.KubeSecret,
	"other-program":     func(a *invocation.Act, _ *command.Reading) { guard.Otherwise(a) }, // what else it does is not described
	"split-string":      fileops.SplitsString,
	"sudo-answers":      fileops.SudoAnswers,
	"vagrant-shares":    vagrantShares,
	"wine":              func(a *invocation.Act, _ *command.Reading) { follow.Wine(a) },
	"agent-settings":    guard.AgentSettings,
	"bus-variables":     guard.BusVariables,
	"end-port":          guard.EndsPort,
	"fill-disk":         fileops.FillsDisk,
	"host-files":        guard.HostFiles,
	"kill-found":        guard.KillsFound,
	"process-variables": guard.ProcessVariables,
	"verify":            func(a *invocation.Act, in *command.Reading) { fileops.Verify(a, in.Value("verified")) },
	"verify-sums":       fileops.VerifySums,
}

// Contexts are facts about where a program runs.
var Contexts = map[string]func(a *invocation.Act, in *command.Reading) bool{
	"git-log-expires":  gitLogExpires,
	"names-guard":      func(a *invocation.Act, _ *command.Reading) bool { return guard.NamesGuard(a) },
	"another-user":     func(a *invocation.Act, _ *command.Reading) bool { return a.Sudo },
	"asks-little":      fileops.AsksLittle,
	"cuts-values":      fileops.CutsValues,
	"masks-values":     fileops.MasksValues,
	"packs-to-output":  fileops.PacksToOutput,
	"prints-names":     fileops.PrintsNames,
	"names-credential": fileops.NamesCredential,
	"nothing-read":     fileops.IsNothingRead,
	"elsewhere":        fileops.IsElsewhere,
	"interposed":       guard.IsInterposed,
	"piped":            func(a *invocation.Act, _ *command.Reading) bool { return a.In.Piped },
	"search-shows":     output.SearchShows,
	"destroy-plan":     isPlanOfRuin,
	"local-aws":        terraformLocal,
	"local-cluster":    func(a *invocation.Act, in *command.Reading) bool { return !namesLive(a) && kubeLocal(a, in) },
	"chosen-cluster":   func(a *invocation.Act, in *command.Reading) bool { return !namesLive(a) && kubeChosen(a, in) },
	"listed-branch":    gitFromList,
	"every-branch":     func(a *invocation.Act, _ *command.Reading) bool { return gitEvery(a, true) },
	"outside-project":  func(a *invocation.Act, in *command.Reading) bool { return gitOutside(a, in.Value("value")) },
	"other-host": func(_ *invocation.Act, in *command.Reading) bool {
		return gitHost(in.Value("url")) != gitHost(in.Value("value"))
	},
	"another-machine": func(a *invocation.Act, _ *command.Reading) bool { return a.Remote },
}

// windowsArgs are the arguments as cmd.exe reads them.
func windowsArgs(a *invocation.Act) []string {
	words := windows.Words(follow.WindowsLine(a))[1:]
	if len(words) != len(a.Args) {
		return a.Args
	}
	for i, word := range words {
		if strings.ReplaceAll(word, `\`, "") != strings.ReplaceAll(a.Args[i], `\`, "") {
			return a.Args // they were not cut by a shell
		}
	}
	return words
}
