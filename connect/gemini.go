package connect

import (
	"maps"
	"path/filepath"
)

// geminiElsewhere are the switches that make Gemini CLI use something other than the
// Gemini API, and geminiServices the addresses of those services.
var (
	geminiElsewhere = []string{"GOOGLE_GENAI_USE_GCA", "GOOGLE_GENAI_USE_VERTEXAI"}
	geminiServices  = []string{"CODE_ASSIST_ENDPOINT", "GOOGLE_VERTEX_BASE_URL"}
)

// Where Gemini CLI finds its settings.
const (
	geminiSystem = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
	geminiHome   = "GEMINI_CLI_HOME"
)

// gemini sets the variables that Gemini CLI reads. Only the Gemini API with a
// key can be redirected; a Google login uses another service.
func (p *preparation) gemini() error {
	for _, name := range geminiElsewhere {
		if truthy(p.env.get(name)) {
			return p.refuse("unset it and use an API key (GEMINI_API_KEY)", "%s sends requests to a service that Sluice does not speak", name)
		}
	}
	systemFile := p.env.get(geminiSystem)
	if systemFile == "" {
		systemFile = p.system("/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json", `C:\ProgramData\gemini-cli\settings.json`)
	}
	home := p.env.get(geminiHome)
	if home == "" {
		home = p.home
	}
	selected, from, _, err := p.selectedAuth(systemFile, filepath.Join(home, ".gemini", "settings.json"), ".gemini")
	if err != nil {
		return err
	}
	switch selected {
	case "gemini-api-key", "gateway":
	case "":
		p.notef(`No login method is chosen yet: choose "Use Gemini API Key" when Gemini CLI asks. With -p it does not ask; set security.auth.selectedType to "gemini-api-key" in ~/.gemini/settings.json.`)
	default:
		return p.refuse("choose \"Use Gemini API Key\" with /auth", "%s selects the login %q, whose service Sluice does not speak", from, selected)
	}
	if err := p.projectFiles(".gemini", "GOOGLE_GEMINI_BASE_URL"); err != nil {
		return err
	}
	if err := p.dotenvUpstream("gemini", "GOOGLE_GEMINI_BASE_URL", ".gemini", filepath.Join(home, ".gemini", ".env")); err != nil {
		return err
	}
	p.env.set("GOOGLE_GEMINI_BASE_URL", p.base)
	// The services of a Google login and of Vertex, which the user can choose
	// while it runs: the gateway refuses them, otherwise they would bypass it.
	for _, name := range geminiServices {
		p.env.set(name, p.base)
	}
	if p.key != "" {
		p.env.setSecret("GEMINI_CLI_CUSTOM_HEADERS", withHeader(p.env.get("GEMINI_CLI_CUSTOM_HEADERS"), ",", p.key))
	}
	return nil
}

// selectedAuth reads security.auth.selectedType from the settings of Gemini CLI
// or Qwen Code, which share their form: system, project, user, the strongest
// first. It returns the system's settings too, which a file of ours may replace.
func (p *preparation) selectedAuth(systemFile, userFile, folder string) (selected, from string, system object, err error) {
	if system, err = p.settings(systemFile); err != nil {
		return "", "", nil, err
	}
	files := []string{systemFile}
	for _, dir := range p.above() {
		files = append(files, filepath.Join(dir, folder, "settings.json"))
	}
	for _, file := range append(files, userFile) {
		settings, err := p.settings(file)
		if err != nil {
			return "", "", nil, err
		}
		if selected := settings.text("security", "auth", "selectedType"); selected != "" {
			return selected, file, system, nil
		}
	}
	return "", "", system, nil
}

// withMember returns a copy of an object in which a member is set.
func withMember(o object, value any, name string, deeper ...string) object {
	copied := object{}
	maps.Copy(copied, o)
	if len(deeper) == 0 {
		copied[name] = value
	} else {
		copied[name] = withMember(o.object(name), value, deeper[0], deeper[1:]...)
	}
	return copied
}
