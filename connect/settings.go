package connect

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Setting is one file of a permanent setup, ready to paste.
type Setting struct {
	// Title says what it is for.
	Title string `json:"title"`
	// Places are its paths, by system.
	Places []Place `json:"places"`
	// Content is what to write. Where the file exists, its members are added.
	Content string `json:"content"`
	// Notes are remarks in whole sentences.
	Notes []string `json:"notes"`
	// Check is the command that proves it.
	Check string `json:"check"`
}

// Place is a path on a system.
type Place struct {
	OS   string `json:"os"`
	Path string `json:"path"`
}

// places lists the paths of a file. An empty one is left out.
func places(linux, mac, windows string) []Place {
	var all []Place
	for _, p := range []Place{{"Linux", linux}, {"macOS", mac}, {"Windows", windows}} {
		if p.Path != "" {
			all = append(all, p)
		}
	}
	return all
}

// Settings returns what to write, and where, so that a client always goes
// through the gateway: for one user, or managed for everyone on a machine where
// the client has a way for that. It reads and writes no file.
func Settings(c Client, opt Options, managed bool) ([]Setting, error) {
	base, err := BaseURL(opt.BaseURL)
	if err != nil {
		return nil, err
	}
	opt.BaseURL = base
	var all []Setting
	switch c.kind {
	case claude:
		all = claudePermanent(opt, managed)
	case codex:
		all = codexPermanent(opt, managed)
	case opencode:
		all = opencodePermanent(opt, managed)
	case qwen:
		all = qwenPermanent(opt, managed)
	case gemini:
		all = geminiPermanent(opt, managed)
	default:
		all = genericPermanent(opt)
	}
	for i := range all {
		all[i].Check = "sluice doctor " + c.Name
	}
	return all, nil
}

// pretty formats settings for people.
func pretty(o object) string {
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return ""
	}
	return string(text) + "\n"
}

func claudePermanent(opt Options, managed bool) []Setting {
	env := object{claudeBase: opt.BaseURL}
	if !opt.ForeignUpstream {
		env[claudeFirstParty] = "1"
	}
	if opt.Key != "" {
		env[claudeHeaders] = "X-Sluice-Key: " + opt.Key
	}
	s := Setting{Title: "Claude Code for you", Content: pretty(object{"env": env})}
	s.Places = places("~/.claude/settings.json", "~/.claude/settings.json", `%USERPROFILE%\.claude\settings.json`)
	s.Notes = []string{"Logins and API keys stay as they are.", "A project's .claude/settings.json can override it; use --managed where that matters."}
	if managed {
		s.Title = "Claude Code for everyone on a machine"
		s.Places = places("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json", `C:\Program Files\ClaudeCode\managed-settings.json`)
		s.Notes = []string{
			"Nothing that a user or a project sets overrides it.",
			"Parts of it can also be JSON files in managed-settings.d.",
			"Block direct access to api.anthropic.com in the network as well: settings bind Claude Code, not other programs.",
		}
	}
	return []Setting{s}
}

func codexPermanent(opt Options, managed bool) []Setting {
	url := strconv.Quote(opt.BaseURL + "/v1")
	content := "openai_base_url = " + url + "\n"
	if opt.Key != "" {
		content = fmt.Sprintf("model_provider = %q\n\n[model_providers.%s]\nname = \"OpenAI\"\nbase_url = %s\nwire_api = \"responses\"\nrequires_openai_auth = true\nhttp_headers = { \"X-Sluice-Key\" = %q }\n",
			codexProvider, codexProvider, url, opt.Key)
	}
	user := Setting{
		Title: "Codex for you", Content: content,
		Places: places("~/.codex/config.toml", "~/.codex/config.toml", `%USERPROFILE%\.codex\config.toml`),
		Notes: []string{
			"The first lines must come before the first [table] of the file.",
			"ChatGPT logins and API keys stay as they are.",
			"The URL ends in /v1 also with a ChatGPT login: with /backend-api in it Codex would bypass the gateway.",
		},
	}
	if !managed {
		return []Setting{user}
	}
	enforced := user
	enforced.Title = "Codex for everyone on a machine, enforced"
	enforced.Places = places("/etc/codex/managed_config.toml", "/etc/codex/managed_config.toml", "")
	enforced.Notes = []string{
		"It takes precedence over config.toml and -c options. On macOS the same text can be delivered by MDM, in the domain com.openai.codex.",
		"requirements.toml, Codex's newer way to enforce settings, has no base URL; Windows reads only that, so there a user can override the defaults below.",
		"Block direct access to api.openai.com and chatgpt.com/backend-api/codex in the network as well.",
	}
	defaults := user
	defaults.Title = "Codex for everyone on a machine, as a default"
	defaults.Places = places("/etc/codex/config.toml", "/etc/codex/config.toml", `%ProgramData%\OpenAI\Codex\config.toml`)
	defaults.Notes = []string{"A user's config.toml takes precedence over it."}
	return []Setting{enforced, defaults}
}

func opencodePermanent(opt Options, managed bool) []Setting {
	provider := object{}
	for name, path := range map[string]string{"anthropic": "/v1", "openai": "/v1", "google": "/v1beta"} {
		options := object{"baseURL": opt.BaseURL + path}
		if opt.Key != "" {
			options["headers"] = object{"X-Sluice-Key": opt.Key}
		}
		provider[name] = object{"options": options}
	}
	s := Setting{
		Title: "opencode for you",
		Content: pretty(object{
			"$schema": "https://opencode.ai/config.json", "provider": provider,
			"enabled_providers": []string{"anthropic", "google", "openai"},
		}),
		Places: places("~/.config/opencode/opencode.json", "~/.config/opencode/opencode.json", `%USERPROFILE%\.config\opencode\opencode.json`),
		Notes: []string{
			"enabled_providers switches the others off: they would bypass the gateway.",
			"With a ChatGPT login write " + opt.BaseURL + "/backend-api/codex as the baseURL of openai: opencode sends /v1/responses to ChatGPT itself.",
		},
	}
	if managed {
		s.Title = "opencode for everyone on a machine"
		s.Places = places("/etc/opencode/opencode.json", "/Library/Application Support/opencode/opencode.json", `%ProgramData%\opencode\opencode.json`)
		s.Notes = append(s.Notes, "It takes precedence over a user's and a project's settings.")
	} else {
		s.Notes = append(s.Notes, "A project's opencode.json can override it; use --managed where that matters.")
	}
	return []Setting{s}
}

func qwenPermanent(opt Options, managed bool) []Setting {
	settings := object{
		"env":      object{"OPENAI_BASE_URL": opt.BaseURL + "/v1"},
		"security": object{"auth": object{"selectedType": "openai"}},
	}
	if opt.Key != "" {
		settings["model"] = object{"generationConfig": object{"customHeaders": object{"X-Sluice-Key": opt.Key}}}
	}
	s := Setting{
		Title: "Qwen Code for you", Content: pretty(settings),
		Places: places("~/.qwen/settings.json", "~/.qwen/settings.json", `%USERPROFILE%\.qwen\settings.json`),
		Notes: []string{
			"A variable OPENAI_BASE_URL in the environment or in a .env file takes precedence over it: remove it there.",
			"Models under modelProviders have a baseUrl of their own: set it to " + opt.BaseURL + "/v1.",
			"A Qwen login (qwen-oauth) speaks to a service that Sluice does not support.",
		},
	}
	if managed {
		s.Title = "Qwen Code for everyone on a machine"
		s.Places = places("/etc/qwen-code/settings.json", "/Library/Application Support/QwenCode/settings.json", `C:\ProgramData\qwen-code\settings.json`)
		s.Notes = append(s.Notes, "To rule out users' own providers, list the allowed models here under modelProviders: that replaces theirs.")
	}
	return []Setting{s}
}

func geminiPermanent(opt Options, managed bool) []Setting {
	variables := "GOOGLE_GEMINI_BASE_URL=" + opt.BaseURL + "\n"
	if opt.Key != "" {
		variables += "GEMINI_CLI_CUSTOM_HEADERS=X-Sluice-Key: " + opt.Key + "\n"
	}
	env := Setting{
		Title: "Gemini CLI for you: where it sends requests", Content: variables,
		Places: places("~/.gemini/.env", "~/.gemini/.env", `%USERPROFILE%\.gemini\.env`),
		Notes:  []string{"A variable in the environment, or a .env in the project, takes precedence over it."},
	}
	auth := Setting{
		Title:   "Gemini CLI for you: an API key instead of a Google login",
		Content: pretty(object{"security": object{"auth": object{"selectedType": "gemini-api-key"}}}),
		Places:  places("~/.gemini/settings.json", "~/.gemini/settings.json", `%USERPROFILE%\.gemini\settings.json`),
		Notes:   []string{"A Google login speaks to a service that Sluice does not support."},
	}
	if managed {
		env.Title = "Gemini CLI for everyone on a machine: where it sends requests"
		env.Places = places("/etc/environment", "/etc/zshenv (with export before each line)", "system environment variables")
		env.Notes = []string{"Gemini CLI has no managed setting for it, so a user can change the variable; block direct access to generativelanguage.googleapis.com and cloudcode-pa.googleapis.com in the network."}
		if opt.Key != "" {
			env.Content = strings.ReplaceAll(env.Content, "X-Sluice-Key: "+opt.Key, strconv.Quote("X-Sluice-Key: "+opt.Key))
		}
		auth.Title = "Gemini CLI for everyone on a machine: an API key instead of a Google login"
		auth.Content = pretty(object{"security": object{"auth": object{"selectedType": "gemini-api-key", "enforcedType": "gemini-api-key"}}})
		auth.Places = places("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json", `C:\ProgramData\gemini-cli\settings.json`)
	}
	return []Setting{env, auth}
}

func genericPermanent(opt Options) []Setting {
	content := fmt.Sprintf("OPENAI_BASE_URL=%s/v1\nANTHROPIC_BASE_URL=%s\nGOOGLE_GEMINI_BASE_URL=%s\n", opt.BaseURL, opt.BaseURL, opt.BaseURL)
	notes := []string{"These are the variables that the SDKs of OpenAI, Anthropic and Google read; a program may have settings of its own that take precedence over them."}
	if opt.Key != "" {
		notes = append(notes, "Send the Sluice key as the header X-Sluice-Key, or as the API key where the gateway holds the provider's key.")
	}
	return []Setting{{
		Title: "Variables for any program", Content: content, Notes: notes,
		Places: places("~/.profile (with export before each line)", "~/.zprofile (with export before each line)", "user environment variables"),
	}}
}
