package main

import "runtime/debug"

// version is what the Go tool recorded of this build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	if text == "" || text == "(devel)" {
		text = "development build"
	}
	return text + " (" + info.GoVersion + ")"
}
