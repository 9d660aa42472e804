package file_test

import (
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
	"github.com/sluice-project/sluice/policy/file"
)

// The pattern ** in files is every file, wherever it is.
func TestTwoStarsAreEveryFile(t *testing.T) {
	t.Parallel()

	loaded := must(t, file.Options{}, `policies: [{preset: none}, {name: p, find: {added: {x: {pattern: EVIL, files: ["**"]}}}, then: block}]`)
	for _, at := range []policy.Session{{}, {Cwd: "/elsewhere", Home: "/h"}, {Cwd: "/work", Home: "/h"}} {
		for _, block := range []llm.Block{call("Write", `{"file_path":"/work/app/a.py","content":"EVIL"}`), call("Write", `{"file_path":"a.py","content":"EVIL"}`), shell("echo EVIL > /srv/x")} {
			if got := loaded.Set.Decide(t.Context(), &policy.Exchange{Session: at}, block, policy.Options{}); got.Verdict.Action.Passes() {
				t.Errorf("%s at %+v passes", block.Arguments, at)
			}
		}
	}
}
