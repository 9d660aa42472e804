package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/issued"
	"github.com/sluice-project/sluice/gateway/settings"
)

func newKeys() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "Issue, list and revoke clients' keys",
		Long: `Keys say who may use a gateway. They are issued here and stored as hashes in the
directory "keys" of the data directory; a gateway that uses this directory accepts
new keys and refuses revoked ones without a restart. From the first key on, every
request needs one, even on this machine, and even when all are revoked.

Roles say what a key may be used for:
  send     requests to models (the default)
  read     metrics, the status and live events
  approve  decide where a policy asks (nothing uses it yet)
  admin    all admin routes, but no requests to models

Keys in the configuration work alongside them; they are listed here, and changed in
the configuration. To use a gateway without keys again, remove the directory
"keys" and restart it.

Exit codes: 0 done; 1 a key that is stored cannot be read; 2 wrong usage, there is
no such key, or it cannot be stored.`,
		Example: `  sluice keys new ada
  sluice keys new prometheus --role read
  sluice keys list
  sluice keys revoke ada`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newKeysNew(), newKeysList(), newKeysRevoke())
	return cmd
}

// keyPlace returns the directory for keys, and the keys of the configuration.
func keyPlace(cmd *cobra.Command) (dir string, configured []settings.Key, err error) {
	s, err := settings.Load(settings.Sources{Flags: cmd.Flags(), Environ: os.Environ(), MakesKeys: true})
	if err != nil {
		for _, p := range settingsProblems(err) {
			cmd.PrintErrln("sluice:", oneLine(p.String(), 1000))
		}
		return "", nil, exitError(exitUnreadable)
	}
	if s.IssuedKeys == "" {
		return "", nil, errors.New("there is no data directory to store keys in: name one with --data or SLUICE_DATA")
	}
	return s.IssuedKeys, s.Keys, nil
}

// shownKey is a key as people and programs are shown it.
type shownKey struct {
	Name        string     `json:"name"`
	Roles       []string   `json:"roles"`
	User        string     `json:"user,omitempty"`
	Groups      []string   `json:"groups,omitempty"`
	Fingerprint string     `json:"fingerprint"`
	Created     *time.Time `json:"created,omitempty"`
	// From is "issued" or "configuration".
	From string `json:"from"`
	// Key is the key itself, when it is issued and never again.
	Key string `json:"key,omitempty"`
}

func shown(k *issued.Key) shownKey {
	return shownKey{Name: k.Name, Roles: k.Roles, User: k.User, Groups: k.Groups, Fingerprint: k.Fingerprint(), Created: &k.Created, From: "issued"}
}

func newKeysNew() *cobra.Command {
	var k issued.Key
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Issue a key and show it once",
		Long: `Issues a key and prints it to standard output. It is shown only this once, because
only its hash is stored. Clients send it in the header X-Sluice-Key, or in place of
the provider's key.

Exit codes: 0 it was issued; 2 wrong usage, or it cannot be stored.`,
		Example: `  sluice keys new ada
  sluice keys new ci --user build --group release
  sluice keys new prometheus --role read --json`,
		Args: oneName,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, configured, err := keyPlace(cmd)
			if err != nil {
				return err
			}
			k.Name = args[0]
			if slices.ContainsFunc(configured, func(c settings.Key) bool { return c.Name == k.Name }) {
				return fmt.Errorf("%s is a key of the configuration: choose another name", k.Name)
			}
			_, missing := os.Stat(dir)
			secret, made, err := issued.New(dir, k)
			if err != nil {
				return err
			}
			if asJSON {
				one := shown(&made)
				one.Key = secret
				return showJSON(cmd.OutOrStdout(), one)
			}
			tellf(cmd.OutOrStdout(), "%s\n", secret)
			tellf(cmd.ErrOrStderr(), "sluice: the key %s may %s; it is not shown again\n", made.Name, strings.Join(made.Roles, ", "))
			if missing != nil && len(configured) == 0 {
				tellf(cmd.ErrOrStderr(), "sluice: from now on every request to a gateway that keeps its keys in %s needs a key, also from this machine\n", oneLine(dir, 300))
			}
			return nil
		},
	}
	settings.DataFlags(cmd.Flags())
	cmd.Flags().StringSliceVar(&k.Roles, "role", nil, "what it may be used for: "+strings.Join(gateway.RoleNames(), ", ")+"; can be repeated (default send)")
	cmd.Flags().StringVar(&k.User, "user", "", "the user, for policies and the audit log")
	cmd.Flags().StringSliceVar(&k.Groups, "group", nil, "a group of the user, for policies; can be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func oneName(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s needs one name: %s ada", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

func newKeysList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the keys by name, without their values",
		Long: `Lists the keys that were issued and those of the configuration: who they are for and
what they may be used for. The keys themselves are not stored.

Exit codes: 0 they were listed; 1 one cannot be read; 2 wrong usage.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, configured, err := keyPlace(cmd)
			if err != nil {
				return err
			}
			list := []shownKey{}
			for _, k := range configured {
				roles, err := gateway.ParseRoles(k.Roles...)
				if err != nil {
					return err
				}
				list = append(list, shownKey{Name: k.Name, Roles: roles.Names(), User: k.User, Groups: k.Groups, Fingerprint: k.Fingerprint(), From: "configuration"})
			}
			found, wrong := issued.List(dir)
			for i := range found {
				list = append(list, shown(&found[i]))
			}
			if asJSON {
				err = showJSON(cmd.OutOrStdout(), list)
			} else {
				err = showKeys(cmd, list, dir)
			}
			if wrong != nil {
				cmd.PrintErrln("sluice:", oneLine(wrong.Error(), 1000))
				return exitError(exitIncomplete)
			}
			return err
		},
	}
	settings.DataFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON list")
	return cmd
}

// showKeys prints keys for people.
func showKeys(cmd *cobra.Command, list []shownKey, dir string) error {
	if _, err := os.Stat(dir); err == nil && len(list) == 0 { // removing keys must not open a gateway
		tellf(cmd.OutOrStdout(), "no keys, and every request is refused, because keys were issued here before: issue one with `sluice keys new NAME`%s\n", wayBack(dir, nil))
		return nil
	}
	if len(list) == 0 {
		tellf(cmd.OutOrStdout(), "no keys: issue one with `sluice keys new NAME`\n")
		return nil
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	tellf(w, "NAME\tROLES\tUSER\tGROUPS\tFINGERPRINT\tCREATED\n")
	for _, k := range list {
		created := "(configuration)"
		if k.Created != nil {
			created = k.Created.Format(time.DateOnly)
		}
		tellf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", k.Name, strings.Join(k.Roles, ","), orDash(k.User), orDash(strings.Join(k.Groups, ",")), k.Fingerprint, created)
	}
	return w.Flush()
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return oneLine(text, 60)
}

// senders are the names of the keys that may send requests.
func senders(dir string, configured []settings.Key) ([]string, error) {
	var names []string
	for _, k := range configured {
		roles, err := gateway.ParseRoles(k.Roles...)
		if err != nil {
			return nil, err
		}
		if slices.Contains(roles.Names(), sends) {
			names = append(names, k.Name)
		}
	}
	found, _ := issued.List(dir) // what is no key sends nothing
	for i := range found {
		if slices.Contains(found[i].Roles, sends) {
			names = append(names, found[i].Name)
		}
	}
	return names, nil
}

// sends is the role of keys that may be used for requests to models.
const sends = "send"

// wayBack says how a gateway needs no keys again.
func wayBack(dir string, configured []settings.Key) string {
	if len(configured) > 0 {
		return ""
	}
	return fmt.Sprintf("; to need no keys again on this machine, remove %s and restart the gateway", oneLine(dir, 300))
}

func newKeysRevoke() *cobra.Command {
	var asJSON, force bool
	cmd := &cobra.Command{
		Use:   "revoke NAME",
		Short: "Revoke a key",
		Long: `Revokes a key. When the command has returned, gateways on this data directory refuse
new requests with it; answers that are in progress are finished.

Without any key that may send, gateways refuse every request, even on this machine,
until one is issued. So the last one is revoked only with --force.

Exit codes: 0 it is revoked; 2 there is no such key, it is the last one, or wrong
usage.`,
		Args: oneName,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, configured, err := keyPlace(cmd)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(configured, func(c settings.Key) bool { return c.Name == args[0] }) {
				return fmt.Errorf("%s is a key of the configuration: remove it there, and restart the gateway", args[0])
			}
			names, err := senders(dir, configured)
			if err != nil {
				return err
			}
			last := len(names) == 1 && names[0] == args[0]
			if last && !force {
				return fmt.Errorf("%s is the last key that may send: without it every request is refused, also on this machine: issue another one first (sluice keys new NAME), or say --force", args[0])
			}
			if err := issued.Revoke(dir, args[0]); err != nil {
				return err
			}
			time.Sleep(2 * issued.LookEvery) // by then every gateway has checked
			if asJSON {
				return showJSON(cmd.OutOrStdout(), map[string]string{"revoked": args[0]})
			}
			tellf(cmd.OutOrStdout(), "revoked %s\n", args[0])
			if last {
				tellf(cmd.ErrOrStderr(), "sluice: no key is left that may send: every request is refused until you issue one with `sluice keys new NAME`%s\n", wayBack(dir, configured))
			}
			return nil
		},
	}
	settings.DataFlags(cmd.Flags())
	cmd.Flags().BoolVar(&force, "force", false, "revoke it although no other key may send")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
