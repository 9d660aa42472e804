package service

import (
	"encoding/xml"
	"path"
	"strings"
)

// label is the service's name for launchd.
const label = "org.sluice.gateway"

// launchd plans a file for launchd, which the user has to install.
func launchd(opt Options) Plan {
	dir, domain := path.Join(opt.Home, "Library", "LaunchAgents"), "gui/$(id -u)"
	if opt.System {
		dir, domain = "/Library/LaunchDaemons", "system"
	}
	at := path.Join(dir, label+".plist")
	var b strings.Builder
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n<plist version=\"1.0\">\n<dict>\n")
	text := func(key, value string) {
		b.WriteString("  <key>" + key + "</key>\n  <string>" + escaped(value) + "</string>\n")
	}
	text("Label", label)
	b.WriteString("  <key>ProgramArguments</key>\n  <array>\n")
	var by Command
	if opt.System {
		by, opt.Program = copied(opt.Program)
	}
	words := []string{opt.Program, "serve"}
	if opt.Config != "" {
		words = append(words, "--config", opt.Config)
	}
	for _, word := range words {
		b.WriteString("    <string>" + escaped(word) + "</string>\n")
	}
	b.WriteString("  </array>\n  <key>RunAtLoad</key>\n  <true/>\n  <key>KeepAlive</key>\n  <true/>\n")
	logs := path.Join(opt.Home, "Library", "Logs", "sluice.log")
	if opt.System {
		logs = "/var/log/sluice.log"
		text("UserName", "_sluice")
	}
	text("StandardErrorPath", logs)
	b.WriteString("</dict>\n</plist>\n")
	notes := []string{
		"Write this into " + at + ".",
		"Start it with: launchctl bootstrap " + domain + " " + at,
		"Stop it with: launchctl bootout " + domain + "/" + label,
	}
	if opt.System {
		if by != nil {
			notes = append([]string{"Copy the program first: sudo " + by.String()}, notes...)
		}
		notes = append(notes, "Create the user _sluice first, with a home directory of mode 0700 that nobody else can read.")
	}
	return Plan{Files: []File{{Path: at, Mode: 0o644, Content: b.String()}}, Notes: notes, Manual: true}
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder does not fail
	return b.String()
}
