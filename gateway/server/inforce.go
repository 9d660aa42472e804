package server

import (
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-project/sluice/policy/file"
)

// inForce is what the policies protect from agents: everything this server consists of,
// wherever it is. The port is known once the listener is open.
func (s *Server) inForce() file.Host {
	from := s.settings
	h := file.Host{
		Files:   named(from.File, from.TLS.Cert),
		Private: named(from.Data, from.Admin.TokenFile, from.TLS.Key, s.options.Recordings),
		Process: os.Getpid(),
		Line:    strings.Join(os.Args, " "),
	}
	if program, err := os.Executable(); err == nil {
		h.Files = append(h.Files, program)
		h.Program = strings.TrimSuffix(filepath.Base(program), ".exe")
	}
	if from.AuditLog != "-" {
		h.Private = append(h.Private, named(from.AuditLog)...)
	}
	if s.listener != nil {
		if at, ok := s.listener.Addr().(*net.TCPAddr); ok {
			h.Port = at.Port
		}
	}
	return h
}

// named returns the paths that are not empty.
func named(paths ...string) []string {
	var list []string
	for _, path := range paths {
		if path != "" {
			list = append(list, path)
		}
	}
	return list
}
