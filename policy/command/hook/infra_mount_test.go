package hook

import (
	"testing"

	"github.com/sluice-project/sluice/policy/command/guard"
)

func TestPathsOfContainersOnTheHost(t *testing.T) {
	mounts := []guard.HostMount{{From: "/", To: "/host"}, {From: "/home/u/p", To: "/app"}, {From: "/home/u/data", To: "/app/data"}}
	for inside, outside := range map[string]string{
		"/host":                       "/",
		"/host/etc":                   "/etc",
		"/hosts":                      boxed + "/hosts",
		"/app/x":                      "/home/u/p/x",
		"/app/data/x":                 "/home/u/data/x",
		"/app/../host/etc":            "/etc",
		"/var/lib":                    boxed + "/var/lib",
		"/dev/null":                   "/dev/null",
		"/":                           "/",
		"rm -rf /host/etc && ls /app": "rm -rf /etc && ls /home/u/p",
		"of=/host/x":                  "of=/x",
		"https://x.example/app":       "https://x.example/app",
		"a/app":                       "a/app",
		"-f":                          "-f",
	} {
		if got := onHost(inside, mounts); got != outside {
			t.Errorf("%q is %q, want %q", inside, got, outside)
		}
	}
}
