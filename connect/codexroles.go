package connect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// codexLeading are the keys of Codex's configuration that say where requests go.
var codexLeading = []string{"openai_base_url", "chatgpt_base_url", "model_provider", "model_providers", "oss_provider", "profile"}

// maxRoles is how many files a directory of roles may have.
const maxRoles = 1000

// codexRoles checks the roles that agents can be started in. Each is a piece of
// configuration that overrides all others, even options, so one that names an
// address or a provider would bypass the gateway.
func (p *preparation) codexRoles(home string, config object) error {
	files, err := p.roleFiles(filepath.Join(home, "agents"))
	if err != nil {
		return err
	}
	files = append(files, roleConfigs(home, config)...)
	for _, dir := range p.above() {
		folder := filepath.Join(dir, ".codex")
		if folder == filepath.Clean(home) {
			continue
		}
		project, err := p.toml(filepath.Join(folder, "config.toml"))
		if err != nil {
			return err
		}
		if err := p.servers(filepath.Join(folder, "config.toml"), project.object("mcp_servers")); err != nil {
			return err
		}
		more, err := p.roleFiles(filepath.Join(folder, "agents"))
		if err != nil {
			return err
		}
		files = slices.Concat(files, more, roleConfigs(folder, project))
	}
	for _, file := range files {
		role, err := p.toml(file)
		if err != nil {
			return err
		}
		for _, key := range codexLeading {
			if role[key] != nil {
				return p.refuse("remove it there", "the role in %s sets %s, which would override the gateway's address", file, key)
			}
		}
	}
	return nil
}

// roleFiles are the files of a directory of roles. A directory that cannot be
// searched is refused.
func (p *preparation) roleFiles(dir string) ([]string, error) {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		dir = to
	}
	var files []string
	seen := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		seen++
		switch {
		case errors.Is(err, fs.ErrNotExist), isNotDirectory(err):
			return nil
		case err != nil:
			return err
		case seen > maxRoles:
			return fmt.Errorf("it has more than %d entries", maxRoles)
		case entry.Type()&fs.ModeSymlink != 0:
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				return errors.New(path + " leads elsewhere")
			}
		}
		if !entry.IsDir() && strings.EqualFold(filepath.Ext(path), ".toml") {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, p.refuse("tidy it up", "the roles in %s cannot be searched: %v", dir, err)
	}
	return files, nil
}

// roleConfigs are the files that a configuration names for roles.
func roleConfigs(folder string, config object) []string {
	var files []string
	for name := range config.object("agents") {
		if file := config.text("agents", name, "config_file"); file != "" {
			if !filepath.IsAbs(file) {
				file = filepath.Join(folder, file)
			}
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}
