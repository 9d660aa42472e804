package fileops

import (
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// IsNothingRead reports whether files, or else the input, are known to be empty.
func IsNothingRead(a *invocation.Act, in *command.Reading) bool {
	return nothingFrom(a, in.Certain("path")) || nothingFrom(a, in.Values("path"))
}

// nothingFrom reports whether files, or else the input, are known to be empty.
func nothingFrom(a *invocation.Act, files []string) bool {
	for _, p := range files {
		if p != "/dev/null" {
			return false
		}
	}
	return len(files) > 0 || nothingIn(a)
}

// CutsValues reports whether cut removes all or most of what follows the names.
func CutsValues(_ *invocation.Act, in *command.Reading) bool {
	if fields := in.Value("fields"); fields != "" {
		by := in.Value("delimiter")
		return fields == "1" && (by == "=" || by == ":" || by == " ") && !in.Has("complement") && in.Surely("fields")
	}
	columns := in.Value("characters") + in.Value("bytes")
	_, last, ok := strings.Cut(columns, "-")
	if !ok {
		last = columns
	}
	n, err := strconv.Atoi(last)
	return err == nil && n <= output.MostGlimpse && in.Surely("characters", "bytes")
}

// DumpsMemory is gcore: everything in the memory of a process, also of those that keep
// keys for others.
func DumpsMemory(a *invocation.Act, in *command.Reading) {
	words := in.Values("process")
	for i := range a.Words() {
		words = append(words, a.Words()[i].About)
	}
	text := strings.ToLower(strings.Join(words, " "))
	for _, keeper := range []string{"ssh-agent", "gpg-agent", "keyring", "keychain", "kwallet", "1password", "bitwarden", "keepass", "vault", "chrome", "firefox", "sshd", "lsass"} {
		if strings.Contains(text, keeper) {
			guard.Reveals(a, "credentials in the memory of "+keeper)
			return
		}
	}
}
