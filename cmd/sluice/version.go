package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Set at link time for a release (see .goreleaser.yaml). Other builds say
// what the Go tool recorded.
var (
	releaseVersion string
	releaseCommit  string
	releaseDate    string
)

// build says which program this is.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisBuild reads the stamp of a release and what the Go tool recorded.
func thisBuild() build {
	b := build{Version: "unknown", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if b.Version = info.Main.Version; b.Version == "" || b.Version == "(devel)" {
			b.Version = "development build"
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if releaseVersion != "" {
		b.Version, b.Commit, b.Date = releaseVersion, releaseCommit, releaseDate
	}
	return b
}

// version is the version with what it was built with, in one line.
func version() string {
	b := thisBuild()
	return b.Version + " (" + b.Go + ")"
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the commit of this program",
		Long: `Version prints the version, the commit it was built from, the version of Go and the
platform. A build that was not made from a checkout of the repository has no commit.

Exit codes: 0 it was printed; 2 wrong usage.`,
		Example: `  sluice version
  sluice version --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b := thisBuild()
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(b)
			}
			commit := "not recorded"
			if b.Commit != "" {
				commit = b.Commit
				if b.Modified {
					commit += ", with uncommitted changes"
				}
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "sluice %s\ncommit:   %s\ngo:       %s\nplatform: %s\n", b.Version, commit, b.Go, b.Platform)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
