package follow

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Persists notes that something runs again by itself.
func Persists(a *invocation.Act, what string) { a.Does(effect.Persist, what) }

// schedules notes programs that use a library to write what runs by the clock.
func schedules(a *invocation.Act, program string) {
	if strings.Contains(program, "CronTab(") && strings.Contains(program, ".write(") && !strings.Contains(program, "tabfile=") && !strings.Contains(program, "tab=") {
		Persists(a, "crontab")
	}
}
