package server

import (
	"log/slog"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/gateway/settings"
	"github.com/sluice-project/sluice/policy/file"
)

// Check finds out whether New can use settings, as far as possible without listening, writing or asking
// anybody: it loads the policies, the certificate and the placeholder key, and creates the gateway. It
// returns all errors that New would; the policies are nil if they cannot be used.
func Check(s *settings.Settings) (loaded *file.Loaded, errs []error) {
	srv := &Server{settings: s, log: slog.New(slog.DiscardHandler), transport: gateway.NewTransport()}
	if s.TLS.Cert != "" {
		if _, err := openCertificate(s.TLS); err != nil {
			errs = append(errs, err)
		}
	}
	policies, loaded, err := srv.openPolicies(srv.checkRedactor)
	if err != nil {
		return nil, append(errs, err)
	}
	srv.policies = policies
	g, err := gateway.New(srv.config())
	if err != nil {
		return loaded, append(errs, err)
	}
	_ = g.Close() // nothing runs in it
	return loaded, errs
}
