package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/connect"
	"github.com/sluice-project/sluice/gateway/server"
	"github.com/sluice-project/sluice/gateway/settings"
)

// exitUnprotected is the exit code of a run in which nothing went through the
// gateway.
const exitUnprotected = 4

func newRun() *cobra.Command {
	var shadow, quiet bool
	cmd := &cobra.Command{
		Use:   "run [flags] [--] COMMAND [ARGUMENT...]",
		Short: "Start an agent behind a gateway of its own",
		Long: `Starts a private gateway on a free port, and a program whose requests go through
it. Claude Code, Codex, opencode, Qwen Code and Gemini CLI are known by name and
get the settings that each of them needs; any other program gets the variables that
the SDKs of OpenAI, Anthropic and Google read. Logins, keys and settings keep
working, and none of your files are changed.

While the program runs, nothing is written to the terminal: the gateway logs to a
file, which the summary at the end names; the last 20 are kept. Signals and the
exit code are passed through.

If no request went through Sluice, nothing was protected, and the exit code is 4.
That does not apply if no model was asked: a known client was started for something
else (codex login, claude mcp list, --version), or for a terminal session in which
it reached the gateway and asked nothing, or which ended within 5 seconds.

Exit codes: that of the program; 2 if it could not be started; 4 if it was not
protected.`,
		Example: `  sluice run -- claude                       Claude Code, judged by the preset recommended
  sluice run --policies team.yaml -- codex   Codex, judged by your own policies as well
  sluice run --shadow -- claude -p "tidy up" only observe: what would be blocked?
  sluice run -- python agent.py              any program that uses an official SDK`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a program to start: sluice run -- claude")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("listen") {
				// It must not be where `sluice serve` listens, which may be its
				// upstream.
				if err := cmd.Flags().Set("listen", "127.0.0.1:0"); err != nil {
					return err
				}
			}
			if listen, _ := cmd.Flags().GetString("listen"); strings.Contains(listen, ":") {
				if err := onlyHere(listen); err != nil {
					return err
				}
			}
			s, err := loadSettings(cmd)
			if err != nil {
				return err
			}
			for _, w := range s.Warnings {
				cmd.PrintErrln("sluice: warning:", oneLine(w.String(), 1000))
			}
			r := &runner{s: s, shadow: shadow, quiet: quiet, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), err: cmd.ErrOrStderr()}
			return r.run(cmd.Context(), args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	settings.Flags(cmd.Flags())
	settings.SessionFlags(cmd.Flags())
	cmd.Flags().Lookup("listen").Usage = "loopback address for the private gateway, HOST:PORT (default a free port of 127.0.0.1; " +
		"SLUICE_LISTEN and the configuration file are for sluice serve and do not apply here)"
	cmd.Flags().BoolVar(&shadow, "shadow", false, "only observe: record verdicts, block nothing")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "print no summary at the end, unless something was not protected")
	return cmd
}

// runner runs one program behind a gateway.
type runner struct {
	s             *settings.Settings
	shadow, quiet bool
	in            io.Reader
	out, err      io.Writer
	tally         tally
}

func (r *runner) run(ctx context.Context, args []string) error {
	client, known := connect.Find(args[0])
	if !known {
		client = connect.Generic(args[0])
	}
	dir, _ := os.Getwd()
	opt := connect.Options{BaseURL: "http://127.0.0.1:1", Env: r.environment(), Args: args[1:], Dir: dir}
	// The user's own setup, without a gateway, decides where the gateway
	// forwards to.
	launch, err := connect.Prepare(client, opt)
	if err != nil {
		return err
	}
	if err := r.settle(&launch, dir); err != nil {
		return err
	}
	log, err := openRunLog(r.s)
	if err != nil {
		return err
	}
	begun := time.Now()
	code, err := r.behind(ctx, client, opt, log)
	name := log.end()
	if err != nil {
		return err
	}
	return r.report(code, name, evidence{
		client: client, purpose: client.Purpose(opt.Args), terminal: isTerminal(r.in), lasted: time.Since(begun),
	})
}

// environment is this process's environment without the gateway's own secrets.
func (r *runner) environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return r.s.IsSecretVariable(name)
	})
}

// behind runs the client behind a gateway and returns its exit code.
func (r *runner) behind(ctx context.Context, client connect.Client, opt connect.Options, log io.Writer) (int, error) {
	srv, err := server.New(r.s, server.Options{ //nolint:contextcheck // it lives until it is closed
		Log: newLog(log, r.s.Log), Version: version(), Observe: r.tally.note, Shadow: r.shadow, Notice: r.tally.notice,
	})
	if err != nil {
		return 0, err
	}
	opt.BaseURL, opt.ForeignUpstream = srv.URL(), r.foreign()
	launch, err := connect.Prepare(client, opt)
	if err != nil {
		return 0, errors.Join(err, srv.Close()) //nolint:contextcheck // see above
	}
	return r.start(ctx, srv, launch)
}

// withCode exits with the exit code of the program.
func withCode(code int) error {
	if code != exitOK {
		return exitError(code)
	}
	return nil
}

// onlyHere refuses an address that other machines can reach: `sluice run` asks for no
// key.
func onlyHere(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--listen %s is not a loopback address, and run serves only this machine: write 127.0.0.1:PORT, or use sluice serve for other machines", listen)
	}
	return nil
}

// settle turns the settings into those of a private gateway.
func (r *runner) settle(launch *connect.Launch, dir string) error {
	if r.s.AuditLog == "-" {
		return errors.New("run writes nothing to the terminal: name a file for the audit log")
	}
	if err := onlyHere(r.s.Listen); err != nil {
		return err
	}
	private(r.s)
	for name, to := range launch.Upstream {
		if err := r.useUpstreams(name, to); err != nil {
			return err
		}
	}
	home, _ := os.UserHomeDir()
	r.s.Session.Cwd = cmp.Or(r.s.Session.Cwd, dir)
	r.s.Session.Home = cmp.Or(r.s.Session.Home, home)
	return nil
}

// private removes settings that only shared gateways need. A private one serves
// this user alone, so it needs no keys, no certificate and no keys of providers.
func private(s *settings.Settings) {
	s.Keys, s.IssuedKeys, s.TLS, s.Insecure = nil, "", settings.TLS{}, false
}

// useUpstreams makes the gateway forward to where the user's own setup points, unless a
// flag says otherwise.
func (r *runner) useUpstreams(name, to string) error {
	up := map[string]*settings.Upstream{
		"anthropic": &r.s.Upstreams.Anthropic, "openai": &r.s.Upstreams.OpenAI,
		"gemini": &r.s.Upstreams.Gemini, "chatgpt": &r.s.Upstreams.ChatGPT,
	}[name]
	if up == nil || strings.HasPrefix(r.s.Origin("upstreams."+name+".url"), "flag") {
		return nil
	}
	u, err := url.Parse(to)
	if err != nil || u.Host == "" {
		return fmt.Errorf("your environment points the program at %q, which is not a URL", to)
	}
	if up.URL.Host != u.Host {
		up.Key, up.KeyEnv = settings.Secret{}, "" // it was meant for another upstream
	}
	up.URL = u
	return nil
}

// foreign reports whether Claude Code's requests go to a host other than
// Anthropic's.
func (r *runner) foreign() bool {
	return r.s.Upstreams.Anthropic.URL.Host != "api.anthropic.com"
}

// start serves while the program runs.
func (r *runner) start(ctx context.Context, srv *server.Server, launch connect.Launch) (code int, err error) {
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	served := make(chan error, 1)
	go func() { served <- srv.Run(serving) }()
	if !r.quiet && connect.Found(launch) { // what cannot be started needs no notes
		for _, note := range launch.Notes {
			tellf(r.err, "sluice: %s\n", oneLine(note, 1000))
		}
	}
	code, err = connect.Run(ctx, launch, connect.RunOptions{Stdin: r.in, Stdout: r.out, Stderr: r.err})
	_ = srv.Close() //nolint:contextcheck // nobody is left who waits for an answer
	stop()
	<-served
	return code, err
}

// report says what happened and returns the exit code. The log is empty if there
// is none.
func (r *runner) report(code int, log string, e evidence) error {
	t := &r.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		for _, text := range t.notices { // also where no summary is wanted
			tellf(r.err, "sluice: NOTE: %s\n", oneLine(text, 1000))
		}
	}()
	e.reached = t.other > 0
	switch {
	case t.requests > 0 && r.quiet:
		tellf(r.err, "%s", t.notJudged())
	case t.requests > 0:
		tellf(r.err, "%s", t.summary(r.shadow, log))
	case e.alarming():
		tellf(r.err, "%s", e.alarm(code, log))
		return exitError(exitUnprotected)
	case e.purpose != connect.Manage && !r.quiet:
		tellf(r.err, "sluice: no model was asked\n")
	}
	return withCode(code)
}
