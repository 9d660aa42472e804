package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/policy/file"
)

// hookHost is what a hook consists of: what an agent would have to change to disable or
// replace it. Unlike a gateway it is started for each call, by its name and because
// settings say so. So it includes the settings that name it, and every place where a
// program of its name would be found.
func hookHost(cwd, home string) file.Host {
	host := file.Host{Files: hookSettings(cwd, home), Line: strings.Join(os.Args, " ")}
	program, err := os.Executable()
	if err != nil {
		return host
	}
	name := filepath.Base(program)
	host.Files = append(host.Files, program)
	host.Program = strings.TrimSuffix(name, ".exe")
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) {
			host.Files = append(host.Files, filepath.Join(dir, name))
		}
	}
	return host
}

const (
	// deepestProject is how many directories are searched for the settings of a project.
	deepestProject = 64
	// longestSettings is how much of a settings file is read.
	longestSettings = 4 << 20
)

// hookSettings returns the settings files of Claude Code that have this hook, and all
// files of a directory that the user has chosen for settings, which no policy would know
// otherwise: each of them can switch hooks off.
func hookSettings(cwd, home string) []string {
	var files []string
	each := func(dir string, all bool) {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			if file := filepath.Join(dir, name); all || namesHook(file) {
				files = append(files, file)
			}
		}
	}
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		each(dir, true)
	}
	if home != "" {
		each(filepath.Join(home, ".claude"), false)
	}
	for _, dir := range []string{os.Getenv("CLAUDE_PROJECT_DIR"), cwd} {
		for range deepestProject {
			if !filepath.IsAbs(dir) || dir == home || dir == filepath.Dir(dir) {
				break
			}
			each(filepath.Join(dir, ".claude"), false)
			dir = filepath.Dir(dir)
		}
	}
	return files
}

// namesHook reports whether a settings file has this hook. One that cannot be read
// completely may have it.
func namesHook(name string) bool {
	f, err := os.Open(name) //nolint:gosec // it is one of the places where Claude Code has settings
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, longestSettings))
	return err != nil || len(data) == longestSettings || bytes.Contains(data, []byte("claude-code")) && bytes.Contains(data, []byte("hook"))
}
