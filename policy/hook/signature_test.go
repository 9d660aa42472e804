package hook_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sluice-project/sluice/policy/hook"
)

func TestSignatures(t *testing.T) {
	const secret = "s3cret"
	body, now := []byte(`{"a":1}`), time.Unix(1_700_000_000, 0)
	good := hook.Sign(secret, body, now)
	other := hook.Sign("another", body, now)
	_, v1, _ := strings.Cut(good, ",")
	_, v1other, _ := strings.Cut(other, ",")
	at := func(seconds int64) string { return "t=" + strconv.FormatInt(seconds, 10) }
	for _, c := range []struct {
		name, secret, header string
		body                 string
		later                time.Duration
		want                 error
	}{
		{"good", secret, good, `{"a":1}`, 0, nil},
		{"with blanks", secret, strings.Replace(good, ",", " , ", 1), `{"a":1}`, 0, nil},
		{"one of several, while a secret is changed", secret, good + "," + v1other, `{"a":1}`, 0, nil},
		{"with what a later version adds", secret, good + ",v2=zz", `{"a":1}`, 0, nil},
		{"as old as allowed", secret, good, `{"a":1}`, 5 * time.Minute, nil},
		{"older", secret, good, `{"a":1}`, 5*time.Minute + 1, hook.ErrSignatureTime},
		{"as early as allowed", secret, good, `{"a":1}`, -5 * time.Minute, nil},
		{"earlier", secret, good, `{"a":1}`, -5*time.Minute - 1, hook.ErrSignatureTime},
		{"another body", secret, good, `{"a":2}`, 0, hook.ErrSignature},
		{"no body", secret, good, ``, 0, hook.ErrSignature},
		{"another secret", "other", good, `{"a":1}`, 0, hook.ErrSignature},
		{"no secret", "", hook.Sign("", body, now), `{"a":1}`, 0, hook.ErrSignature},
		{"another time", secret, at(1_700_000_001) + "," + v1, `{"a":1}`, 0, hook.ErrSignature},
		{"the same time written otherwise", secret, "t=01700000000," + v1, `{"a":1}`, 0, hook.ErrSignature},
		{"two times", secret, at(1_700_000_001) + "," + good, `{"a":1}`, 0, hook.ErrSignature},
		{"no time", secret, v1, `{"a":1}`, 0, hook.ErrSignature},
		{"no signature", secret, at(1_700_000_000), `{"a":1}`, 0, hook.ErrSignature},
		{"an empty signature", secret, at(1_700_000_000) + ",v1=", `{"a":1}`, 0, hook.ErrSignature},
		{"half a signature", secret, good[:len(good)-2], `{"a":1}`, 0, hook.ErrSignature},
		{"no hexadecimal", secret, good[:len(good)-1] + "x", `{"a":1}`, 0, hook.ErrSignature},
		{"a broken one beside a good one", secret, good + ",v1=x", `{"a":1}`, 0, hook.ErrSignature},
		{"nothing", secret, "", `{"a":1}`, 0, hook.ErrSignature},
		{"nonsense", secret, "=,=,,t", `{"a":1}`, 0, hook.ErrSignature},
		{"too long", secret, good + strings.Repeat(",", 1024), `{"a":1}`, 0, hook.ErrSignature},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := hook.Verify(c.secret, c.header, []byte(c.body), now.Add(c.later), 0); !errors.Is(err, c.want) {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
	for _, far := range []int64{math.MinInt64, math.MaxInt64} {
		if err := hook.Verify(secret, hook.Sign(secret, body, time.Unix(far, 0)), body, now, time.Hour); !errors.Is(err, hook.ErrSignatureTime) {
			t.Errorf("at the end of time: %v", err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	now := time.Unix(1_700_000_000, 0)
	f.Add(hook.Sign("s", []byte("b"), now), []byte("b"))
	f.Add("t=1,v1=00", []byte(""))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		if hook.Verify("s", header, body, now, time.Minute) == nil && string(body) != "b" {
			t.Errorf("%q verifies %q", header, body)
		}
	})
}
