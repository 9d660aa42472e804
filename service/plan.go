package service

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Name is the name of the service.
const Name = "sluice"

// Options describe the service.
type Options struct {
	// OS is as in runtime.GOOS.
	OS string
	// System: for the whole machine, under a user of its own whose data no other
	// user can read. Otherwise it runs as the user, while they are logged in.
	System bool
	// Program is the absolute path of the program.
	Program string
	// Config is the absolute path of a configuration file, empty for the user's
	// own. A system service always has one, in /etc/sluice.
	Config string
	// Home is the user's home directory, ConfigHome their configuration
	// directory if it is not .config in that.
	Home, ConfigHome string
}

// Plan is what has to be done to install a service.
type Plan struct {
	// Files have to be written, in this order. Existing ones with Keep stay as
	// they are.
	Files []File `json:"files"`
	// Install, Remove and Status are the commands that enable, disable and
	// query it. Stop is run before files are removed.
	Install []Command `json:"install"`
	Stop    []Command `json:"stop"`
	Remove  []Command `json:"remove"`
	// Notes are remarks in whole sentences.
	Notes []string `json:"notes"`
	// Manual: the user has to install the files, as the notes say.
	Manual bool `json:"manual"`
}

// File is a file of a service.
type File struct {
	Path    string `json:"path"`
	Mode    uint32 `json:"mode"`
	Content string `json:"content"`
	// Keep: once it exists it belongs to the user and is neither replaced nor
	// removed.
	Keep bool `json:"keep"`
}

// Command is a program with its arguments.
type Command []string

// String formats the command as it is typed.
func (c Command) String() string { return strings.Join(c, " ") }

// The directories of a system service.
const (
	systemConfig = "/etc/sluice/config.yaml"
	systemData   = "/var/lib/sluice"
)

// New plans a service.
func New(opt Options) (Plan, error) {
	switch {
	case opt.Program == "":
		return Plan{}, errors.New("service: the path of the program is not known")
	case strings.ContainsAny(opt.Program+opt.Config, "\n\r\"\\%$"):
		return Plan{}, fmt.Errorf("service: %q cannot be used in a unit: move it to a path without quotes, %% and $", opt.Program)
	case opt.System && isPrivate(opt.Config):
		return Plan{}, fmt.Errorf("service: %s is in a directory that the service cannot read: put it into /etc/sluice", opt.Config)
	case opt.OS == "darwin":
		return launchd(opt), nil
	case opt.OS == "windows":
		return Plan{}, errors.New("Sluice installs no service on Windows: let the Task Scheduler start it when you log on, with: " +
			`schtasks /Create /SC ONLOGON /TN Sluice /TR "\"` + opt.Program + `\" serve"`)
	case opt.OS != "linux":
		return Plan{}, fmt.Errorf("services can be installed only for systemd and launchd; on %s let the init system run: %s serve", opt.OS, opt.Program)
	case opt.System:
		return system(opt), nil
	}
	return user(opt), nil
}

// installed is where the program of a machine-wide service is copied to that is in a
// directory of some user.
const installed = "/usr/local/bin/sluice"

// private are the directories that a machine-wide service cannot read, by the protections
// of its unit or by the mode of homes, and in which the agent's user could replace files.
var private = []string{"/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/", "/Users/", "/private/"}

func isPrivate(file string) bool {
	return slices.ContainsFunc(private, func(dir string) bool { return strings.HasPrefix(path.Clean(file), dir) })
}

// copied is the command that puts the program where a machine-wide service can use it,
// with the place, nil if it can be used where it is.
func copied(program string) (Command, string) {
	if !isPrivate(program) {
		return nil, program
	}
	return Command{"install", "-m", "755", program, installed}, installed
}

// user plans a unit of the user's own systemd.
func user(opt Options) Plan {
	dir := opt.ConfigHome
	if dir == "" {
		dir = path.Join(opt.Home, ".config")
	}
	unit := Name + ".service"
	ctl := func(words ...string) Command { return append(Command{"systemctl", "--user"}, words...) }
	return Plan{
		Files: []File{{
			Path: path.Join(dir, "systemd", "user", unit), Mode: 0o644,
			Content: "[Unit]\nDescription=Sluice gateway\n\n[Service]\nExecStart=" + execStart(opt.Program, opt.Config) + serviceLines +
				"\n[Install]\nWantedBy=default.target\n",
		}},
		Install: []Command{ctl("daemon-reload"), ctl("enable", unit), ctl("restart", unit)},
		Stop:    []Command{ctl("disable", "--now", unit)},
		Remove:  []Command{ctl("daemon-reload")},
		Notes: []string{
			"It runs while you are logged in; `loginctl enable-linger` lets it run from boot.",
			"It runs as you, and so does an agent: one that gets past the policies can stop it or read its data. `--system` gives it a user of its own.",
			"`journalctl --user -u sluice` shows its log.",
		},
	}
}

// serviceLines are what all units have: the gateway is restarted whenever it
// ends, and running answers may finish.
const serviceLines = `
ExecReload=/bin/kill -HUP $MAINPID
Restart=always
RestartSec=1
TimeoutStopSec=45
NoNewPrivileges=yes
`

// system plans a machine-wide unit.
func system(opt Options) Plan {
	config := opt.Config
	if config == "" {
		config = systemConfig
	}
	unit := Name + ".service"
	ctl := func(words ...string) Command { return append(Command{"systemctl"}, words...) }
	by, program := copied(opt.Program)
	plan := Plan{
		Files: []File{
			{
				Path: "/etc/sysusers.d/sluice.conf", Mode: 0o644,
				Content: "u sluice - \"Sluice gateway\" " + systemData + " -\n",
			},
			{
				Path: "/etc/systemd/system/" + unit, Mode: 0o644,
				Content: "[Unit]\nDescription=Sluice gateway\nWants=network-online.target\nAfter=network-online.target\n\n[Service]\n" +
					"User=sluice\nGroup=sluice\nExecStart=" + execStart(program, config) + serviceLines + systemLines +
					"\n[Install]\nWantedBy=multi-user.target\n",
			},
		},
		Install: []Command{{"systemd-sysusers", "/etc/sysusers.d/sluice.conf"}, ctl("daemon-reload"), ctl("enable", unit), ctl("restart", unit)},
		Stop:    []Command{ctl("disable", "--now", unit)},
		Remove:  []Command{ctl("daemon-reload")},
		Notes: []string{
			"It runs as the user sluice. Its data (audit log, tokens) is in " + systemData + ", which no other user can read.",
			"Its configuration is " + config + "; policies that it names must be readable by the user sluice and writable by nobody else.",
			"`journalctl -u sluice` shows its log.",
		},
	}
	if by != nil {
		plan.Install = append([]Command{by}, plan.Install...)
		plan.Notes = append(plan.Notes, "The program is copied to "+installed+", because the service cannot read "+path.Dir(opt.Program)+"; install it again after an update.")
	}
	if opt.Config == "" {
		plan.Files = append(plan.Files, File{
			Path: systemConfig, Mode: 0o644, Keep: true,
			Content: "# The gateway for everybody on this machine. `sluice config --config " + systemConfig + "` shows what is in force.\n" +
				"# Keep keys out of this file, which everybody can read: write their sha256.\n" +
				"listen: 127.0.0.1:8484\ndata: " + systemData + "\naudit_log: " + systemData + "/audit.jsonl\n",
		})
	}
	return plan
}

// systemLines sandbox a system unit.
const systemLines = `StateDirectory=sluice
StateDirectoryMode=0700
UMask=0077
CapabilityBoundingSet=
LockPersonality=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectSystem=strict
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
`

// execStart is the line of a unit that starts the gateway.
func execStart(program, config string) string {
	line := quoted(program) + " serve"
	if config != "" {
		line += " --config " + quoted(config)
	}
	return line
}

func quoted(word string) string {
	if strings.ContainsAny(word, " \t;'") {
		return `"` + word + `"`
	}
	return word
}
