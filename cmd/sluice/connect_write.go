package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/wire"
)

// editReport is the JSON form of what was done to one file.
type editReport struct {
	Title string `json:"title"`
	Path  string `json:"path"`
	// Changes: the file needs a change. Written: it was changed.
	Changes bool     `json:"changes"`
	Written bool     `json:"written"`
	Copy    string   `json:"copy"`
	Diff    string   `json:"diff"`
	Notes   []string `json:"notes"`
}

// edit shows what would change in a client's files and, with --write, changes it.
func (f *connecting) edit(cmd *cobra.Command, client connect.Client, opt connect.Options) error {
	edits, err := connect.Edits(client, opt, f.managed)
	if err != nil {
		return err
	}
	reports := make([]editReport, 0, len(edits))
	for _, e := range edits {
		notes := e.Notes
		if notes == nil {
			notes = []string{}
		}
		reports = append(reports, editReport{Title: e.Title, Path: e.Path, Changes: e.Changes(), Diff: e.Diff(), Notes: notes})
	}
	if !f.asJSON {
		if err := showEdits(cmd.OutOrStdout(), reports); err != nil {
			return err
		}
	}
	if f.write && pending(reports) {
		if !f.yes && !f.asJSON && isTerminal(cmd.InOrStdin()) && !agrees(cmd) {
			return exitError(exitIncomplete)
		}
		for i, e := range edits {
			if reports[i].Copy, err = e.Write(); err != nil {
				return err
			}
			reports[i].Written = reports[i].Copy != ""
			if reports[i].Written && !f.asJSON {
				kept := "the original file is kept as " + reports[i].Copy
				if connect.Created(reports[i].Copy) {
					kept = "the file is new, and --undo removes it"
				}
				tellf(cmd.ErrOrStderr(), "written: %s; %s\n", e.Path, kept)
			}
		}
	}
	if f.asJSON {
		return showJSON(cmd.OutOrStdout(), reports)
	}
	f.next(cmd, client, opt)
	return nil
}

// pending reports whether anything has to be written.
func pending(reports []editReport) bool {
	for i := range reports {
		if reports[i].Changes {
			return true
		}
	}
	return false
}

func showEdits(to io.Writer, reports []editReport) error {
	var b strings.Builder
	for _, r := range reports {
		if !r.Changes {
			fmt.Fprintf(&b, "%s: %s is already set up\n", r.Title, r.Path)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", r.Title)
		for line := range strings.SplitSeq(strings.TrimSuffix(r.Diff, "\n"), "\n") {
			b.WriteString(oneLine(line, 400) + "\n")
		}
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "note: %s\n", oneLine(note, 600))
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// agrees asks the person at the terminal.
func agrees(cmd *cobra.Command) bool {
	tellf(cmd.ErrOrStderr(), "Write this? [y/N] ")
	answer, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}

// next says what to do next. A client whose base URL nothing listens at does not
// work at all.
func (f *connecting) next(cmd *cobra.Command, client connect.Client, opt connect.Options) {
	check := "sluice doctor " + client.Name
	if f.url != "" {
		check += " --url " + opt.BaseURL
	}
	listens := answers(cmd.Context(), opt.BaseURL)
	if !listens {
		tellf(cmd.ErrOrStderr(), "warning: nothing listens at %s: %s does not work with these settings until a gateway runs there; `sluice service install` runs one permanently\n", opt.BaseURL, client.Title)
	}
	if found := connect.Canary(cmd.Context(), connect.Gateway{BaseURL: opt.BaseURL, Key: opt.Key}, wire.Formats()[0]); listens && !found.Protected {
		tellf(cmd.ErrOrStderr(), "warning: what listens at %s does not answer as a gateway should: %s\n", opt.BaseURL, oneLine(found.Checks[0].Detail, 300))
	}
	tellf(cmd.ErrOrStderr(), "check it with: %s\n", check)
}

// answers reports whether something listens at a URL.
func answers(ctx context.Context, base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}

// restore undoes what --write changed.
func (f *connecting) restore(cmd *cobra.Command, client connect.Client, opt connect.Options) error {
	paths, err := connect.Files(client, opt, f.managed)
	if err != nil {
		return err
	}
	type undone struct {
		Path     string `json:"path"`
		Restored bool   `json:"restored"`
		// LeftAlone are members that were changed since.
		LeftAlone []string `json:"left_alone"`
	}
	list := make([]undone, 0, len(paths))
	for _, path := range paths {
		done, err := connect.Undo(path)
		if err != nil {
			return err
		}
		list = append(list, undone{path, done.Restored, listed(done.LeftAlone)})
		if len(done.LeftAlone) > 0 && !f.asJSON {
			tellf(cmd.ErrOrStderr(), "%s: left alone, because it was changed since: %s\n", path, oneLine(strings.Join(done.LeftAlone, ", "), 400))
		}
		switch {
		case f.asJSON:
		case !done.Restored:
			tellf(cmd.OutOrStdout(), "%s: nothing to undo\n", path)
		default:
			what := "is restored"
			if _, err := os.Stat(path); err != nil {
				what = "is removed, because --write created it"
			}
			tellf(cmd.OutOrStdout(), "%s %s\n", path, what)
		}
	}
	if f.asJSON {
		return showJSON(cmd.OutOrStdout(), list)
	}
	return nil
}
