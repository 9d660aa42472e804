package connect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// codexProvider is the name of the provider that carries the Sluice key. The
// built-in one cannot send a header.
const codexProvider = "sluice"

// codex adds options for Codex's configuration. All requests go to BASE/v1, also
// with a ChatGPT login: below a path with /backend-api Codex asks ChatGPT which
// host to use, and goes there.
func (p *preparation) codex() error {
	if slices.Contains(codexQuiet, codexCommand(p.Args)) {
		return nil
	}
	line, err := p.codexArguments()
	if err != nil {
		return err
	}
	config, err := p.codexConfig(line)
	if err != nil {
		return err
	}
	provider := config.text("model_provider")
	if provider == "" {
		provider = "openai"
	}
	var ours []string
	switch provider {
	case "openai":
		p.upstreamFrom("openai", config.text("openai_base_url"))
		ours = p.codexBuiltIn()
	case "amazon-bedrock", "amazon-bedrock-runtime":
		return p.refuse("choose another model_provider to go through Sluice", "model_provider %s signs its requests for Amazon Bedrock, which Sluice does not speak", provider)
	case "ollama", "lmstudio":
		return p.refuse(`define the local server under model_providers with its base_url and select that`, "model_provider %s manages a local server, so it cannot be pointed elsewhere", provider)
	default:
		if ours, err = p.codexOwn(config, provider); err != nil {
			return err
		}
	}
	// Prompts go to this machine or the company's network: compressing them
	// saves nothing, and plain ones can be read by every gateway.
	ours = append(ours, "features.enable_request_compression=false")
	p.Args = line.with(ours)
	return nil
}

// codexBuiltIn points the built-in provider, with whatever login it has, at the
// gateway.
func (p *preparation) codexBuiltIn() []string {
	if p.key == "" {
		return []string{"openai_base_url=" + strconv.Quote(p.base+"/v1")}
	}
	p.env.setSecret("SLUICE_KEY", p.key)
	p.notef("Sessions are kept under the provider %q because the built-in one cannot send the Sluice key; `codex resume --all` lists the others.", codexProvider)
	return []string{
		"model_provider=" + strconv.Quote(codexProvider),
		fmt.Sprintf(`model_providers.%s={name="OpenAI",base_url=%q,wire_api="responses",requires_openai_auth=true,env_http_headers={"X-Sluice-Key"="SLUICE_KEY"}}`,
			codexProvider, p.base+"/v1"),
	}
}

// codexOwn points a provider of the user's at the gateway: its address is
// overridden, everything else stays.
func (p *preparation) codexOwn(config object, provider string) ([]string, error) {
	table := config.object("model_providers", provider)
	at := table.text("base_url")
	switch {
	case at == "":
		return nil, p.refuse("give it a base_url under model_providers", "model_provider %s has no base_url that Sluice can find", provider)
	case table.object("aws") != nil:
		return nil, p.refuse("choose another model_provider to go through Sluice", "model_provider %s signs its requests for Amazon", provider)
	case strings.ContainsAny(provider, `."'= `):
		return nil, p.refuse("rename it", "the name of model_provider %q cannot be used in an option", provider)
	}
	p.upstreamFrom("openai", at)
	ours := []string{fmt.Sprintf("model_providers.%s.base_url=%q", provider, p.base+"/v1")}
	if p.key != "" {
		p.env.setSecret("SLUICE_KEY", p.key)
		ours = append(ours, fmt.Sprintf(`model_providers.%s.env_http_headers.X-Sluice-Key="SLUICE_KEY"`, provider))
	}
	return ours, nil
}

// codexConfig reads Codex's configuration from files and options: system, user,
// profile, options. Settings of a project cannot change a base URL or a
// provider; Codex ignores them there.
func (p *preparation) codexConfig(line codexLine) (object, error) {
	home := p.env.get("CODEX_HOME")
	if home == "" {
		home = filepath.Join(p.home, ".codex")
	}
	merged := object{}
	files := []string{
		p.system("/etc/codex/config.toml", "/etc/codex/config.toml", `C:\ProgramData\OpenAI\Codex\config.toml`),
	}
	if !line.ignoreUser {
		files = append(files, filepath.Join(home, "config.toml"))
		if line.profile != "" {
			files = append(files, filepath.Join(home, line.profile+".config.toml"))
		}
	}
	for _, file := range files {
		config, err := p.toml(file)
		if err != nil {
			return nil, err
		}
		merge(merged, config)
	}
	for _, option := range line.config {
		key, value, _ := strings.Cut(option, "=")
		if err := put(merged, strings.Split(strings.TrimSpace(key), "."), parseTOMLValue(value)); err != nil {
			return nil, p.refuse("correct it", "the option -c %s cannot be understood: %v", key, err)
		}
	}
	if profile := merged.text("profile"); profile != "" {
		merge(merged, merged.object("profiles", profile))
	}
	if err := p.codexRoles(home, merged); err != nil {
		return nil, err
	}
	return merged, p.codexManaged()
}

// codexManaged checks managed_config.toml, which takes precedence over options.
func (p *preparation) codexManaged() error {
	if p.os == "windows" {
		return nil // not read there
	}
	const file = "/etc/codex/managed_config.toml"
	managed, err := p.toml(p.system(file, file, ""))
	if err != nil {
		return err
	}
	advice := "change it there (`sluice connect codex --managed` prints what to write)"
	if at := managed.text("openai_base_url"); at != "" && !p.isGateway(at) {
		return p.refuse(advice, "%s sets openai_base_url to %s, and managed settings cannot be overridden", file, at)
	}
	p.upstreamFrom("openai", managed.text("openai_base_url"))
	provider := managed.text("model_provider")
	for name := range managed.object("model_providers") {
		at := managed.text("model_providers", name, "base_url")
		if at != "" && !p.isGateway(at) {
			return p.refuse(advice, "%s sets the base_url of the provider %s to %s, and managed settings cannot be overridden", file, name, at)
		}
		if name == provider && at != "" {
			provider, p.Permanent = "", true // managed, and at the gateway
		}
	}
	if provider != "" && provider != "openai" {
		return p.refuse(advice, "%s sets model_provider to %s, and managed settings cannot be overridden", file, provider)
	}
	return nil
}

func (p *preparation) toml(name string) (object, error) {
	data, err := readFile(name)
	var config object
	if err == nil {
		config, err = parseTOML(data)
	}
	if err != nil {
		return nil, p.refuse("repair or remove that file", "%s cannot be read, so it is not known where it sends the client: %v", name, err)
	}
	return config, nil
}

// merge overlays the members of one object on those of another.
func merge(into, from object) {
	for name, value := range from {
		deeper := from.object(name)
		if old := into.object(name); deeper != nil && old != nil {
			merge(old, deeper)
		} else {
			into[name] = value
		}
	}
}
