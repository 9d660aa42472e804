package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/wire"
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
			client, known := connect.Find(args[0])
			if !known {
				return fmt.Errorf("%q is not a client that Sluice knows: use one of %s; for any other set its base URL to the gateway", args[0], clientNames())
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

func newDoctor() *cobra.Command {
	var f reach
	var colours string
	cmd := &cobra.Command{
		Use:   "doctor [CLIENT]",
		Short: "Prove that a gateway stops a destructive call",
		Long: `Asks a running gateway for a canary: an answer with a destructive call, which goes
through the same policies and the same connection as every other answer and must
come back blocked, streamed and whole. No provider is asked. With a client, also
looks whether it is installed and whether its settings lead past the gateway.
Clients: ` + clientNames() + `.

Exit codes: 0 protected; 1 not protected, or nobody answered; 2 wrong usage.`,
		Example: `  sluice doctor                 the gateway, in every dialect
  sluice doctor claude          Claude Code and its settings as well
  sluice doctor --url https://sluice.example.org codex`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := newPainter(colours, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			url, err := f.base()
			if err != nil {
				return err
			}
			result, err := f.examine(cmd, url, args)
			if err != nil {
				return err
			}
			if f.asJSON {
				err = showJSON(cmd.OutOrStdout(), result)
			} else {
				err = showResult(cmd.OutOrStdout(), p, url, result)
			}
			if err != nil {
				return err
			}
			if !result.Protected {
				return exitError(exitIncomplete)
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().StringVar(&colours, "color", "auto", "auto, always or never")
	return cmd
}

// examine looks at the gateway and, if one is named, at a client.
func (f *reach) examine(cmd *cobra.Command, url string, args []string) (connect.Result, error) {
	g := connect.Gateway{BaseURL: url, Key: os.Getenv(f.keyEnv)}
	if len(args) == 1 {
		client, known := connect.Find(args[0])
		if !known {
			return connect.Result{}, fmt.Errorf("%q is not a client that Sluice knows: use one of %s, or none to look at the gateway alone", args[0], clientNames())
		}
		dir, _ := os.Getwd()
		return connect.Doctor(cmd.Context(), client, g, connect.Options{BaseURL: url, Key: g.Key, Env: os.Environ(), Dir: dir}), nil
	}
	all := connect.Result{Protected: true}
	for _, format := range wire.Formats() {
		one := connect.Canary(cmd.Context(), g, format)
		all.Protected = all.Protected && one.Protected
		all.Checks = append(all.Checks, one.Checks...)
		all.TextCalls, all.Note = one.TextCalls, one.Note
		if !one.Protected {
			break // the other dialects would say the same
		}
	}
	return all, nil
}

func showResult(to io.Writer, p painter, url string, r connect.Result) error {
	w := new(strings.Builder)
	fmt.Fprintf(w, "gateway %s\n", oneLine(url, 200))
	for _, c := range r.Checks {
		mark, most := p.paint(green, "ok  "), 160
		if !c.OK {
			mark, most = p.paint(red, "FAIL"), 600
		}
		fmt.Fprintf(w, "  %s %s: %s\n", mark, oneLine(c.Name, 100), oneLine(c.Detail, most))
		if c.Advice != "" {
			fmt.Fprintf(w, "       %s\n", oneLine(c.Advice, 600))
		}
	}
	if r.Note != "" {
		fmt.Fprintf(w, "  note %s\n", oneLine(r.Note, 400))
	}
	if r.TextCalls != "" {
		fmt.Fprintf(w, "  note an agent behind this gateway lets the model write calls as text: %s. Those are not judged.\n", oneLine(r.TextCalls, 400))
		fmt.Fprintf(w, "       Let it use the tool calls of the API, if it can.\n")
	}
	if r.Protected {
		fmt.Fprintln(w, p.paint(green, "PROTECTED: a destructive call does not get through."))
	} else {
		fmt.Fprintln(w, p.paint(red, "NOT PROTECTED: see what failed above."))
	}
	_, err := io.WriteString(to, w.String())
	return err
}
