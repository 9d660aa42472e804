package policies_test

import (
	"errors"
	"testing"

	"github.com/sluice-project/sluice/agent/policies"
	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/model/scripted"
	"github.com/sluice-project/sluice/policy"
)

// What was held is not seen in the result of a run that failed either.
func TestAnAnswerThatWasCutHasOnlyWhatWasLetGo(t *testing.T) {
	held := scripted.Call("Bash", `{"command":"x"}`)
	for name, round := range map[string]scripted.Round{
		"the model fails":  {scripted.Text("key sk-1234 and"), scripted.Thinking("hm"), held, scripted.Fail(errors.New("down"))},
		"a policy aborts":  {scripted.Text("key sk-1234 and"), scripted.Thinking("hm"), held, scripted.Call("read", `{}`)},
		"the call was cut": {scripted.Text("key sk-1234 and"), scripted.Thinking("hm"), held, scripted.Cut()},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{cfg: policies.Config{Set: setOf(t, on(map[string]policy.Action{"Bash": policy.Block, "read": policy.Abort}), keys())}, chunk: 3}
			res, err := r.run(t, round)
			if err == nil {
				t.Fatal("it did not fail")
			}
			blocks := res.Answer.Blocks
			if len(blocks) != 2 || blocks[0].Text != "key [key] and" || blocks[1].Kind != llm.Thinking {
				t.Errorf("%+v", blocks)
			}
		})
	}
}
