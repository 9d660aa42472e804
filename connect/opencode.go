package connect

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// opencodeRoute says where a provider of opencode is pointed.
type opencodeRoute struct{ upstream, url string }

// opencode passes provider options in OPENCODE_CONFIG_CONTENT, which takes
// precedence over all of opencode's files except managed ones. Providers that
// cannot be pointed at the gateway are switched off with enabled_providers:
// opencode has more than a hundred, and each would bypass it.
func (p *preparation) opencode() error {
	if slices.Contains(p.Args, "attach") || slices.ContainsFunc(p.Args, func(a string) bool { return a == "--attach" || strings.HasPrefix(a, "--attach=") }) {
		return p.refuse("start the server itself with `sluice run opencode serve`", "attach hands the work to another process, which this command does not affect")
	}
	config, claims, err := p.opencodeConfig()
	if err != nil {
		return err
	}
	given, err := p.opencodeGiven()
	if err != nil {
		return err
	}
	merge(config, given)

	routes, err := p.opencodeRoutes(config)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(routes)) {
		if claims[name] != nil {
			return claims[name]
		}
	}
	if err := p.opencodeManaged(routes); err != nil {
		return err
	}
	ours := p.opencodeProviders(routes)
	enabled := slices.Sorted(maps.Keys(routes))
	if list, ok := config["enabled_providers"].([]any); ok {
		enabled = slices.DeleteFunc(enabled, func(name string) bool { return !slices.Contains(list, any(name)) })
	}
	if len(enabled) == 0 {
		return p.refuse("add anthropic, openai or google to it", "enabled_providers of your settings names no provider that Sluice supports")
	}
	merge(given, object{"provider": ours, "enabled_providers": enabled})
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	p.env.change(Change{Name: "OPENCODE_CONFIG_CONTENT", Value: string(text), Secret: p.key != ""})
	p.notef("Only the providers %s are on: others would bypass the gateway.", strings.Join(enabled, ", "))
	return nil
}

// opencodeGiven is the configuration that the user passes in the environment.
func (p *preparation) opencodeGiven() (object, error) {
	text := p.env.get("OPENCODE_CONFIG_CONTENT")
	if strings.TrimSpace(text) == "" {
		return object{}, nil
	}
	given, err := parseJSON([]byte(text))
	if err != nil {
		return nil, p.refuse("correct or unset it", "OPENCODE_CONFIG_CONTENT is not valid JSON: %s", wrongJSON(err))
	}
	return given, nil
}

// opencodeConfig reads the files that opencode reads, in its order. claims are
// the refusals of providers whose address a repository's file decides; those of
// providers that are off do not matter.
func (p *preparation) opencodeConfig() (config object, claims map[string]error, err error) {
	global := p.opencodeDir("XDG_CONFIG_HOME", ".config")
	files := []string{
		filepath.Join(global, "config.json"), filepath.Join(global, "opencode.json"), filepath.Join(global, "opencode.jsonc"),
		p.env.get("OPENCODE_CONFIG"),
	}
	var project []string
	if !truthy(p.env.get("OPENCODE_DISABLE_PROJECT_CONFIG")) {
		for _, dir := range slices.Backward(p.above()) {
			files = append(files, filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc"),
				filepath.Join(dir, ".opencode", "opencode.json"), filepath.Join(dir, ".opencode", "opencode.jsonc"))
			if dir != filepath.Clean(p.home) {
				project = append(project, files[len(files)-4:]...)
				p.opencodePlugins(filepath.Join(dir, ".opencode"))
			}
		}
	}
	if dir := p.env.get("OPENCODE_CONFIG_DIR"); dir != "" {
		files = append(files, filepath.Join(dir, "opencode.json"), filepath.Join(dir, "opencode.jsonc"))
	}
	config, claims = object{}, map[string]error{}
	for _, file := range files {
		if file == "" {
			continue
		}
		settings, err := p.settings(file)
		if err != nil {
			return nil, nil, err
		}
		if slices.Contains(project, file) {
			if err := p.opencodeProject(file, settings, claims); err != nil {
				return nil, nil, err
			}
		}
		merge(config, settings)
	}
	return config, claims, nil
}

// opencodePlugins tells the user about programs in a repository that opencode
// starts because they are there.
func (p *preparation) opencodePlugins(folder string) {
	for _, name := range []string{"plugin", "plugins"} {
		if found, _ := filepath.Glob(filepath.Join(folder, name, "*.[jt]s")); len(found) > 0 {
			p.programs(folder, object{name: found}, name)
		}
	}
}

// opencodeProject notes which providers a repository's file points elsewhere.
func (p *preparation) opencodeProject(file string, settings object, claims map[string]error) error {
	for key := range settings {
		if strings.Contains(key, "{") { // it can become any key
			return p.refuseProject(file, key)
		}
	}
	p.programs(file, settings, "plugin")
	if err := p.servers(file, settings.object("mcp")); err != nil {
		return err
	}
	for name := range settings.object("provider") {
		if strings.Contains(name, "{") {
			return p.refuseProject(file, "the provider "+name)
		}
		if what, found := p.address(settings.object("provider", name)); found {
			claims[name] = p.refuseProject(file, "of the provider "+name+" "+what)
		}
	}
	return nil
}

func (p *preparation) opencodeDir(variable, folder string) string {
	dir := p.env.get(variable)
	if dir == "" {
		dir = filepath.Join(p.home, folder)
	}
	return filepath.Join(dir, "opencode")
}

// opencodeRoutes decides which providers go to the gateway. It has one upstream
// per dialect, so a provider of the user's own with another address is pointed
// there only if its model is the one that was chosen; the built-in provider of
// the same dialect is then off.
func (p *preparation) opencodeRoutes(config object) (map[string]opencodeRoute, error) {
	openai := p.base + "/v1"
	signedIn, err := p.opencodeSignedIn()
	if err != nil {
		return nil, err
	}
	if signedIn {
		// With a ChatGPT login opencode sends whatever has /v1/responses in its
		// path to ChatGPT itself.
		openai = p.base + "/backend-api/codex"
	}
	routes := map[string]opencodeRoute{
		"anthropic": {"anthropic", p.base + "/v1"},
		"openai":    {"openai", openai},
		"google":    {"gemini", p.base + "/v1beta"},
	}
	chosen := p.opencodeChosen(config)
	for _, name := range slices.Sorted(maps.Keys(routes)) {
		at := config.text("provider", name, "options", "baseURL")
		if strings.Contains(at, "{env:") || strings.Contains(at, "{file:") {
			return nil, p.refuse("write the URL itself", "the baseURL of the provider %s is taken from a variable or file", name)
		}
		p.upstreamFrom(routes[name].upstream, at)
	}
	if _, ok := routes[chosen]; ok || chosen == "" {
		return routes, nil
	}
	own := config.object("provider", chosen)
	at := own.text("options", "baseURL")
	route, ok := map[string]opencodeRoute{
		"@ai-sdk/openai-compatible": {"openai", p.base + "/v1"},
		"@ai-sdk/openai":            {"openai", p.base + "/v1"},
		"@ai-sdk/anthropic":         {"anthropic", p.base + "/v1"},
		"@ai-sdk/google":            {"gemini", p.base + "/v1beta"},
	}[own.text("npm")]
	if !ok || at == "" || strings.ContainsAny(at, "{}") {
		return nil, p.refuse("choose a model of anthropic, openai or google, or define the provider with npm and options.baseURL in opencode.json",
			"the provider %s of the chosen model cannot be pointed at the gateway", chosen)
	}
	for name, built := range routes {
		if built.upstream == route.upstream {
			delete(routes, name)
			delete(p.Upstream, built.upstream)
		}
	}
	p.upstreamFrom(route.upstream, at)
	routes[chosen] = route
	return routes, nil
}

// opencodeChosen is the provider of the model that will be used, if that is
// known.
func (p *preparation) opencodeChosen(config object) string {
	model := config.text("model")
	for i, arg := range p.Args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--model="); ok {
			model = value
		}
		if (arg == "-m" || arg == "--model") && i+1 < len(p.Args) {
			model = p.Args[i+1]
		}
	}
	provider, _, ok := strings.Cut(model, "/")
	if !ok {
		return ""
	}
	return provider
}

// opencodeSignedIn reports whether the provider openai has a ChatGPT login.
func (p *preparation) opencodeSignedIn() (bool, error) {
	if text := p.env.get("OPENCODE_AUTH_CONTENT"); text != "" {
		auth, err := parseJSON([]byte(text))
		if err != nil {
			return false, p.refuse("correct or unset it", "OPENCODE_AUTH_CONTENT is not valid JSON")
		}
		return auth.text("openai", "type") == "oauth", nil
	}
	auth, err := p.settings(filepath.Join(p.opencodeDir("XDG_DATA_HOME", filepath.Join(".local", "share")), "auth.json"))
	return auth.text("openai", "type") == "oauth", err
}

// opencodeProviders are the options of each provider.
func (p *preparation) opencodeProviders(routes map[string]opencodeRoute) object {
	providers := object{}
	for name, route := range routes {
		options := object{"baseURL": route.url}
		if p.key != "" {
			options["headers"] = object{"X-Sluice-Key": p.key}
		}
		providers[name] = object{"options": options}
	}
	return providers
}

// opencodeManaged refuses managed settings that would override ours.
func (p *preparation) opencodeManaged(routes map[string]opencodeRoute) error {
	dir := p.system("/etc/opencode", "/Library/Application Support/opencode", `C:\ProgramData\opencode`)
	for _, name := range []string{"opencode.json", "opencode.jsonc"} {
		file := filepath.Join(dir, name)
		managed, err := p.settings(file)
		if err != nil {
			return err
		}
		advice := "change it there (`sluice connect opencode --managed` prints what to write)"
		for provider := range managed.object("provider") {
			at := managed.text("provider", provider, "options", "baseURL")
			if at != "" && !p.isGateway(at) {
				return p.refuse(advice, "%s sends the provider %s to %s, and managed settings cannot be overridden", file, provider, at)
			}
			p.Permanent = p.Permanent || at != ""
		}
		list, _ := managed["enabled_providers"].([]any)
		for _, entry := range list {
			provider, _ := entry.(string)
			_, ours := routes[provider]
			if !ours && managed.text("provider", provider, "options", "baseURL") == "" {
				return p.refuse(advice, "%s enables the provider %s, which bypasses the gateway", file, provider)
			}
		}
	}
	return nil
}
