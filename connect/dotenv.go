package connect

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// dotenvLine is a line of a .env file in the forms that the clients read:
// NAME=value, export NAME=value and NAME: value.
var dotenvLine = regexp.MustCompile(`^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:\s)(.*)$`)

// dotenv reads variables from a file of such lines. One that cannot be read is
// refused, as settings are.
func (p *preparation) dotenv(name string) (object, error) {
	data, err := readFile(name)
	if err != nil {
		return nil, p.refuse("repair or remove that file", "%s cannot be read, so it is not known where it sends the client: %v", name, err)
	}
	return parseDotenv(data), nil
}

// parseDotenv reads the lines of such a file.
func parseDotenv(data []byte) object {
	found := object{}
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(string(data), "\ufeff"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		match := dotenvLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		value := strings.TrimSpace(match[2])
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'' || value[0] == '`') && value[n-1] == value[0] {
			value = value[1 : n-1]
		} else if at := strings.Index(value, " #"); at >= 0 {
			value = strings.TrimSpace(value[:at])
		}
		found[match[1]] = value
	}
	return found
}

// dotenvs are the .env files of a directory, by precedence.
func dotenvs(dir, folder string) []string {
	return []string{filepath.Join(dir, folder, ".env"), filepath.Join(dir, ".env")}
}

// dotenvUpstream takes the base URL that the client would find, in the
// environment or in a .env file of the user's, as the upstream. The client
// prefers the environment, where ours will be.
func (p *preparation) dotenvUpstream(upstream, name, folder string, user ...string) error {
	if at := p.env.get(name); at != "" {
		p.upstreamFrom(upstream, at)
		return nil
	}
	if filepath.Clean(p.opt.Dir) == filepath.Clean(p.home) {
		user = append(user, dotenvs(p.home, folder)...)
	}
	for _, file := range append(user, filepath.Join(p.home, ".env")) {
		found, err := p.dotenv(file)
		if err != nil {
			return err
		}
		if at := found.text(name); at != "" {
			p.upstreamFrom(upstream, at)
			return nil
		}
	}
	return nil
}

// projectFiles judges the settings and .env files of Gemini CLI and Qwen Code
// that come with a repository. bases are the variables that hold a base URL.
// What the user has exported takes precedence over those files, and so does
// what we set.
func (p *preparation) projectFiles(folder string, bases ...string) error {
	for _, dir := range p.above() {
		if dir == filepath.Clean(p.home) {
			continue // they are the user's
		}
		for _, file := range dotenvs(dir, folder) {
			found, err := p.dotenv(file)
			if err != nil {
				return err
			}
			if err := p.projectVariables(file, found, bases); err != nil {
				return err
			}
		}
		file := filepath.Join(dir, folder, "settings.json")
		settings, err := p.settings(file)
		if err != nil {
			return err
		}
		if err := p.projectVariables(file, variables(settings.object("env")), bases); err != nil {
			return err
		}
		p.programs(file, settings, "hooks")
		if err := p.servers(file, settings.object("mcpServers")); err != nil {
			return err
		}
		for _, part := range []string{"model", "modelConfigs", "security", "experimental"} {
			if what, found := p.address(settings.object(part)); found {
				return p.refuseProject(file, part+": "+what)
			}
		}
		if at := asText(settings["proxy"]); settings["proxy"] != nil && !p.local() {
			return p.refuseProject(file, "proxy to "+at)
		}
	}
	return nil
}

// projectVariables judges variables that come with a repository.
func (p *preparation) projectVariables(file string, found object, bases []string) error {
	for _, name := range slices.Sorted(maps.Keys(found)) {
		value := found.text(name)
		if value == "" || p.env.get(name) != "" {
			continue
		}
		base := slices.Contains(bases, name) && !p.isGateway(value)
		proxy := isProxy(name) && !p.local() // a local gateway is exempt from proxies
		trust := slices.Contains(trusts, name) && p.decides(name)
		headers := strings.HasSuffix(name, "_HEADERS") && speaksToUs(value)
		if base || proxy || trust || headers {
			return p.refuseProject(file, name+" to "+value)
		}
	}
	return nil
}
