package connect

import (
	"encoding/json"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	claudeBase       = "ANTHROPIC_BASE_URL"
	claudeHeaders    = "ANTHROPIC_CUSTOM_HEADERS"
	claudeFirstParty = "_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL"
)

// claudeElsewhere are the switches that make Claude Code use something other
// than the Messages API at ANTHROPIC_BASE_URL.
var claudeElsewhere = []string{
	"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY", "CLAUDE_CODE_USE_MANTLE",
	"CLAUDE_CODE_USE_ANTHROPIC_AWS", "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", "CLAUDE_CODE_USE_GATEWAY",
}

// layer is one file (or argument) of settings.
type layer struct {
	where string
	env   object
	whole object
	// project: it comes with the repository, so anyone may have written it.
	project bool
	// managed: it takes precedence over everything that we can pass.
	managed bool
}

// claude sets the variables that Claude Code reads. Its settings files have an
// env block that takes precedence over the process's environment; only
// --settings takes precedence over those, so it is used where one of them sets
// something else.
func (p *preparation) claude() error {
	layers, given, err := p.claudeLayers()
	if err != nil {
		return err
	}
	if err := p.claudeRefusals(layers); err != nil {
		return err
	}

	upstream := p.env.get(claudeBase)
	headers := p.env.get(claudeHeaders)
	spared := p.claudeSpared(layers)
	override := len(spared) > 0
	for _, l := range layers { // from the weakest to the strongest
		if at := l.env.text(claudeBase); at != "" {
			upstream = at
		}
		if h := l.env.text(claudeHeaders); h != "" {
			headers = h
		}
		for _, name := range []string{claudeBase, claudeHeaders, claudeFirstParty} {
			if _, set := l.env[name]; set && !l.managed {
				override = true
			}
		}
		if l.project {
			p.programs(l.where, l.whole, "hooks", "statusLine")
		}
		if l.whole.text("apiKeyHelper") != "" {
			p.notef("The key that apiKeyHelper of %s gives is sent to the gateway, which passes it on.", l.where)
		}
	}
	foreign := p.opt.ForeignUpstream
	if p.upstreamFrom("anthropic", upstream) {
		foreign = !isAnthropic(upstream)
	}

	want := slices.Concat(spared, []Change{{Name: claudeBase, Value: p.base}})
	if !foreign {
		// Without it Claude Code treats the gateway as a third party and
		// switches off features that only need Anthropic's API behind it.
		want = append(want, Change{Name: claudeFirstParty, Value: "1"})
	}
	if p.key != "" {
		want = append(want, Change{Name: claudeHeaders, Value: withHeader(headers, "\n", p.key), Secret: true})
	}
	for _, c := range want {
		p.env.change(c)
	}
	if override || given != nil {
		p.claudeSettings(given, want)
	}
	return nil
}

// claudeSpared exempts the gateway from a proxy that the settings name: their
// NO_PROXY, too, takes precedence over the environment's.
func (p *preparation) claudeSpared(layers []layer) []Change {
	if !p.local() || !slices.ContainsFunc(layers, func(l layer) bool { return slices.ContainsFunc(slices.Collect(maps.Keys(l.env)), isProxy) }) {
		return nil
	}
	var spared []Change
	for _, name := range noProxy {
		list := p.env.noProxy(name)
		for _, l := range layers {
			if value, set := l.env[name].(string); set {
				list = value
			}
		}
		spared = append(spared, Change{Name: name, Value: p.spared(list)})
	}
	return spared
}

// withHeader adds the Sluice key to a list of headers and drops an older one.
func withHeader(list, separator, key string) string {
	lines := slices.DeleteFunc(strings.Split(strings.ReplaceAll(list, "\r", ""), separator), func(line string) bool {
		name, _, _ := strings.Cut(line, ":")
		return strings.TrimSpace(line) == "" || strings.EqualFold(strings.TrimSpace(name), "X-Sluice-Key")
	})
	return strings.Join(append(lines, "X-Sluice-Key: "+key), separator)
}

func isAnthropic(raw string) bool {
	u, err := url.Parse(strings.TrimSpace(raw))
	return err == nil && strings.EqualFold(u.Host, "api.anthropic.com")
}

// claudeLayers reads all settings, the weakest first. given are the settings
// that the user passes with --settings; they are removed from the arguments,
// because only the last of two --settings counts.
func (p *preparation) claudeLayers() (layers []layer, given object, err error) {
	add := func(where string, project, managed bool) error {
		o, err := p.settings(where)
		if err == nil && len(o) > 0 {
			layers = append(layers, layer{where: where, env: variables(o.object("env")), whole: o, project: project, managed: managed})
		}
		return err
	}
	dir := p.env.get("CLAUDE_CONFIG_DIR")
	state := filepath.Join(dir, ".claude.json")
	if dir == "" {
		dir, state = filepath.Join(p.home, ".claude"), filepath.Join(p.home, ".claude.json")
	}
	// Its own state has an env block as well, which takes precedence over the
	// environment.
	for _, file := range []string{state, filepath.Join(dir, "settings.json")} {
		if err := add(file, false, false); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range []string{"settings.json", "settings.local.json"} {
		for _, above := range p.above() {
			at := filepath.Join(above, ".claude", name)
			if filepath.Dir(at) == filepath.Clean(dir) {
				continue // the home directory is the project: its settings are the user's
			}
			if err := add(at, true, false); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, above := range p.above() {
		file := filepath.Join(above, ".mcp.json")
		o, err := p.settings(file)
		if err == nil {
			err = p.servers(file, o.object("mcpServers"))
		}
		if err != nil {
			return nil, nil, err
		}
	}
	given, found, err := p.claudeGiven()
	if err != nil {
		return nil, nil, err
	}
	if found {
		layers = append(layers, layer{where: "--settings", env: variables(given.object("env")), whole: given})
	}
	managed := p.system("/etc/claude-code", "/Library/Application Support/ClaudeCode", `C:\Program Files\ClaudeCode`)
	files := []string{filepath.Join(managed, "managed-settings.json")}
	dropIns, _ := filepath.Glob(filepath.Join(managed, "managed-settings.d", "*.json"))
	for _, file := range append(files, dropIns...) {
		if err := add(file, false, true); err != nil {
			return nil, nil, err
		}
	}
	return layers, given, nil
}

// claudeGiven removes --settings from the arguments. It is JSON or a file.
func (p *preparation) claudeGiven() (given object, found bool, err error) {
	value := ""
	var kept []string
	for i := 0; i < len(p.Args); i++ {
		arg := p.Args[i]
		if arg == "--" {
			kept = append(kept, p.Args[i:]...)
			break
		}
		switch inline, ok := strings.CutPrefix(arg, "--settings="); {
		case ok:
			value, found = inline, true
		case arg == "--settings" && i+1 < len(p.Args):
			i++
			value, found = p.Args[i], true
		default:
			kept = append(kept, arg)
		}
	}
	if !found {
		return nil, false, nil
	}
	p.Args = kept
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		o, err := parseJSON([]byte(value))
		if err != nil {
			return nil, true, p.refuse("correct it", "--settings is not valid JSON: %s", wrongJSON(err))
		}
		return o, true, nil
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(p.opt.Dir, value)
	}
	given, err = p.settings(value)
	return given, true, err
}

// claudeSocket sends requests to a socket instead of a URL.
const claudeSocket = "ANTHROPIC_UNIX_SOCKET"

// claudeHelpers are settings for programs that Claude Code runs to get
// credentials and headers.
var claudeHelpers = []string{"apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "otelHeadersHelper", "proxyAuthHelper"}

// claudeRefusals refuses setups that would bypass the gateway whatever we pass,
// and what a repository must not decide.
func (p *preparation) claudeRefusals(layers []layer) error {
	for _, name := range claudeElsewhere {
		if truthy(p.env.get(name)) {
			return p.refuse("unset it to go through Sluice with a key or login of Anthropic", "%s is set, and Sluice does not speak that protocol", name)
		}
	}
	if p.env.get(claudeSocket) != "" {
		return p.refuse("unset it", "%s sends requests to a socket instead of the gateway", claudeSocket)
	}
	for _, l := range layers {
		for _, name := range slices.Sorted(maps.Keys(l.env)) {
			if err := p.claudeVariable(l, name, l.env.text(name)); err != nil {
				return err
			}
		}
		for _, name := range claudeHelpers {
			if l.project && l.whole[name] != nil {
				return p.refuseProject(l.where, name)
			}
		}
	}
	return nil
}

// claudeVariable judges one variable of an env block.
func (p *preparation) claudeVariable(l layer, name, value string) error {
	switch {
	case slices.Contains(claudeElsewhere, name):
		if truthy(value) {
			return p.refuse("remove it there to go through Sluice with a key or login of Anthropic", "%s is set in %s, and Sluice does not speak that protocol", name, l.where)
		}
	case name == claudeSocket && value != "":
		return p.refuse("remove it there", "%s of %s sends requests to a socket instead of the gateway", name, l.where)
	case name == claudeBase && (value == "" || p.isGateway(value)): // the first is overridden, the second is ours
	case name == claudeBase && l.managed:
		return p.refuse("change it there (`sluice connect claude --managed` prints what to write)", "%s sets %s to %s, and managed settings cannot be overridden", l.where, name, value)
	case name == claudeHeaders && l.project && speaksToUs(value):
		return p.refuseProject(l.where, name+" with headers for Sluice")
	case l.project && p.decides(name):
		return p.refuseProject(l.where, name+" to "+strconv.Quote(value))
	}
	return nil
}

// claudeSettings passes the variables as settings too, together with those that
// the user passed.
func (p *preparation) claudeSettings(given object, want []Change) {
	merged, env := object{}, object{}
	maps.Copy(merged, given)
	maps.Copy(env, given.object("env"))
	for _, c := range want {
		env[c.Name] = c.Value
	}
	merged["env"] = env
	text, err := json.Marshal(merged)
	if err != nil { // it was JSON a moment ago
		return
	}
	p.Args = append([]string{"--settings", p.temporary("settings.json", text)}, p.Args...)
}
