package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
)

// process is a role that runs in another process.
type process struct {
	addresses

	name  string
	cmd   *exec.Cmd
	stdin io.Closer
}

// start begins a role and waits until it is ready. It trusts the certificate
// in the file, if there is one. Sampled, it notes where its memory comes from
// more closely than it otherwise would, which takes time.
func (b *bench) start(ctx context.Context, name, to, trust string, sampled bool) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	role, with := name, "plain"
	if b.options.noise && name == roleSluice {
		role = roleFloor
	}
	if sampled {
		with = "profile"
	}
	cmd := exec.CommandContext(ctx, self, roleFlag, role, to, with) //nolint:gosec // this program itself
	cmd.Stderr = b.stderr
	if trust != "" {
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+trust)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{name: name, cmd: cmd, stdin: stdin}
	if err := json.NewDecoder(stdout).Decode(&p.addresses); err != nil {
		p.stop()
		return nil, fmt.Errorf("%s did not start: %w", name, err)
	}
	return p, nil
}

// proxies starts the floor and the gateway in front of an upstream. The
// function ends them; it may be called after an error too.
func (b *bench) proxies(ctx context.Context, to, trust string) (list []target, stop func(), err error) {
	stop = func() {
		for _, t := range list {
			t.process.stop()
		}
	}
	for _, name := range []string{roleFloor, roleSluice} {
		p, err := b.start(ctx, name, to, trust, false)
		if err != nil {
			return list, stop, err
		}
		list = append(list, target{name, p.URL, p})
	}
	return list, stop, nil
}

// stop ends the role and waits for its process.
func (p *process) stop() {
	_ = p.stdin.Close()
	_ = p.cmd.Wait() // how it ended does not matter: it was stopped
}

// usage asks the role for its resource usage so far.
func (p *process) usage(ctx context.Context) (u usage, err error) {
	err = p.tell(ctx, "/usage", &u)
	return u, err
}

// memory asks the role for its current memory.
func (p *process) memory(ctx context.Context) (m memory, err error) {
	err = p.tell(ctx, "/memory", &m)
	return m, err
}

func (p *process) tell(ctx context.Context, path string, into any) error {
	text, err := p.ask(ctx, path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// ask asks the role for something on its control port.
func (p *process) ask(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Control+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", p.name, err)
	}
	text, err := io.ReadAll(res.Body)
	return text, errors.Join(err, res.Body.Close())
}
