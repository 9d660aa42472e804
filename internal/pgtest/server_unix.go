//go:build unix

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// startWait is the time limit for a server to start.
const startWait = time.Minute

// supervise runs the server until its standard input closes, which happens when the
// test binary is gone for whatever reason. Then it stops the server at once and removes
// the directory. $1 is the directory, $2 the server program.
const supervise = `
trap '' INT HUP
"$2" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off \
	-c max_connections=200 -c shared_buffers=32MB -c logging_collector=off </dev/null &
server=$!
while read -r line; do :; done
kill -QUIT "$server"
wait "$server"
cd /
rm -rf "$1"
`

// serve starts a server and returns once it answers.
func serve() (*server, error) {
	initdb, postgres, err := programs()
	if err != nil {
		return nil, err
	}
	owner, err := unprivileged()
	if err != nil {
		return nil, err
	}
	directory, err := socketDirectory(owner)
	if err != nil {
		return nil, err
	}
	s, err := launch(initdb, postgres, directory, owner)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(directory))
	}
	return s, nil
}

func launch(initdb, postgres, directory string, owner *syscall.Credential) (*server, error) {
	if err := initialise(initdb, directory, owner); err != nil {
		return nil, err
	}
	supervisor := exec.CommandContext(context.Background(), "/bin/sh", "-c", supervise, "sh", directory, postgres) //nolint:gosec // programs of this machine
	// A process group of its own: Ctrl-C in a terminal ends the tests, which end the
	// server.
	supervisor.SysProcAttr = &syscall.SysProcAttr{Credential: owner, Setpgid: true}
	supervisor.Dir = directory
	alive, err := supervisor.StdinPipe()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(directory, "log")) //nolint:gosec // a directory that was made here
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	supervisor.Stdout, supervisor.Stderr = log, log
	if err := supervisor.Start(); err != nil {
		return nil, err
	}
	s := &server{dsn: "host=" + directory + " port=5432 user=postgres dbname=postgres", alive: alive}
	if err := await(s.dsn); err != nil {
		text, _ := os.ReadFile(log.Name())
		return nil, errors.Join(fmt.Errorf("the server does not answer: %w\n%s", err, text), alive.Close(), supervisor.Wait())
	}
	return s, nil
}

// programs finds initdb and postgres of one version, the newest that Debian has
// installed if they are not in PATH.
func programs() (initdb, postgres string, err error) {
	if initdb, err = exec.LookPath("initdb"); err == nil {
		if postgres, err = exec.LookPath("postgres"); err == nil {
			return initdb, postgres, nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	version := func(path string) int {
		n, _ := strconv.Atoi(strings.Split(path, "/")[4])
		return n
	}
	slices.SortFunc(found, func(a, b string) int { return version(b) - version(a) })
	for _, initdb := range found {
		postgres := filepath.Join(filepath.Dir(initdb), "postgres")
		if _, err := os.Stat(postgres); err == nil {
			return initdb, postgres, nil
		}
	}
	return "", "", errors.New("initdb and postgres are neither in PATH nor in /usr/lib/postgresql")
}

// unprivileged returns the user to run the server as, because it refuses to run as
// root. Nil means the current user.
func unprivileged() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil //nolint:nilnil // nothing has to change
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errU := strconv.ParseUint(u.Uid, 10, 32)
		gid, errG := strconv.ParseUint(u.Gid, 10, 32)
		if errU == nil && errG == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("it refuses to run as root, and there is no user postgres or nobody")
}

// socketDirectory creates the directory for everything. Its name is short, because a
// socket path is limited to about 100 bytes.
func socketDirectory(owner *syscall.Credential) (string, error) {
	parent := os.TempDir()
	if len(parent) > 60 || owner != nil {
		parent = "/tmp" // other users may have no access to root's temporary directory
	}
	directory, err := os.MkdirTemp(parent, "pgtest-")
	if err != nil || owner == nil {
		return directory, err
	}
	return directory, os.Chown(directory, int(owner.Uid), int(owner.Gid))
}

func initialise(initdb, directory string, owner *syscall.Credential) error {
	ctx, cancel := context.WithTimeout(context.Background(), startWait)
	defer cancel()
	command := exec.CommandContext(ctx, initdb, "-D", filepath.Join(directory, "data"), "-U", "postgres", //nolint:gosec // a program of this machine
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions")
	command.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
	command.Dir = directory
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", initdb, err, said)
	}
	return nil
}

// await polls until the server answers.
func await(dsn string) error {
	for deadline := time.Now().Add(startWait); ; time.Sleep(20 * time.Millisecond) {
		err := execute(context.Background(), dsn, "SELECT 1")
		if err == nil || time.Now().After(deadline) {
			return err
		}
	}
}
