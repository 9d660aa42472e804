package evasion_test

import (
	"testing"

	"github.com/sluice-project/sluice/evasion"
	"github.com/sluice-project/sluice/policy"
)

// Where every call may leave, the tests must see it on every way.
func TestALeakIsSeenInEveryDialectAndChunking(t *testing.T) {
	t.Parallel()
	if len(chunkings) != 28 {
		t.Errorf("%d chunkings, want 28", len(chunkings))
	}
	set, err := policy.NewSet(policy.Func("any", func(*policy.Subject) policy.Verdict { return policy.Verdict{Action: policy.Allow} }))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range []string{
		"rm -rf /home/alice/*  # \"é😀\"",
		`{"shell":"rm -rf /home/alice/Documents","choice":1}`,
		`{"tool":"Bash","arguments":{"command":"rm -rf /home/alice"},"legacy":true}`,
		`{"type":"apply_patch_call","arguments":{"type":"update_file","path":"/home/alice/.bashrc","diff":"@@\n-a\n+b é😀"}}`,
	} {
		cases, err := evasion.Parse("f", line, false)
		if err != nil {
			t.Fatal(err)
		}
		c := &cases[0]
		for _, form := range c.Forms() {
			for _, format := range dialects {
				for i := range chunkings {
					if n++; brief() && n%5 != 0 { // which divides neither the dialects nor the chunkings
						continue
					}
					if !carries(format, &chunkings[i], c, form) {
						continue
					}
					a := &attempt{c: c, form: form, format: format, how: &chunkings[i]}
					a.run(t, set)
					if a.got.Err != nil || a.got.Invalid != nil || !executes(&a.got, a.target()) || leaked(a) == "" {
						t.Errorf("%s: the leak is not seen: %v, %v, %+v", a, a.got.Err, a.got.Invalid, a.got.Report.Calls)
					}
				}
			}
		}
	}
}
