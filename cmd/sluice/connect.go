package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/gateway/settings"
)

// reach are the flags of commands that talk about a gateway that runs.
type reach struct {
	url, keyEnv string
	asJSON      bool
}

func (f *reach) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", "", "`URL` of the gateway; else where sluice serve listens by your configuration")
	cmd.Flags().StringVar(&f.keyEnv, "key-env", "SLUICE_KEY", "`VARIABLE` that has your Sluice key, if the gateway asks for one")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "for programs")
}

// base is the gateway that is meant.
func (f *reach) base() (string, error) {
	if f.url != "" {
		return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(f.url, "/"), "/v1"), "/"), nil
	}
	s, err := settings.Load(settings.Sources{Environ: os.Environ()})
	if err != nil {
		return "", err
	}
	scheme := "http://"
	if s.TLS.Cert != "" {
		scheme = "https://"
	}
	return scheme + s.Listen, nil
}

func clientNames() string {
	names := make([]string, 0, len(connect.Clients()))
	for _, c := range connect.Clients() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

func newConnect() *cobra.Command {
	var f reach
	var managed bool
	var part int
	cmd := &cobra.Command{
		Use:   "connect CLIENT",
		Short: "Print the settings with which a client always goes through a gateway",
		Long: `Prints what to write, and where, so that a client always goes through a gateway:
for yourself, or with --managed for everybody on a machine, in the files that users
cannot change. Nothing is written. Clients: ` + clientNames() + `.

What to write goes to standard output and nothing else does; where to write it, and
what to know about it, goes to standard error. Where there are several files, --part
prints one of them.`,
		Example: `  sluice connect claude
  sluice connect claude > settings.json
  sluice connect gemini --part 2 > settings.json
  sluice connect codex --url https://sluice.example.org
  sluice connect claude --managed`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("name one client: %s", clientNames())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := findClient(args[0], "or set the base URL of any other to the gateway")
			if err != nil {
				return err
			}
			url, err := f.base()
			if err != nil {
				return err
			}
			key := os.Getenv(f.keyEnv)
			if managed && !cmd.Flags().Changed("key-env") {
				key = "" // one's own key is not for everybody
			}
			if key != "" && !strings.HasPrefix(key, "slk_") {
				return fmt.Errorf("%s has no Sluice key: those begin with slk_", f.keyEnv)
			}
			list, err := connect.Settings(client, connect.Options{BaseURL: url, Key: key, Env: os.Environ()}, managed)
			if err != nil {
				return err
			}
			if f.url != "" {
				for i := range list {
					list[i].Check += " --url " + url
				}
			}
			if part < 0 || part > len(list) {
				return fmt.Errorf("--part %d: there are the parts 1 to %d", part, len(list))
			}
			if part > 0 {
				list = list[part-1 : part]
			}
			if f.asJSON {
				return showJSON(cmd.OutOrStdout(), list)
			}
			return showSettings(cmd.OutOrStdout(), cmd.ErrOrStderr(), list)
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&part, "part", 0, "print only the `N`th of several files")
	cmd.Flags().BoolVar(&managed, "managed", false, "for everybody on a machine")
	return cmd
}

// showSettings prints what to write to one place and what to know about it to
// another: on a terminal they stand together, in a file is only what belongs
// there.
func showSettings(to, about io.Writer, list []connect.Setting) error {
	for i, s := range list {
		if i > 0 {
			tellf(about, "\n")
		}
		tellf(about, "%s. Write this into", s.Title)
		if len(list) > 1 {
			tellf(about, " (part %d of %d, alone with --part %d)", i+1, len(list), i+1)
		}
		tellf(about, ":\n")
		for _, place := range s.Places {
			tellf(about, "  %-8s %s\n", place.OS, place.Path)
		}
		tellf(about, "\n")
		if _, err := io.WriteString(to, strings.TrimRight(s.Content, "\n")+"\n"); err != nil {
			return err
		}
		tellf(about, "\n")
		for _, note := range s.Notes {
			tellf(about, "- %s\n", note)
		}
		if s.Check != "" {
			tellf(about, "- Check it with: %s\n", s.Check)
		}
	}
	return nil
}
