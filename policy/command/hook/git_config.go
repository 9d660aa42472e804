package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// gitConfig sets something for a repository, or for good, for everything that runs in it
// from now on.
func gitConfig(kept string) func(a *invocation.Act, in *command.Reading) {
	return func(a *invocation.Act, in *command.Reading) {
		for _, key := range follow.Few(a, in.Values("key")) { // more than one if it is not known which it is
			gitSetting(a, key, in.Value("value"), kept)
		}
	}
}

// gitSetting says what a setting makes git do from now on, or this time.
func gitSetting(a *invocation.Act, key, value string, kept ...string) {
	a.Part("_git-setting", append(kept, "--", strings.ToLower(key), value)...)
}

// gitSettingsIn reads a file of settings that the conversation wrote, for one
// command or for good.
func gitSettingsIn(a *invocation.Act, file string) {
	if invocation.IsNoFile(file) {
		return
	}
	content, known := a.File(file)
	if !known {
		return
	}
	section := ""
	for text := range strings.Lines(content) {
		text = strings.TrimSpace(text)
		if inner, ok := strings.CutPrefix(text, "["); ok {
			inner, _, _ = strings.Cut(inner, "]")
			name, sub, _ := strings.Cut(inner, " ")
			section = strings.TrimSuffix(name+"."+strings.Trim(sub, ` "`), ".")
			continue
		}
		if key, value, ok := strings.Cut(text, "="); ok && a.R.Pay(invocation.StepCost) {
			gitSetting(a, section+"."+strings.TrimSpace(key), strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
}

// gitOutside reports whether a directory is none of the project's.
func gitOutside(a *invocation.Act, dir string) bool {
	if !strings.HasPrefix(dir, "/") && !strings.HasPrefix(dir, "~") && !strings.HasPrefix(dir, "..") {
		return false
	}
	at := a.Path(dir)
	return a.At.Cwd == "" || !strings.HasPrefix(at+"/", strings.TrimSuffix(a.At.Cwd, "/")+"/")
}

// gitHost is the host of an address in any of git's forms.
func gitHost(address string) string {
	if strings.Contains(address, "://") {
		return invocation.HostOf(address)
	}
	return strings.ToLower(fileops.SSHHost(address))
}
