package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/service"
)

func newService() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Run the gateway permanently, as a service",
		Long: `A client that has the gateway in its settings does not work while no gateway runs.
A service keeps one running: it starts when you log in, or with --system when the
machine boots, and is restarted whenever it ends.

On Linux it is a systemd unit: your own, or with --system one with a user of its
own, whose data the user of an agent cannot read. On macOS a launchd file is
printed. On Windows let the Task Scheduler start "sluice serve"; install prints how.`,
		Example: `  sluice service install --dry-run
  sluice service install
  sluice service status
  sluice service remove
  sluice service install --system`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	cmd.AddCommand(newServiceInstall(), newServiceStatus(), newServiceRemove())
	return cmd
}

// serving has the flags of the service commands.
type serving struct {
	system, dryRun, asJSON, force bool
	config                        string
}

func (f *serving) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.system, "system", false, "the machine-wide service, with a user of its own")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
}

func newServiceInstall() *cobra.Command {
	f := &serving{}
	cmd := &cobra.Command{
		Use:   "install [flags]",
		Short: "Install and start the service",
		Long: `Writes the files of the service and starts it. With --dry-run it prints them and the
commands, and does nothing. Run it again after you update or move the program.

Exit codes: 0 it is installed; 1 a command failed; 2 wrong usage, or it cannot be
installed here.`,
		Example: `  sluice service install --dry-run
  sluice service install
  sluice service install --config /home/ada/gateway.yaml
  sluice service install --system`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			plan, err := f.plan()
			if err != nil {
				return err
			}
			if f.asJSON {
				return showJSON(cmd.OutOrStdout(), plan)
			}
			if f.dryRun || plan.Manual {
				return showPlan(cmd.OutOrStdout(), cmd.ErrOrStderr(), &plan)
			}
			return install(cmd, &plan)
		},
	}
	f.register(cmd)
	cmd.Flags().Lookup("json").Usage = "print files and commands as JSON, and do nothing"
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print files and commands, and do nothing")
	cmd.Flags().StringVar(&f.config, "config", "", "configuration `FILE` of the gateway (default: your own, or /etc/sluice/config.yaml with --system)")
	return cmd
}

// plan returns what the service consists of.
func (f *serving) plan() (service.Plan, error) {
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return service.Plan{}, fmt.Errorf("cannot find the path of this program: %w", err)
	}
	config := f.config
	if config != "" {
		if config, err = filepath.Abs(config); err != nil {
			return service.Plan{}, err
		}
		if _, err := os.Stat(config); err != nil {
			return service.Plan{}, err
		}
	}
	home, err := os.UserHomeDir()
	if err != nil && !f.system {
		return service.Plan{}, err
	}
	plan, err := service.New(service.Options{
		OS: runtime.GOOS, System: f.system, Program: filepath.ToSlash(program), Config: filepath.ToSlash(config), Home: home, ConfigHome: os.Getenv("XDG_CONFIG_HOME"),
	})
	if err == nil && f.system && runtime.GOOS == "linux" && !f.dryRun && !f.asJSON && os.Geteuid() != 0 {
		return service.Plan{}, errors.New("only root can install a machine-wide service: run this with sudo")
	}
	return plan, err
}

// showPlan prints files and commands.
func showPlan(to, about io.Writer, plan *service.Plan) error {
	for _, f := range plan.Files {
		tellf(about, "# %s (mode %#o)\n", f.Path, f.Mode)
		if _, err := io.WriteString(to, f.Content); err != nil {
			return err
		}
	}
	for _, c := range plan.Install {
		tellf(about, "$ %s\n", c)
	}
	for _, note := range plan.Notes {
		tellf(about, "- %s\n", note)
	}
	return nil
}

func install(cmd *cobra.Command, plan *service.Plan) error {
	for _, f := range plan.Files {
		if _, err := os.Stat(f.Path); err == nil && f.Keep {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil { //nolint:gosec // systemd reads it, and secrets are not in it
			return err
		}
		if err := os.WriteFile(f.Path, []byte(f.Content), fs.FileMode(f.Mode)); err != nil {
			return err
		}
		tellf(cmd.ErrOrStderr(), "written: %s\n", f.Path)
	}
	if err := carryOut(cmd, plan.Install); err != nil {
		return err
	}
	for _, note := range plan.Notes {
		tellf(cmd.ErrOrStderr(), "- %s\n", note)
	}
	tellf(cmd.ErrOrStderr(), "installed and started; check it with: sluice doctor\n")
	return nil
}

// carryOut runs commands and stops at the first that fails.
func carryOut(cmd *cobra.Command, list []service.Command) error {
	for _, c := range list {
		if out, err := output(cmd.Context(), c); err != nil {
			return failed(cmd, c, out, err)
		}
	}
	return nil
}

// failed says why a command failed and what to do.
func failed(cmd *cobra.Command, c service.Command, out string, err error) error {
	why := strings.TrimSpace(out)
	if _, ran := errors.AsType[*exec.ExitError](err); !ran || why == "" {
		why = strings.TrimSpace(why + " " + err.Error())
	}
	if noSystemd(why) {
		why += ": systemd does not run here, or not for you; start the gateway with `sluice serve` instead"
	}
	cmd.PrintErrf("sluice: `%s` failed: %s\n", c, oneLine(why, 600))
	return exitError(exitIncomplete)
}

func output(ctx context.Context, c service.Command) (string, error) {
	out, err := exec.CommandContext(ctx, c[0], c[1:]...).CombinedOutput() //nolint:gosec // the commands are the program's own
	return string(out), err
}

func newServiceStatus() *cobra.Command {
	f := &serving{}
	cmd := &cobra.Command{
		Use:   "status [flags]",
		Short: "Say whether the service is installed and running",
		Long: `Says whether the service is installed, enabled and running.

Exit codes: 0 it is running; 1 it is not; 2 wrong usage.`,
		Example: `  sluice service status
  sluice service status --system --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runtime.GOOS != "linux" {
				return errors.New("status knows only systemd services: use launchctl or the Task Scheduler")
			}
			words := service.Command{"systemctl", "--user"}
			if f.system {
				words = words[:1]
			}
			ask := func(what string) string {
				out, err := output(cmd.Context(), append(append(service.Command{}, words...), what, service.Name+".service"))
				word, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
				_, ran := errors.AsType[*exec.ExitError](err)
				switch {
				case strings.HasSuffix(word, "No such file or directory") && strings.Contains(word, service.Name+".service"):
					return "not-found" // newer systemds say it themselves
				case err != nil && !ran || strings.Contains(word, " "):
					return "unknown"
				}
				return word
			}
			report := struct {
				Active  string `json:"active"`
				Enabled string `json:"enabled"`
			}{ask("is-active"), ask("is-enabled")}
			if f.asJSON {
				if err := showJSON(cmd.OutOrStdout(), report); err != nil {
					return err
				}
			} else {
				tellf(cmd.OutOrStdout(), "running: %s\nstarts by itself: %s\n", stateInWords(report.Active), stateInWords(report.Enabled))
				if report.Active != "active" {
					again := "sluice service install"
					if f.system {
						again += " --system"
					}
					tellf(cmd.OutOrStdout(), "install or start it with: %s\n", again)
				}
			}
			if report.Active != "active" {
				return exitError(exitIncomplete)
			}
			return nil
		},
	}
	f.register(cmd)
	return cmd
}

// stateInWords is a state of systemd for people.
func stateInWords(state string) string {
	switch state {
	case "active", "enabled":
		return "yes"
	case "inactive", "disabled":
		return "no"
	case "not-found":
		return "no, it is not installed"
	case "unknown":
		return "unknown, because systemd does not answer"
	}
	return oneLine(state, 60)
}

func newServiceRemove() *cobra.Command {
	f := &serving{}
	cmd := &cobra.Command{
		Use:   "remove [flags]",
		Short: "Stop and remove the service",
		Long: `Stops the service and removes its files. Configuration and data stay. It refuses
while one of your clients has the gateway in its settings, because that client would
stop working; --force removes it anyway.

Exit codes: 0 it is removed, or was not installed; 1 a command failed; 2 wrong
usage, or a client still needs it.`,
		Example: `  sluice service remove
  sluice service remove --dry-run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runtime.GOOS != "linux" {
				return errors.New("remove handles only systemd services: use launchctl bootout or schtasks /Delete")
			}
			home, _ := os.UserHomeDir()
			plan, err := service.New(service.Options{OS: runtime.GOOS, System: f.system, Program: "sluice", Home: home, ConfigHome: os.Getenv("XDG_CONFIG_HOME")})
			if err != nil {
				return err
			}
			url, err := (&reach{}).base()
			if err != nil {
				return err
			}
			if names := settledClients(url); len(names) > 0 && !f.force {
				return fmt.Errorf("%s would stop working, because their settings point at %s: run `sluice connect %s --undo` first, or use --force", strings.Join(names, ", "), url, names[0])
			}
			return f.remove(cmd, &plan)
		},
	}
	f.register(cmd)
	cmd.Flags().Lookup("json").Hidden = true
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be done, and do nothing")
	cmd.Flags().BoolVar(&f.force, "force", false, "remove it even while clients are set up for it")
	return cmd
}

func (f *serving) remove(cmd *cobra.Command, plan *service.Plan) error {
	if f.dryRun {
		for _, c := range plan.Stop {
			tellf(cmd.OutOrStdout(), "$ %s\n", c)
		}
	} else if !installed(plan) {
		tellf(cmd.ErrOrStderr(), "the service is not installed: there is nothing to remove\n")
		return nil
	}
	stopped := true
	if !f.dryRun {
		var err error
		if stopped, err = stop(cmd, plan.Stop); err != nil {
			return err
		}
	}
	for _, file := range plan.Files {
		switch {
		case file.Keep:
			continue
		case f.dryRun:
			tellf(cmd.OutOrStdout(), "remove %s\n", file.Path)
			continue
		}
		if err := os.Remove(file.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		tellf(cmd.ErrOrStderr(), "removed: %s\n", file.Path)
	}
	if f.dryRun || !stopped {
		return nil
	}
	return carryOut(cmd, plan.Remove)
}

// installed reports whether a file of the service is there that would be removed.
func installed(plan *service.Plan) bool {
	return slices.ContainsFunc(plan.Files, func(file service.File) bool {
		_, err := os.Lstat(file.Path)
		return !file.Keep && err == nil
	})
}

// stop stops the service. Where systemd does not run, nothing of it does, and only its
// files are left to remove; then it returns false.
func stop(cmd *cobra.Command, list []service.Command) (stopped bool, err error) {
	for _, c := range list {
		if out, err := output(cmd.Context(), c); err != nil && noSystemd(out) {
			tellf(cmd.ErrOrStderr(), "systemd does not run here, or not for you: only the files of the service are removed, and a gateway that still runs keeps running\n")
			return false, nil
		} else if err != nil {
			return false, failed(cmd, c, out, err)
		}
	}
	return true, nil
}

// noSystemd reports whether systemctl says that there is no systemd to talk to.
func noSystemd(out string) bool {
	return strings.Contains(out, "connect to bus") || strings.Contains(out, "has not been booted with systemd")
}
