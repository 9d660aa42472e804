package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/sluice-project/sluice/gateway/settings"
)

// certificate is the pair in force: the last one that could be used.
type certificate struct {
	files   settings.TLS
	current atomic.Pointer[tls.Certificate]
}

func openCertificate(files settings.TLS) (*certificate, error) {
	c := &certificate{files: files}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c, nil
}

// load puts the certificate and key in the files into force, if they are
// valid.
func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.files.Cert, c.files.Key)
	if err != nil {
		return fmt.Errorf("the certificate %s and its key %s cannot be used: %w: write both as PEM, the server's certificate first and then those that signed it",
			c.files.Cert, c.files.Key, err)
	}
	c.current.Store(&pair)
	return nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

func (s *Server) reloadCertificate() error {
	if s.cert == nil {
		return nil
	}
	if err := s.cert.load(); err != nil {
		s.log.Error("the certificate was not reloaded", slog.Any("error", err))
		return err
	}
	s.log.Info("the certificate was reloaded")
	return nil
}
