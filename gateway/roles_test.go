package gateway_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sluice-project/sluice/gateway"
	"github.com/sluice-project/sluice/sluicetest"
	"github.com/sluice-project/sluice/wire"
)

func roleKey(secret, name string, roles gateway.Roles) gateway.Key {
	k := sluiceKey(secret, name)
	k.Roles = roles
	return k
}

// Each role opens what it is for and nothing else; a key with another role gets an
// error in the dialect's form.
func TestRolesOpenWhatTheyAreFor(t *testing.T) {
	t.Parallel()
	secrets := map[gateway.Roles]string{
		0: "slk_none567890123456789012", gateway.RoleSend: "slk_send567890123456789012", gateway.RoleRead: "slk_read567890123456789012",
		gateway.RoleApprove: "slk_appr567890123456789012", gateway.RoleAdmin: "slk_admi567890123456789012", gateway.RoleSend | gateway.RoleRead: "slk_both567890123456789012",
	}
	b := newBench(t, func(c *gateway.Config) {
		c.Admin = "a-token-that-is-long-enough"
		c.Reload = func() error { return nil }
		for roles, secret := range secrets {
			c.Keys = append(c.Keys, roleKey(secret, "k"+strings.ReplaceAll(roles.String(), ", ", "-"), roles))
		}
	})
	for roles, secret := range secrets {
		sends := roles == 0 || roles&gateway.RoleSend != 0
		reads := roles&(gateway.RoleRead|gateway.RoleAdmin) != 0
		for _, format := range wire.Formats() {
			answered := reply(format, false, said("ok"))
			b.up.Answer(func(*http.Request) sluicetest.Reply { return answered })
			got := b.ask(format, false, "X-Sluice-Key", secret)
			if want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[sends]; got.status != want {
				t.Errorf("%q in %s: %d %s", roles, format, got.status, got.body)
			}
			if !sends {
				if message, _ := errorIn(t, format, got.body); !strings.Contains(message, "may not send") || !strings.Contains(message, roles.String()) {
					t.Errorf("%q in %s: %s", roles, format, message)
				}
			}
		}
		for _, tc := range []struct {
			method, path string
			may          bool
		}{{http.MethodGet, "/admin/status", reads}, {http.MethodPost, "/admin/reload", roles&gateway.RoleAdmin != 0}, {http.MethodGet, "/admin/pprof/goroutine", roles&gateway.RoleAdmin != 0}} {
			for _, h := range []http.Header{headers("Authorization", "Bearer "+secret), headers("X-Sluice-Key", secret)} {
				got := b.do(tc.method, tc.path, h, nil)
				if want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[tc.may]; got.status != want {
					t.Errorf("%q, %s: %d %s", roles, tc.path, got.status, got.body)
				}
			}
		}
	}
	if got := b.do(http.MethodGet, "/admin/status", headers("Authorization", "Bearer slk_unknown0123456789012"), nil); got.status != http.StatusUnauthorized {
		t.Errorf("a key that is not known: %d", got.status)
	}
	if got := b.do(http.MethodPost, "/admin/reload", headers("Authorization", "Bearer a-token-that-is-long-enough"), nil); got.status != http.StatusOK {
		t.Errorf("the token: %d", got.status)
	}
}

// Keys that are issued while the gateway runs are in force with the next request, and
// those that are gone are not; when the last is gone, nobody comes in without one.
func TestIssuedKeysAreThoseOfTheMoment(t *testing.T) {
	t.Parallel()
	var now atomic.Pointer[[]gateway.Key]
	now.Store(&[]gateway.Key{})
	var needed atomic.Bool
	b := newBench(t, func(c *gateway.Config) {
		c.Issued = func() ([]gateway.Key, bool) { return *now.Load(), needed.Load() }
	})
	answered := reply(wire.Anthropic, false, said("ok"))
	b.up.Answer(func(*http.Request) sluicetest.Reply { return answered })
	status := func(h ...string) int {
		t.Helper()
		return b.ask(wire.Anthropic, false, h...).status
	}
	if status() != http.StatusOK {
		t.Error("no key was issued, and one is needed")
	}
	needed.Store(true)
	now.Store(&[]gateway.Key{sluiceKey(goodKey, "ada")})
	if status() != http.StatusUnauthorized || status("X-Sluice-Key", goodKey) != http.StatusOK || b.Status().Keys != 1 {
		t.Error("a key was issued, and is not in force")
	}
	now.Store(&[]gateway.Key{})
	if status() != http.StatusUnauthorized || status("X-Sluice-Key", goodKey) != http.StatusUnauthorized {
		t.Error("the last key was revoked, and somebody comes in")
	}
}
