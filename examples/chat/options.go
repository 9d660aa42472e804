package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sluice-project/sluice/agent"
	"github.com/sluice-project/sluice/model"
	"github.com/sluice-project/sluice/wire"
)

// options are the parsed flags.
type options struct {
	model        model.Model
	modelName    string
	db           string
	conversation string
	policies     []string
	dir          string
	mode         agent.StreamMode
	shell        bool
	ask          string
}

const usage = `Chat with an agent: an answer that streams, tools, a memory and policies.

  chat                                        a model that follows a script: no key, no network
  chat -ask "Which files are here?"           one question, then the end
  chat -db chat.db -conversation work         remember, also tomorrow
  chat -shell -policies preset:paranoid       let the model run commands, and be asked about more of them
  chat -model anthropic:claude-sonnet-4-5     with ANTHROPIC_API_KEY
  chat -model openai:gpt-5-mini               with OPENAI_API_KEY
  chat -model gemini:gemini-2.5-flash         with GEMINI_API_KEY
  chat -model openai:qwen3 -base-url http://127.0.0.1:11434/v1
                                              any server that speaks the dialect, with CHAT_API_KEY if it wants a key

Ctrl-C cancels an answer, and exits if there is none. Questions can also come
through a pipe, one in a line.

`

// parse parses the flags. Errors are written to w.
func parse(arguments []string, w io.Writer) (*options, error) {
	var o options
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	flags.SetOutput(w)
	flags.Usage = func() {
		_, _ = io.WriteString(w, usage)
		flags.PrintDefaults()
	}
	baseURL := flags.String("base-url", "", "the `address` of a server that speaks the dialect of the provider")
	mode := flags.String("mode", agent.All.String(), "what to show of rounds that call tools: all, final-live or final-buffered")
	policies := flags.String("policies", "preset:recommended", "policy `files`, with commas between them; preset:NAME is a preset")
	flags.StringVar(&o.modelName, "model", scriptedName, "`provider:model`, where the provider is anthropic, openai, openai-responses or gemini")
	flags.StringVar(&o.db, "db", "", "the SQLite `file` that keeps conversations; without it they end with the program")
	flags.StringVar(&o.conversation, "conversation", "chat", "the `name` of the conversation")
	flags.StringVar(&o.dir, "dir", ".", "the `directory` that the tools may read")
	flags.BoolVar(&o.shell, "shell", false, "let the model run commands; you are asked before each")
	flags.StringVar(&o.ask, "ask", "", "ask one `question` and end")
	if err := flags.Parse(arguments); err != nil {
		return nil, err
	}
	err := o.complete(flags.Args(), *baseURL, *mode, *policies)
	if err != nil {
		_, _ = fmt.Fprintf(w, "chat: %v (chat -h tells more)\n", err)
	}
	return &o, err
}

// complete validates the flags and fills in the rest.
func (o *options) complete(rest []string, baseURL, mode, policies string) (err error) {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q: put a question after -ask, in quotes", rest[0])
	}
	if o.conversation == "" {
		return errors.New("-conversation needs a name")
	}
	o.policies = strings.Split(policies, ",")
	if o.mode, err = agent.ParseStreamMode(mode); err != nil {
		return fmt.Errorf("-mode: %w", err)
	}
	o.model, err = modelOf(o.modelName, baseURL)
	return err
}

// modelOf returns the model of a name like anthropic:claude-sonnet-4-5.
func modelOf(name, baseURL string) (model.Model, error) {
	if name == scriptedName {
		return script{}, nil
	}
	provider, of, found := strings.Cut(name, ":")
	if !found || of == "" {
		return nil, fmt.Errorf("-model must be provider:model, such as anthropic:claude-sonnet-4-5, not %q", name)
	}
	if provider == "openai" {
		provider = string(wire.OpenAIChat)
	}
	format, err := wire.ParseFormat(provider)
	if err != nil {
		return nil, fmt.Errorf("-model: unknown provider %q: use anthropic, openai, openai-responses or gemini", provider)
	}
	cfg := model.Config{Format: format, Model: of, BaseURL: baseURL}
	if baseURL != "" {
		// The providers' keys are sent to the providers only.
		cfg.APIKey = os.Getenv("CHAT_API_KEY")
	}
	return model.New(cfg)
}
