package server

import (
	"errors"
	"log/slog"

	"github.com/sluice-project/sluice/gateway/settings"
)

// tellChanges logs which settings have changed since the server started:
// people who reload expect them to be in force.
func (s *Server) tellChanges() {
	if s.options.Settings == nil {
		return
	}
	now, err := s.options.Settings()
	if err != nil {
		problems, ok := errors.AsType[settings.Problems](err)
		if !ok {
			problems = settings.Problems{{Origin: "configuration", Message: err.Error()}}
		}
		for _, p := range problems {
			s.log.Warn("the configuration has changed and cannot be used; the server keeps running with the old one, but would not start again",
				slog.String("problem", p.String()))
		}
		return
	}
	if changed := s.settings.Changes(now); len(changed) > 0 {
		s.log.Warn("these settings have changed and need a restart to be in force", slog.Any("settings", changed))
	}
}
