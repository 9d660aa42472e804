package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
	"github.com/sluice-project/sluice/wire"
)

func newDemo() *cobra.Command {
	var once bool
	var listen, colours string
	cmd := &cobra.Command{
		Use:   "demo [--once]",
		Short: "Show the gateway at work, without a key or a network",
		Long: `Starts a gateway in front of a model that follows a script, and plays one turn of
an agent: the model makes a harmless call, which passes, and a destructive one,
which does not. No command is run, and nothing outside this machine is contacted.

The gateway stays up afterwards, so that curl and any SDK can talk to it, until
you stop it with Ctrl-C; with --once it exits.

Exit codes: 0 the turn went as it should; 2 it did not, or wrong usage.`,
		Example: `  sluice demo            play the turn and stay up
  sluice demo --once     play the turn and exit`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := newPainter(colours, cmd.OutOrStdout())
			if err != nil {
				return err
			}
			return playDemo(cmd.Context(), cmd.OutOrStdout(), p, listen, once)
		},
	}
	cmd.Flags().BoolVar(&once, "once", false, "exit after the turn")
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8484", "address to listen on; any free port if it is in use")
	cmd.Flags().StringVar(&colours, "color", "auto", "auto, always or never")
	return cmd
}

// The turn that is played.
const (
	demoAsk   = "Make room on this disk, please."
	demoSafe  = `{"command":"du -sh build"}`
	demoGrave = `{"command":"rm -rf ~/ --no-preserve-root"}`
	demoFound = "1.9G\tbuild"
)

// demoModel asks for a harmless call and a destructive one; once it has a
// result, it answers with text.
func demoModel() *scripted.Model {
	return scripted.New(
		scripted.Round{
			scripted.When(answersCall),
			scripted.Text("The build directory takes 1.9 GB. My other idea was blocked, so I leave the rest to you."),
		},
		scripted.Round{
			scripted.When(func(req *llm.Request) bool { return !answersCall(req) }),
			scripted.Text("I'll see how large the build directory is, and then make room."),
			scripted.Call("Bash", demoSafe),
			scripted.Call("Bash", demoGrave),
		},
	)
}

func answersCall(req *llm.Request) bool {
	if len(req.Messages) == 0 {
		return false
	}
	last := req.Messages[len(req.Messages)-1]
	for i := range last.Blocks {
		if last.Blocks[i].Kind == llm.ToolResult {
			return true
		}
	}
	return false
}

// demoUpstream is the scripted model behind the paths of every provider.
func demoUpstream(m *scripted.Model) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		switch {
		case strings.HasSuffix(path, "/messages"):
			m.Handler(wire.Anthropic).ServeHTTP(w, r)
		case strings.HasSuffix(path, "/chat/completions"):
			m.Handler(wire.OpenAIChat).ServeHTTP(w, r)
		case strings.HasSuffix(path, "/responses"):
			m.Handler(wire.OpenAIResponses).ServeHTTP(w, r)
		case strings.HasSuffix(path, "enerateContent"):
			m.Handler(wire.Gemini).ServeHTTP(w, r)
		case strings.HasSuffix(path, "/models"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model","type":"model","display_name":"A model that follows a script",`+
				`"created":1700000000,"created_at":"2023-11-14T22:13:20Z","owned_by":"sluice"}],"has_more":false,"first_id":"scripted","last_id":"scripted"}`)
		default:
			http.NotFound(w, r)
		}
	})
}

// demo is a gateway on a scripted model.
type demo struct {
	url      string
	policies string
	stop     func()

	mu       sync.Mutex
	verdicts []policy.Record
}

// startDemo starts the model and the gateway in front of it.
func startDemo(ctx context.Context, listen string) (*demo, error) {
	loaded, err := file.Load(file.Options{}, "preset:recommended") //nolint:contextcheck // it is embedded
	if err != nil {
		return nil, err
	}
	if host, _, err := net.SplitHostPort(listen); err != nil || net.ParseIP(host) == nil || !net.ParseIP(host).IsLoopback() {
		return nil, fmt.Errorf("the demo serves only this machine: --listen needs a loopback address such as 127.0.0.1:8484, not %q", listen)
	}
	upstream, err := serveOn(ctx, "127.0.0.1:0", demoUpstream(demoModel()))
	if err != nil {
		return nil, err
	}
	d := &demo{policies: countOf(loaded.Set.Len(), "policy", "policies")}
	up := gateway.Upstream{URL: upstream.url}
	g, err := gateway.New(gateway.Config{
		Upstreams: gateway.Upstreams{Anthropic: up, OpenAI: up, Gemini: up, ChatGPT: up},
		Policies:  policy.NewLive(loaded.Set),
		Observe:   d.note,
	})
	if err != nil {
		upstream.stop()
		return nil, err
	}
	front, err := serveOn(ctx, listen, g)
	if errors.Is(err, syscall.EADDRINUSE) {
		front, err = serveOn(ctx, "127.0.0.1:0", g)
	}
	if err != nil {
		upstream.stop()
		return nil, err
	}
	d.url = front.url
	d.stop = func() { //nolint:contextcheck // it ends when the context has
		_ = g.Close()
		front.stop()
		upstream.stop()
	}
	return d, nil
}

func (d *demo) note(e gateway.Event) {
	if e.Record == nil || e.Record.Kind != llm.ToolCall {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.verdicts) < 100 {
		d.verdicts = append(d.verdicts, *e.Record)
	}
}

// onPort is a handler that is being served.
type onPort struct {
	url  string
	stop func()
}

func serveOn(ctx context.Context, address string, h http.Handler) (onPort, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return onPort{}, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	var done sync.WaitGroup
	done.Go(func() { _ = server.Serve(listener) })
	return onPort{"http://" + listener.Addr().String(), func() {
		_ = server.Close()
		done.Wait()
	}}, nil
}

// playDemo plays the turn and stays up.
func playDemo(ctx context.Context, w io.Writer, p painter, listen string, once bool) error {
	d, err := startDemo(ctx, listen)
	if err != nil {
		return err
	}
	defer d.stop()
	tellf(w, "%s in front of a scripted model on %s, with the preset recommended (%s).\n\n", p.paint(bold, "Sluice"), d.url, d.policies)
	if err := d.play(ctx, w, p); err != nil {
		return err
	}
	if once {
		return nil
	}
	tellf(w, "\nThe gateway stays up; the model plays the same turn for everybody. In another terminal:\n\n")
	tellf(w, "  curl -N %s/v1/messages -d '{\"model\":\"scripted\",\"max_tokens\":99,\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}'\n", d.url)
	tellf(w, "  curl -N %s/v1/chat/completions -d '{\"model\":\"scripted\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}'\n", d.url)
	tellf(w, "\nAny SDK works too: base URL %s for Anthropic, %s/v1 for OpenAI; any key will do.\n", d.url, d.url)
	tellf(w, "%s\n", p.paint(dim, "Ctrl-C ends it. `sluice serve` and `sluice run -- claude` do the same in front of real providers."))
	<-ctx.Done()
	return nil
}

// play plays one turn of an agent: question, answer, result, answer.
func (d *demo) play(ctx context.Context, w io.Writer, p painter) error {
	m, err := model.New(model.Config{Format: wire.Anthropic, BaseURL: d.url, Model: "scripted", APIKey: "demo"})
	if err != nil {
		return err
	}
	say := func(who, what string) { tellf(w, "  %s %s\n", p.paint(dim, fmt.Sprintf("%-16s", who)), what) }
	say("the user", demoAsk)
	ask := llm.Message{Role: llm.User, Blocks: []llm.Block{{Kind: llm.Content, Text: demoAsk}}}
	answer, err := model.Collect(ctx, m, &llm.Request{MaxTokens: 1000, Messages: []llm.Message{ask}})
	if err != nil {
		return err
	}
	d.mu.Lock()
	verdicts := d.verdicts
	d.mu.Unlock()
	for i := range verdicts {
		v := &verdicts[i]
		what := v.Name + "  " + oneLine(command(v.In), 200)
		if v.Delivered {
			say("the model calls", what+"  "+p.paint(green, "allowed"))
			continue
		}
		say("the model calls", what+"  "+p.paint(red, "BLOCKED")+" by the policy "+v.Verdict.Policy)
		say("", p.paint(dim, oneLine(v.Verdict.Reason, 400)))
	}
	tellf(w, "\n%s\n", p.paint(bold, "What the agent got:"))
	tellf(w, "%s\n", p.paint(dim, "(the notice first, then the allowed call: no text may follow a call in a message)"))
	reply := llm.Message{Role: llm.Assistant}
	result := llm.Message{Role: llm.User}
	for _, b := range answer.Choices[0].Blocks {
		text := oneLine(b.Text, 400)
		if b.Kind == llm.ToolCall {
			text = b.Name + "  " + oneLine(b.Arguments, 200)
			result.Blocks = append(result.Blocks, llm.Block{Kind: llm.ToolResult, ToolUseID: b.ID, Text: demoFound})
		}
		say(b.Kind.String(), text)
		reply.Blocks = append(reply.Blocks, b)
	}
	if len(result.Blocks) == 0 {
		return errors.New("the harmless call did not arrive: this is a bug, please report it")
	}
	tellf(w, "\n%s\n", p.paint(bold, "The turn goes on with the allowed call:"))
	say("tool_result", oneLine(demoFound, 80))
	last, err := model.Collect(ctx, m, &llm.Request{MaxTokens: 1000, Messages: []llm.Message{ask, reply, result}})
	if err != nil {
		return err
	}
	for _, b := range last.Choices[0].Blocks {
		say(b.Kind.String(), oneLine(b.Text, 400))
	}
	return nil
}

// command is what a call wants to run.
func command(arguments string) string {
	var call struct {
		Command string `json:"command"`
	}
	if json.Unmarshal([]byte(arguments), &call) != nil || call.Command == "" {
		return arguments
	}
	return call.Command
}
