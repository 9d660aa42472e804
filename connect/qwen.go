package connect

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// qwen sets the variables that Qwen Code reads. A model of modelProviders with a
// base URL of its own takes precedence over variables and options; only system
// settings take precedence over that, so they are replaced by a copy with our
// base URLs.
func (p *preparation) qwen() error {
	home := p.env.get("QWEN_HOME")
	if home == "" {
		home = filepath.Join(p.home, ".qwen")
	}
	systemFile := p.env.get("QWEN_CODE_SYSTEM_SETTINGS_PATH")
	if systemFile == "" {
		systemFile = p.system("/etc/qwen-code/settings.json", "/Library/Application Support/QwenCode/settings.json", `C:\ProgramData\qwen-code\settings.json`)
	}
	userFile := filepath.Join(home, "settings.json")
	selected, from, system, err := p.selectedAuth(systemFile, userFile, ".qwen")
	if err != nil {
		return err
	}
	line := p.qwenArguments()
	if line.auth != "" {
		selected, from = line.auth, "--auth-type"
	}
	switch selected {
	case "", "openai", "anthropic", "gemini":
	default:
		return p.refuse("choose an OpenAI-compatible key with /auth, or pass --auth-type openai", "%s selects the login %q, whose service Sluice does not speak", from, selected)
	}
	if err := p.projectFiles(".qwen", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"); err != nil {
		return err
	}
	for _, v := range []struct{ upstream, name, url string }{
		{"openai", "OPENAI_BASE_URL", p.base + "/v1"},
		{"anthropic", "ANTHROPIC_BASE_URL", p.base},
		{"gemini", "GOOGLE_GEMINI_BASE_URL", p.base},
	} {
		if err := p.dotenvUpstream(v.upstream, v.name, ".qwen", filepath.Join(home, ".env")); err != nil {
			return err
		}
		p.env.set(v.name, v.url)
	}
	p.env.set("GOOGLE_VERTEX_BASE_URL", p.base) // refused there; otherwise it would bypass the gateway
	user, err := p.settings(userFile)
	if err != nil {
		return err
	}
	if len(p.Upstream) == 0 {
		// The weakest places: the env block and the old credentials.
		p.upstreamFrom("openai", user.text("security", "auth", "baseUrl"))
		p.upstreamFrom("openai", user.text("env", "OPENAI_BASE_URL"))
	}
	p.upstreamFrom("openai", line.base)
	return p.qwenProviders(system, user, systemFile, line.model)
}

// qwenLine is the relevant part of a command line of Qwen Code.
type qwenLine struct{ auth, base, model string }

// qwenArguments reads the command line, and removes --openai-base-url from it,
// which would take precedence over the environment.
func (p *preparation) qwenArguments() (line qwenLine) {
	var kept []string
	for i := 0; i < len(p.Args); i++ {
		arg := p.Args[i]
		if arg == "--" {
			kept = append(kept, p.Args[i:]...)
			break
		}
		name, value, inline := strings.Cut(arg, "=")
		if !inline && i+1 < len(p.Args) {
			value = p.Args[i+1]
		}
		switch name {
		case "--auth-type", "--authType":
			line.auth = value
		case "--model", "-m":
			line.model = value
		case "--openai-base-url", "--openaiBaseUrl":
			line.base = value
			if !inline {
				i++
			}
			continue
		}
		kept = append(kept, arg)
	}
	p.Args = kept
	return line
}

// qwenProviders points the models of modelProviders at the gateway and adds the
// Sluice key to what is sent.
func (p *preparation) qwenProviders(system, user object, systemFile, model string) error {
	source, from := system, systemFile
	if system.object("modelProviders") == nil {
		source, from = user, "your settings"
		for _, dir := range p.above() {
			file := filepath.Join(dir, ".qwen", "settings.json")
			project, err := p.settings(file)
			if err != nil {
				return err
			}
			if dir != filepath.Clean(p.home) && project.object("modelProviders") != nil {
				return p.refuse("move them to your own settings", "the project's file %s has modelProviders, and a repository does not decide where your credentials go", file)
			}
		}
	}
	if model == "" {
		model = source.text("model", "name")
	}
	providers, changed := p.qwenRewrite(source, from, model)
	if !changed && p.key == "" {
		return nil
	}
	if changed || len(providers) > 0 {
		system = withMember(system, map[string]any(providers), "modelProviders")
	}
	if p.key != "" {
		system = withMember(system, p.key, "model", "generationConfig", "customHeaders", "X-Sluice-Key")
	}
	text, err := json.Marshal(system)
	if err != nil {
		return err
	}
	p.env.set("QWEN_CODE_SYSTEM_SETTINGS_PATH", p.temporary("settings.json", text))
	return nil
}

// qwenRewrite returns modelProviders with the gateway's URLs. A gateway has one
// upstream per dialect: of several the one of the selected model is kept, or the
// first, and the models of the others are left out.
func (p *preparation) qwenRewrite(source object, from, model string) (object, bool) {
	providers := object{}
	changed := false
	for _, name := range slices.Sorted(maps.Keys(source.object("modelProviders"))) {
		protocol := source.text("providerProtocol", name)
		if protocol == "" {
			protocol = name
		}
		upstream, url := map[string]string{"openai": "openai", "anthropic": "anthropic", "gemini": "gemini"}[protocol], p.base
		if protocol == "openai" {
			url += "/v1"
		}
		models, _ := source.object("modelProviders")[name].([]any)
		if upstream == "" {
			p.notef("The models of %s in %s are left out, because Sluice does not speak %s.", name, from, protocol)
			changed = true
			continue
		}
		keep := p.qwenBase(models, model)
		kept := []any{}
		for _, entry := range models {
			fields, _ := entry.(map[string]any)
			copied := object(maps.Clone(fields))
			if at := copied.text("baseUrl"); at != "" {
				changed = true
				if at != keep {
					p.notef("The model %s of %s is left out: it is at %s, and a gateway has one upstream per dialect.", copied.text("id"), from, at)
					continue
				}
				p.upstreamFrom(upstream, at)
				copied["baseUrl"] = url
			}
			if p.key != "" {
				copied = withMember(copied, p.key, "generationConfig", "customHeaders", "X-Sluice-Key")
			}
			kept = append(kept, map[string]any(copied))
		}
		providers[name] = kept
	}
	return providers, changed
}

// qwenBase is the base URL to which the models of a provider go: that of the
// selected one, else the first.
func (p *preparation) qwenBase(models []any, model string) string {
	first := ""
	for _, entry := range models {
		fields, _ := entry.(map[string]any)
		at := object(fields).text("baseUrl")
		if at != "" && model != "" && object(fields).text("id") == model {
			return at
		}
		if first == "" {
			first = at
		}
	}
	return first
}
