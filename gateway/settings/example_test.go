package settings_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/sluice-project/sluice/gateway/settings"
)

// A flag is stronger than a variable, and a variable stronger than the file.
func Example() {
	dir, err := os.MkdirTemp("", "settings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "sluice.yaml")
	content := "listen: 127.0.0.1:9000\nlog: {level: warn, format: json}\nkeepalive: 15s\n"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	flags := pflag.NewFlagSet("sluice", pflag.ContinueOnError)
	settings.Flags(flags)
	if err := flags.Parse([]string{"--config", file, "--log-level", "debug"}); err != nil {
		fmt.Println(err)
		return
	}
	s, err := settings.Load(settings.Sources{
		Flags:   flags,
		Environ: []string{"HOME=/home/ada", "SLUICE_LISTEN=127.0.0.1:9001", "SLUICE_LOG_LEVEL=error"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range s.Entries() {
		switch e.Path {
		case "listen", "log.level", "keepalive", "policies":
			fmt.Printf("%s: %s (%s)\n", e.Path, e.Value, filepath.Base(e.Origin))
		}
	}
	// Output:
	// listen: 127.0.0.1:9001 (SLUICE_LISTEN)
	// policies: preset:recommended (default)
	// log.level: debug (flag --log-level)
	// keepalive: 15s (sluice.yaml:3)
}

// All problems come at once, each with its place and what to do.
func ExampleProblems() {
	_, err := settings.Load(settings.Sources{Environ: []string{
		"HOME=/home/ada", "SLUICE_LISTEN=8484", "SLUICE_LIMITS_IDLE=30", "SLUICE_POLICIES=preset:recommend",
	}})
	fmt.Println(err)
	// Output:
	// SLUICE_LISTEN: listen is "8484", not an address to listen on: write 127.0.0.1:8484
	// SLUICE_POLICIES: policies names the preset "recommend", which does not exist: did you mean recommended?
	// SLUICE_LIMITS_IDLE: limits.idle has no unit: write 30s for seconds
}
