package server

import (
	"fmt"
	"log/slog"
	"strings"
)

// WeakerError refuses policies that are weaker than those in force, if
// policies.pinned is set.
type WeakerError struct {
	// Changes are what is weaker, one sentence for each.
	Changes []string
}

func (e *WeakerError) Error() string {
	return "the policies are pinned, and these would be weaker: " + listed(e.Changes) +
		": restart the gateway if that is intended, or restore the old ones"
}

// mostListed is how many changes a sentence names.
const mostListed = 10

func listed(changes []string) string {
	if more := len(changes) - mostListed; more > 0 {
		return strings.Join(changes[:mostListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(changes, ", ")
}

// announce reports that the policies have become weaker, or would have: to the log,
// to the audit log, and to the user. It may be intended, or it may be the agent's
// doing.
func (s *Server) announce(changes []string, refused bool) {
	text, version := "the policies in force have become weaker", s.policies.live.Load().Version()
	if refused {
		text = "weaker policies were refused, because they are pinned"
	}
	s.log.Warn(text, slog.String("version", version), slog.String("changes", listed(changes)))
	if s.audit != nil {
		s.audit.put(&auditLine{Event: "policies", Policies: version, Weaker: changes, Refused: refused})
	}
	if s.options.Notice != nil {
		s.options.Notice(text + ": " + listed(changes))
	}
}
