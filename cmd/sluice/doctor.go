package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/sluice-project/sluice/wire"
)

func newDoctor() *cobra.Command {
	d := doctor{}
	var colours string
	cmd := &cobra.Command{
		Use:   "doctor [flags] [CLIENT]",
		Short: "Prove that a gateway stops a destructive call",
		Long: `Asks a running gateway for a canary: an answer with a destructive call, which goes
through the same policies and the same connection as every other answer and must
come back blocked, streamed and whole. No provider is asked. With a client, it also
checks whether the client is installed and whether its settings bypass the gateway.
Clients: ` + clientNames() + `.

With --run it starts a private gateway as "sluice run" does, with the same
configuration, and asks that one: the proof for people who start their agents with
"sluice run". It does the same if no gateway was named or configured, no client is
set up for one, and nothing listens at the default address. If the client's own
settings name a gateway at another address, that one is asked.

Exit codes: 0 protected; 1 not protected, the client is not installed, or no
gateway answered; 2 wrong usage.`,
		Example: `  sluice doctor                 the gateway, in every dialect
  sluice doctor --run claude    Claude Code as "sluice run -- claude" starts it
  sluice doctor claude          Claude Code and its permanent settings
  sluice doctor --url https://sluice.example.org codex
  sluice doctor --json | jq '.checks[] | select(.ok | not)'`,
		Args: atMostOne("CLIENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := newPainter(colours, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if d.private && d.url != "" {
				return errors.New("--run starts a gateway of its own: leave --url out")
			}
			report, err := d.examine(cmd, args)
			if err != nil {
				return err
			}
			if d.asJSON {
				err = showJSON(cmd.OutOrStdout(), report)
			} else {
				err = showResult(cmd.OutOrStdout(), p, report)
			}
			if err != nil {
				return err
			}
			if !report.Protected {
				return exitError(exitIncomplete)
			}
			return nil
		},
	}
	d.register(cmd)
	cmd.Flags().BoolVar(&d.private, "run", false, "check a private gateway, as \"sluice run\" starts it")
	cmd.Flags().StringVar(&colours, "color", "auto", "auto, always or never")
	return cmd
}

// doctor says what to examine.
type doctor struct {
	reach
	private bool
}

// doctorReport is what was found.
type doctorReport struct {
	// Gateway is the one that was asked; if Private, it was started for this
	// purpose, as "sluice run" does.
	Gateway string `json:"gateway"`
	Private bool   `json:"private"`
	// Why says why it was a private one although --run was not given.
	Why string `json:"why,omitempty"`
	connect.Result
}

// examine checks the gateway and, if one is named, a client.
func (d *doctor) examine(cmd *cobra.Command, args []string) (doctorReport, error) {
	client := connect.Client{}
	if len(args) == 1 {
		var err error
		if client, err = findClient(args[0], "or none to check the gateway alone"); err != nil {
			return doctorReport{}, err
		}
	}
	if d.private {
		return d.examinePrivate(cmd, client, "")
	}
	base, err := d.base()
	if err != nil {
		return doctorReport{}, err
	}
	if d.unused(cmd.Context(), base) {
		if own := d.ownGateway(cmd.Context(), client, base); own != "" {
			report := doctorReport{Gateway: own, Why: "the settings of " + client.Title + " name this address"}
			report.Result = d.ask(cmd.Context(), client, connect.Gateway{BaseURL: own, Key: os.Getenv(d.keyEnv)})
			return report, nil
		}
		return d.examinePrivate(cmd, client, "nothing listens at "+base+", and no client is set up for it: this is the gateway that `sluice run` starts")
	}
	return doctorReport{Gateway: base, Result: d.ask(cmd.Context(), client, connect.Gateway{BaseURL: base, Key: os.Getenv(d.keyEnv)})}, nil
}

// ask asks a gateway for canaries and checks a client, if there is one.
func (d *doctor) ask(ctx context.Context, client connect.Client, g connect.Gateway) connect.Result {
	if client.Known() {
		dir, _ := os.Getwd()
		return connect.Doctor(ctx, client, g, connect.Options{BaseURL: g.BaseURL, Key: g.Key, Env: os.Environ(), Dir: dir})
	}
	all := connect.Result{Protected: true}
	for _, format := range wire.Formats() {
		one := connect.Canary(ctx, g, format)
		all.Protected = all.Protected && one.Protected
		all.Checks = append(all.Checks, one.Checks...)
		all.TextCalls, all.Note = one.TextCalls, one.Note
		if !one.Protected {
			break // the other dialects would say the same
		}
	}
	return all
}

// examinePrivate starts a gateway as `sluice run` does and asks that one.
func (d *doctor) examinePrivate(cmd *cobra.Command, client connect.Client, why string) (doctorReport, error) {
	s, err := loadSettings(cmd)
	if err != nil {
		return doctorReport{}, err
	}
	s.Listen, s.AuditLog = "127.0.0.1:0", "" // a canary is not traffic
	private(s)
	srv, err := server.New(s, server.Options{Log: newLog(io.Discard, s.Log), Version: version()})
	if err != nil {
		return doctorReport{}, cannotServe(cmd, err)
	}
	serving, stop := context.WithCancel(context.WithoutCancel(cmd.Context()))
	served := make(chan error, 1)
	go func() { served <- srv.Run(serving) }()
	result := d.ask(cmd.Context(), client, connect.Gateway{BaseURL: srv.URL(), Private: true})
	_ = srv.Close()
	stop()
	<-served
	return doctorReport{Gateway: srv.URL(), Private: true, Why: why, Result: result}, nil
}

// unused reports whether nobody expects a gateway at the default address: none is
// named or configured, no client is set up for it, and nothing listens there.
// Then the gateways that matter are those of `sluice run`.
func (d *doctor) unused(ctx context.Context, base string) bool {
	if d.url != "" {
		return false
	}
	s, err := settings.Load(settings.Sources{Environ: os.Environ()})
	if err != nil || s.Origin("listen") != "default" || len(settledClients(base)) > 0 {
		return false
	}
	return !listens(ctx, "http://"+s.Listen)
}

// ownGateway is the address of a gateway that the client's own settings name instead of the
// default one, empty if they name none: a gateway that answers, or an address at which
// nothing listens. What else answers there is what `sluice run` forwards to.
func (d *doctor) ownGateway(ctx context.Context, client connect.Client, base string) string {
	if !client.Known() {
		return ""
	}
	dir, _ := os.Getwd()
	launch, err := connect.Prepare(client, connect.Options{BaseURL: base, Env: os.Environ(), Dir: dir})
	if err != nil {
		return ""
	}
	for _, upstream := range slices.Sorted(maps.Keys(launch.Upstream)) {
		own, err := connect.BaseURL(launch.Upstream[upstream])
		if err != nil {
			continue
		}
		if !listens(ctx, own) || connect.Canary(ctx, connect.Gateway{BaseURL: own, Key: os.Getenv(d.keyEnv)}, client.Formats[0]).Protected {
			return own
		}
	}
	return ""
}

// listens reports whether somebody takes connections at the address of a URL.
func listens(ctx context.Context, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Host
	if u.Port() == "" {
		host = net.JoinHostPort(u.Hostname(), u.Scheme) // its usual port
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err == nil {
		_ = connection.Close()
	}
	return err == nil
}

// settledClients returns the names of the clients whose own settings point at a
// gateway.
func settledClients(base string) []string {
	dir, _ := os.Getwd()
	var names []string
	for _, client := range connect.Clients() {
		launch, err := connect.Prepare(client, connect.Options{BaseURL: base, Env: os.Environ(), Dir: dir})
		if err == nil && launch.Permanent {
			names = append(names, client.Name)
		}
	}
	return names
}

func showResult(to io.Writer, p painter, r doctorReport) error {
	w := new(strings.Builder)
	what := "gateway "
	if r.Private {
		what = "a private gateway, as `sluice run` starts it, at "
	}
	fmt.Fprintf(w, "%s%s\n", what, oneLine(r.Gateway, 200))
	if r.Why != "" {
		fmt.Fprintf(w, "  note %s\n", oneLine(r.Why, 400))
	}
	for i, c := range r.Checks {
		if c.OK && i > 0 && r.Checks[i-1].OK && r.Checks[i-1].Detail == c.Detail { // of another dialect
			fmt.Fprintf(w, "  %s %s: the same\n", p.paint(green, "ok  "), oneLine(c.Name, 100))
			continue
		}
		if c.OK {
			fmt.Fprintf(w, "  %s %s: %s\n", p.paint(green, "ok  "), oneLine(c.Name, 100), oneLine(c.Detail, 600))
			continue
		}
		fmt.Fprintf(w, "  %s %s\n", p.paint(red, "FAIL"), oneLine(c.Name, 100))
		fmt.Fprintf(w, "       expected: %s\n", oneLine(c.Expected, 400))
		fmt.Fprintf(w, "       found:    %s\n", oneLine(c.Detail, 600))
		fmt.Fprintf(w, "       to do:    %s\n", oneLine(c.Advice, 600))
	}
	if r.Note != "" {
		fmt.Fprintf(w, "  note %s\n", oneLine(r.Note, 400))
	}
	if r.TextCalls != "" {
		fmt.Fprintf(w, "  note an agent behind this gateway has the model write calls as text: %s. These are not judged.\n", oneLine(r.TextCalls, 400))
		fmt.Fprintf(w, "       Let it use the tool calls of the API, if it can.\n")
	}
	switch {
	case r.Protected && r.Private:
		fmt.Fprintln(w, p.paint(green, "PROTECTED with `sluice run`: a destructive call does not get through. Programs started without it are not protected."))
	case r.Protected:
		fmt.Fprintln(w, p.paint(green, "PROTECTED: a destructive call does not get through."))
	case r.Missing != "":
		fmt.Fprintln(w, p.paint(yellow, "NOT INSTALLED: "+r.Missing+" was not found, so there is nothing to protect yet. The gateway stops a destructive call."))
	default:
		fmt.Fprintln(w, p.paint(red, "NOT PROTECTED: see what failed above."))
	}
	_, err := io.WriteString(to, w.String())
	return err
}
