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

// reach are the flags of commands that need a running gateway.
type reach struct {
	url, keyEnv string
	asJSON      bool
}

func (f *reach) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", "", "`URL` of the gateway (default: where sluice serve listens according to your configuration)")
	cmd.Flags().StringVar(&f.keyEnv, "key-env", "SLUICE_KEY", "`VARIABLE` that holds your Sluice key, if the gateway needs one")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
}

// base returns the URL of the gateway.
func (f *reach) base() (string, error) {
	if f.url != "" {
		url, err := connect.BaseURL(f.url)
		if err != nil {
			return "", fmt.Errorf("--url: %w", err)
		}
		return url, nil
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
	f := connecting{}
	cmd := &cobra.Command{
		Use:   "connect [flags] CLIENT",
		Short: "Point a client at a gateway permanently",
		Long: `Prints what to write, and where, so that a client always goes through a gateway:
for yourself, or with --managed for everybody on a machine, in files that users
cannot change. Clients: ` + clientNames() + `.

Standard output has what to write and nothing else; where to write it, and what to
know about it, goes to standard error. If there are several files, --part prints one
of them.

--write edits the files itself: it shows the diff, asks if it is on a terminal,
keeps a copy beside each file and replaces the file atomically. Everything else in
the files stays as it is, including comments and indentation, and what is already
set is not written again. A file that cannot be parsed is left alone, and the error
says where it is broken. --dry-run only shows the diff. --undo restores the files as
they were before.

A client that is set up permanently needs a gateway that always runs: see
"sluice service install --help".

Exit codes: 0 done, or there was nothing to do; 1 you said no; 2 wrong usage, or a
file cannot be read or written.`,
		Example: `  sluice connect claude
  sluice connect claude --dry-run
  sluice connect claude --write
  sluice connect claude --undo
  sluice connect gemini --part 2 > settings.json
  sluice connect codex --url https://sluice.example.org
  sluice connect claude --managed`,
		Args: exactlyOne("CLIENT (" + clientNames() + ")"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.part, "part", 0, "print only the `N`th of several files")
	flags.BoolVar(&f.managed, "managed", false, "for everybody on a machine")
	flags.BoolVar(&f.write, "write", false, "change the files, and keep a copy of each")
	flags.BoolVar(&f.undo, "undo", false, "restore the files as they were before --write")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show what --write would change")
	flags.BoolVarP(&f.yes, "yes", "y", false, "write without asking")
	cmd.MarkFlagsMutuallyExclusive("write", "undo", "dry-run", "part")
	return cmd
}

// connecting has the flags of connect.
type connecting struct {
	reach
	part                              int
	managed, write, undo, dryRun, yes bool
}

func (f *connecting) run(cmd *cobra.Command, name string) error {
	client, err := findClient(name, "or set the base URL of any other to the gateway")
	if err != nil {
		return err
	}
	url, err := f.base()
	if err != nil {
		return err
	}
	key := os.Getenv(f.keyEnv)
	if f.managed && !cmd.Flags().Changed("key-env") {
		key = "" // a user's own key is not for everybody
	}
	if key != "" && !strings.HasPrefix(key, "slk_") {
		return fmt.Errorf("%s does not hold a Sluice key: those begin with slk_", f.keyEnv)
	}
	opt := connect.Options{BaseURL: url, Key: key, Env: os.Environ()}
	switch {
	case f.undo:
		return f.restore(cmd, client, opt)
	case f.write || f.dryRun:
		return f.edit(cmd, client, opt)
	}
	list, err := connect.Settings(client, opt, f.managed)
	if err != nil {
		return err
	}
	if f.url != "" {
		for i := range list {
			list[i].Check += " --url " + url
		}
	}
	if f.part < 0 || f.part > len(list) {
		return fmt.Errorf("--part %d: the parts are numbered 1 to %d", f.part, len(list))
	}
	if f.part > 0 {
		list = list[f.part-1 : f.part]
	}
	if f.asJSON {
		return showJSON(cmd.OutOrStdout(), list)
	}
	return showSettings(cmd.OutOrStdout(), cmd.ErrOrStderr(), list)
}

// showSettings prints what to write to one writer and what to know about it
// to another: on a terminal both are shown, and a redirect to a file gets
// only what belongs there.
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
