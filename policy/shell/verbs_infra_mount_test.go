package shell

import "testing"

func TestPathsOfContainersOnTheHost(t *testing.T) {
	mounts := []hostMount{{"/", "/host"}, {"/home/u/p", "/app"}, {"/home/u/data", "/app/data"}}
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
