package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
	plainerr "github.com/sluice-project/sluice/internal/plain"
	"github.com/sluice-project/sluice/policy/file"
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Run the gateway, which agents and SDKs use instead of a provider",
		Long: `Serve runs the gateway. Agents and SDKs use it instead of a provider and behave as
before, except that calls that the policies block do not reach them.
Without any configuration it listens on 127.0.0.1:8484, forwards requests to the
public providers with the clients' own credentials, and enforces
` + defaultPolicies + `. Policy files add to it; --policies preset:none leaves it out.

Every value can be set by a flag, a variable (SLUICE_LISTEN for --listen) or in
a YAML file (--config); "sluice config" shows all of them, and where each came
from.

Signals: SIGTERM and SIGINT let running answers finish (limits.drain, 30 s by
default); a second one ends them at once. SIGHUP reloads the policies and the
certificate, reopens the audit log, and logs which other settings have changed and
need a restart. Policy files and certificates are also reloaded whenever they
change; if one cannot be used, that is logged, and the last good one stays in
force.

Exit codes: 0 it was stopped, and every exchange was finished; 1 exchanges were
cut off, or the audit log is incomplete; 2 wrong usage, the configuration or the
policies cannot be used, or it cannot listen.`,
		Example: `  sluice serve
  sluice serve --policies policies.yaml
  sluice serve --listen 127.0.0.1:0 --audit-log audit.jsonl
  sluice serve --upstream-openai http://127.0.0.1:11434/v1
  SLUICE_KEYS=ada=slk_... sluice serve --listen 0.0.0.0:8484 --tls-cert cert.pem --tls-key key.pem
  ANTHROPIC_BASE_URL=http://127.0.0.1:8484 _CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL=1 claude`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := loadSettings(cmd)
			if err != nil {
				return err
			}
			return serve(cmd, s, server.Options{})
		},
	}
	settings.Flags(cmd.Flags())
	settings.ServeFlags(cmd.Flags())
	return cmd
}

// loadSettings reads the configuration. It prints all problems itself.
func loadSettings(cmd *cobra.Command) (*settings.Settings, error) {
	s, err := readSettings(cmd)
	if err == nil {
		return s, nil
	}
	for _, p := range settingsProblems(err) {
		cmd.PrintErrln("sluice:", oneLine(p.String(), 1000))
	}
	return nil, exitError(exitUnreadable)
}

// readSettings reads the current configuration from flags, environment and
// file.
func readSettings(cmd *cobra.Command) (*settings.Settings, error) {
	return settings.Load(settings.Sources{Flags: cmd.Flags(), Environ: os.Environ()})
}

// settingsProblems returns what is wrong with a configuration.
func settingsProblems(err error) settings.Problems {
	if problems, ok := errors.AsType[settings.Problems](err); ok {
		return problems
	}
	return settings.Problems{{Origin: "configuration", Message: err.Error()}}
}

// serve runs a gateway until the command's context is done or a signal comes.
func serve(cmd *cobra.Command, s *settings.Settings, o server.Options) error {
	o.Version = version()
	o.Settings = func() (*settings.Settings, error) { return readSettings(cmd) }
	cmd.SetErr(&oneAtATime{to: cmd.ErrOrStderr()})
	queue := newLogQueue(cmd.ErrOrStderr(), s.Log)
	defer queue.close()
	o.Log = newLog(queue, s.Log)
	o.Out, o.Audit = cmd.OutOrStdout(), cmd.OutOrStdout()
	if s.AuditLog == "-" {
		o.Out = cmd.ErrOrStderr() // standard output has only lines of the log
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // from the beginning: SIGHUP would end the process
	defer signal.Stop(signals)
	srv, err := server.New(s, o)
	if err != nil {
		queue.close()
		return cannotServe(cmd, err)
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	over := make(chan struct{})
	defer close(over)
	go handleSignals(signals, over, srv, stop)
	server.SpareCollections()
	if err := srv.Run(ctx); err != nil {
		queue.close()
		cmd.PrintErrln("sluice:", oneLine(err.Error(), 600))
		return exitError(exitIncomplete)
	}
	o.Log.Info("stopped")
	return nil
}

// handleSignals drains, stops and reloads a server on signals until it has stopped.
func handleSignals(signals <-chan os.Signal, over <-chan struct{}, srv *server.Server, drain context.CancelFunc) {
	draining := false
	for {
		select {
		case <-over:
			return
		case got := <-signals:
			switch {
			case got == syscall.SIGHUP:
				_ = srv.Reload() // it logs what is wrong
			case !draining:
				draining = true
				drain()
			default:
				_ = srv.Close() // Run returns the error
			}
		}
	}
}

// cannotServe says why a gateway cannot be started.
func cannotServe(cmd *cobra.Command, err error) error {
	if problems, ok := errors.AsType[file.Problems](err); ok {
		cmd.PrintErrln("sluice: the policies cannot be used:")
		printProblems(cmd, problems)
		return exitError(exitUnreadable)
	}
	cmd.PrintErrln("sluice:", oneLine(plainerr.Error(err), 1000))
	return exitError(exitUnreadable)
}

func newLog(w io.Writer, l settings.Log) *slog.Logger {
	options := &slog.HandlerOptions{Level: l.Level}
	if l.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
