package flow

import "testing"

func TestAShellThatIsTakenBack(t *testing.T) {
	const says = "Shell cwd was reset to /w"
	for _, tc := range []struct {
		client, result string
		want           bool
	}{
		{"claude-code", "a\n" + says + "\n", true},
		{"claude-code", says + "/sub", false},
		{"claude-code", says + "\nb", false},
		{"", says, false},
	} {
		if got := isReset(tc.client, tc.result, "/w"); got != tc.want {
			t.Errorf("%s: %q: %v", tc.client, tc.result, got)
		}
	}
}
