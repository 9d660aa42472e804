package settings

import (
	"path/filepath"
	"runtime"
)

const (
	configFlag     = "config"
	configVariable = "SLUICE_CONFIG"
	// issuedKeys is the directory of issued keys in the data directory.
	issuedKeys = "keys"
)

// homeOf returns the user's home directory, empty if there is none. A relative
// one would be in the working directory, and counts as none.
func homeOf(env map[string]string) string {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	return ifAbsolute(env[name])
}

// configFile is the user's own configuration file, which need not exist; empty
// if there is no directory for it.
func configFile(env map[string]string) string {
	return below(userDir(env, "XDG_CONFIG_HOME", "APPDATA", ".config", ".config"), "config.yaml")
}

// dataDir is the default data directory; empty if there is none.
func dataDir(env map[string]string) string {
	return below(userDir(env, "XDG_DATA_HOME", "LOCALAPPDATA", filepath.Join("Library", "Application Support"), filepath.Join(".local", "share")), "")
}

// userDir finds one of the user's directories: by the XDG variable on every
// system, then by the system's convention.
func userDir(env map[string]string, xdg, windows, mac, unix string) string {
	if dir := ifAbsolute(env[xdg]); dir != "" {
		return dir
	}
	home := homeOf(env)
	switch {
	case runtime.GOOS == "windows":
		return ifAbsolute(env[windows])
	case home == "":
		return ""
	case runtime.GOOS == "darwin":
		return filepath.Join(home, mac)
	default:
		return filepath.Join(home, unix)
	}
}

func below(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "sluice", name)
}

func ifAbsolute(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return ""
}
