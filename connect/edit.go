package connect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Edit is a change of one settings file, so that a client always goes through the
// gateway.
type Edit struct {
	// Title says what it is for, Path where it is.
	Title string
	Path  string
	// Before is the file as it is, nil if there is none; After as it will be.
	Before, After []byte
	// Notes are remarks in whole sentences.
	Notes []string
}

// Changes reports whether there is something to write.
func (e Edit) Changes() bool { return e.Before == nil || !bytes.Equal(e.Before, e.After) }

// Edits returns the changes to a client's settings files that implement what
// [Settings] returns. It writes nothing. Members that are not ours stay as they
// are, with their comments, order and indentation. A file that cannot be read, or
// in which the members cannot be set, is an error with the position.
func Edits(c Client, opt Options, managed bool) ([]Edit, error) {
	list, err := Settings(c, opt, managed)
	if err != nil {
		return nil, err
	}
	p, err := newPreparation(c, opt)
	if err != nil {
		return nil, err
	}
	edits := make([]Edit, 0, len(list))
	for _, s := range list {
		path, err := p.place(s, managed)
		if err != nil {
			return nil, err
		}
		e := Edit{Title: s.Title, Path: path}
		if e.Before, err = readOwn(path); err != nil {
			return nil, err
		}
		if e.After, err = p.edited(path, e.Before, s.Content); err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	launch, err := Prepare(c, opt)
	refused, isRefused := errors.AsType[*RefusedError](err)
	switch {
	case len(edits) == 0:
	case isRefused:
		edits[0].Notes = append(edits[0].Notes, fmt.Sprintf("These settings are not enough: %s; %s.", refused.Reason, refused.Advice))
	case err == nil:
		for _, name := range slices.Sorted(maps.Keys(launch.Upstream)) {
			edits[0].Notes = append(edits[0].Notes, fmt.Sprintf("It pointed to %s until now: set that as upstreams.%s.url in the gateway's configuration.", launch.Upstream[name], name))
		}
	}
	return edits, nil
}

// Files are the settings files that [Edits] changes.
func Files(c Client, opt Options, managed bool) ([]string, error) {
	list, err := Settings(c, opt, managed)
	if err != nil {
		return nil, err
	}
	p, err := newPreparation(c, opt)
	if err != nil {
		return nil, err
	}
	paths := make([]string, 0, len(list))
	for _, s := range list {
		path, err := p.place(s, managed)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// place is the path of a setting on this system.
func (p *preparation) place(s Setting, managed bool) (string, error) {
	system := map[string]string{"darwin": "macOS", "windows": "Windows"}[p.os]
	if system == "" {
		system = "Linux"
	}
	i := slices.IndexFunc(s.Places, func(at Place) bool { return at.OS == system })
	if i < 0 {
		return "", fmt.Errorf("%s: there is no file for it on %s", s.Title, system)
	}
	path := strings.ReplaceAll(s.Places[i].Path, `\`, "/")
	if strings.Contains(path, "(with") || !strings.ContainsAny(path, "/") {
		return "", fmt.Errorf("%s: it goes into %s, which is not a file that can be edited here: leave --write out and write it yourself", s.Title, s.Places[i].Path)
	}
	if managed {
		path = strings.ReplaceAll(path, "%ProgramData%", "C:/ProgramData")
		return p.system(path, path, path), nil
	}
	for _, own := range ownPlaces {
		if dir := p.env.get(own.variable); dir != "" && strings.Contains(path, own.from) {
			return opencodeFile(filepath.Join(dir, own.below, filepath.Base(path))), nil
		}
	}
	for _, home := range []string{"~", "%USERPROFILE%"} {
		if rest, ok := strings.CutPrefix(path, home+"/"); ok {
			return opencodeFile(filepath.Join(p.home, filepath.FromSlash(rest))), nil
		}
	}
	return "", fmt.Errorf("%s: %s is not a path", s.Title, path)
}

// opencodeFile is the settings file of opencode that is in use: with comments its
// name may end in jsonc. Other files stay as they are.
func opencodeFile(path string) string {
	if filepath.Base(path) == "opencode.json" {
		if data, err := readFile(path + "c"); err == nil && data != nil {
			return path + "c"
		}
	}
	return path
}

// edited returns a file with the members of a setting added. Input and output are
// compared member by member: nothing else may have changed.
func (p *preparation) edited(path string, before []byte, content string) ([]byte, error) {
	mark := []byte{}
	body := before
	if bytes.HasPrefix(before, []byte("\ufeff")) {
		mark, body = before[:3], before[3:]
	}
	var after []byte
	var err error
	switch filepath.Ext(path) {
	case ".json", ".jsonc":
		after, err = editJSON(body, content)
	case ".toml":
		after, err = editTOML(body, content)
	default:
		after, err = editDotenv(body, content)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return append(bytes.Clone(mark), after...), nil
}

// errOther is an edit that changed more than it should, which is never written.
var errOther = errors.New(" other members would change: leave --write out and add what is printed by hand")

func editJSON(body []byte, content string) ([]byte, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return []byte(content), nil
	}
	want, err := parseJSON(body)
	if errors.Is(err, errNoObject) {
		return nil, fmt.Errorf("1:1: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: it is not valid JSON: %w", jsonPosition(body, err), err)
	}
	ours, err := parseJSON([]byte(content))
	if err != nil {
		return nil, err
	}
	for _, m := range leaves(ours, nil) {
		if m.path[0] == "$schema" && want["$schema"] != nil {
			continue
		}
		was := want.object(m.path[:len(m.path)-1]...)[m.path[len(m.path)-1]]
		if m.path[len(m.path)-1] == claudeHeaders {
			if key, ok := strings.CutPrefix(asText(m.value), "X-Sluice-Key: "); ok {
				old, _ := was.(string)
				m.value = withHeader(old, "\n", key)
			}
		}
		if reflect.DeepEqual(was, m.value) {
			continue
		}
		if body, err = setJSON(body, m.path, m.value); err != nil {
			return nil, err
		}
		want = withMember(want, m.value, m.path[0], m.path[1:]...)
	}
	got, err := parseJSON(body)
	if err != nil || !sameJSON(got, want) {
		return nil, errOther
	}
	return body, nil
}

func sameJSON(a, b object) bool {
	x, xErr := marshalJSON(a, "")
	y, yErr := marshalJSON(b, "")
	return xErr == nil && yErr == nil && bytes.Equal(x, y)
}

// leaf is a member that is not an object, with its path.
type leaf struct {
	path  []string
	value any
}

func leaves(o object, above []string) (list []leaf) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		path := append(slices.Clone(above), name)
		if inner := o.object(name); inner != nil {
			list = append(list, leaves(inner, path)...)
		} else {
			list = append(list, leaf{path, o[name]})
		}
	}
	return list
}

// overridden reports settings of Codex that would make it ignore the openai_base_url in
// content: another provider, or a selected profile with an address of its own.
func overridden(settings object, content string) error {
	provider := settings.text("model_provider")
	if profile := settings.text("profile"); profile != "" {
		ours, err := parseTOML([]byte(content))
		if err != nil {
			return err
		}
		if at := settings.text("profiles", profile, "openai_base_url"); at != "" && at != ours.text("openai_base_url") {
			return fmt.Errorf(" the profile %s overrides openai_base_url: set it in [profiles.%s] to the gateway's URL with /v1 yourself", profile, profile)
		}
		provider = cmp.Or(settings.text("profiles", profile, "model_provider"), provider)
	}
	if provider != "" && provider != "openai" && provider != codexProvider {
		return fmt.Errorf(" model_provider is %s, which openai_base_url does not affect: set base_url in [model_providers.%s] to the gateway's URL with /v1 yourself", provider, provider)
	}
	return nil
}

func editTOML(body []byte, content string) ([]byte, error) {
	want, err := parseTOML(body)
	if err != nil {
		return nil, fmt.Errorf(" it is not valid TOML: %w", err)
	}
	ours, err := tomlStatements(content)
	if err != nil {
		return nil, err
	}
	if err := overridden(want, content); err != nil {
		return nil, err
	}
	text := string(body)
	for _, s := range ours {
		if len(s.key) == 0 {
			continue
		}
		value := content[s.from:s.to]
		path := slices.Concat(s.table, s.key)
		read := (&tomlReader{text: value})
		parsed, err := read.value(0)
		if err != nil {
			return nil, err
		}
		if was, there := want.object(path[:len(path)-1]...)[path[len(path)-1]]; there && reflect.DeepEqual(was, parsed) {
			continue
		}
		if text, err = setTOML(text, s.table, s.key[0], value); err != nil {
			return nil, err
		}
		if err := put(want, path, parsed); err != nil {
			return nil, err
		}
	}
	got, err := parseTOML([]byte(text))
	if err != nil || !reflect.DeepEqual(got, want) {
		return nil, errOther
	}
	return []byte(text), nil
}

func editDotenv(body []byte, content string) ([]byte, error) {
	want := parseDotenv(body)
	newline := "\n"
	if bytes.Contains(body, []byte("\r\n")) {
		newline = "\r\n"
	}
	text := string(body)
	for line := range strings.SplitSeq(strings.TrimSpace(content), "\n") {
		name, value, _ := strings.Cut(line, "=")
		if old := want.text(name); old != "" && name == "GEMINI_CLI_CUSTOM_HEADERS" {
			if key, ok := strings.CutPrefix(value, "X-Sluice-Key: "); ok {
				value = withHeader(old, ",", key)
			}
		}
		if want.text(name) == value || want.text(name) == strings.Trim(value, `"`) && value != "" {
			continue
		}
		line = name + "=" + value
		lines := strings.Split(text, "\n")
		found := false
		for i := range slices.Backward(lines) {
			match := dotenvLine.FindStringSubmatch(strings.TrimRight(lines[i], "\r"))
			if len(match) < 2 || match[1] != name {
				continue
			}
			export := ""
			if strings.HasPrefix(strings.TrimSpace(lines[i]), "export ") {
				export = "export "
			}
			lines[i] = export + line + strings.Repeat("\r", strings.Count(lines[i], "\r"))
			found = true
			break
		}
		if text = strings.Join(lines, "\n"); !found {
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += newline
			}
			text += line + newline
		}
		want[name] = strings.Trim(value, `"`)
	}
	if !reflect.DeepEqual(parseDotenv([]byte(text)), want) {
		return nil, errOther
	}
	return []byte(text), nil
}

// ownPlaces are the variables that move the settings of clients.
var ownPlaces = []struct{ from, variable, below string }{
	{"/.claude/", "CLAUDE_CONFIG_DIR", ""},
	{"/.codex/", "CODEX_HOME", ""},
	{"/.qwen/", "QWEN_HOME", ""},
	{"/.gemini/", geminiHome, ".gemini"},
	{"/.config/opencode/", "XDG_CONFIG_HOME", "opencode"},
}
