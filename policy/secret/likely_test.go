package secret

import "testing"

// A text that is not even searched has no secret in it.
func FuzzLikely(f *testing.F) {
	for _, s := range []string{"password=hunter2x9", "curl -u a:b1c2d3e4 x", "postgres://a:b9xk2@h/d", "AKIA" + "Q7M3XKZP2VRN5TWD", "login x password y9z8w7v6", "<token>a1b2c3d4e5f6g7</token>", "-pw x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !Likely(s) && len(search(s)) > 0 {
			t.Errorf("%q is not looked at, but has %v", s, search(s))
		}
	})
}
