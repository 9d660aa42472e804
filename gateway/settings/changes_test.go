package settings_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/gateway/settings"
)

func TestChangesAreThoseOfValues(t *testing.T) {
	t.Parallel()
	const base = "listen: 127.0.0.1:1\nkeys: [{name: ada, key: slk_0123456789abcdefghijklmn}]\n"
	for _, tc := range []struct {
		name, content string
		environ       []string
		want          string
	}{
		{"nothing", base, nil, ""},
		{"only where it is said", "keys: [{name: ada, key: slk_0123456789abcdefghijklmn}]\n", []string{"SLUICE_LISTEN=127.0.0.1:1"}, ""},
		{"two values", base + "keepalive: 20s\nlimits: {body: 1MiB}\n", nil, "limits.body keepalive"},
		{"a value that is left out", strings.TrimPrefix(base, "listen: 127.0.0.1:1\n"), nil, "listen"},
		{"another key", strings.Replace(base, "0123", "9123", 1), nil, "keys.ada"},
		{"one more key", strings.Replace(base, "keys: [", "keys: [{name: bob, key: slk_bbbbbbbbbbbbbbbbbbbbbbbb}, ", 1), nil, "keys.bob"},
		{"no keys", "listen: 127.0.0.1:1\n", nil, "keys.ada"},
		{"a secret under the same name", base, []string{"TOKEN=another-token-for-the-admin"}, "admin.token_env"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			environ := []string{home, "TOKEN=a-token-for-the-admin", "SLUICE_ADMIN_TOKEN_ENV=TOKEN"}
			before := mustParse(t, settings.Sources{Environ: environ}, base)
			now := mustParse(t, settings.Sources{Environ: append(environ, tc.environ...)}, tc.content)
			if got := strings.Join(before.Changes(now), " "); got != tc.want {
				t.Errorf("the changes are %q, want %q", got, tc.want)
			}
			back, want := now.Changes(before), strings.Fields(tc.want)
			if slices.Sort(back); len(back) != len(want) {
				t.Errorf("the other way round they are %q", back)
			}
		})
	}
}
