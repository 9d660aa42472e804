package rule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sluice-project/sluice/llm"
	"github.com/sluice-project/sluice/policy"
)

// A condition and its negation are never both false, nor both true: not where an argument
// is missing, a variable is not set or a list is shorter, whatever else is asked.
func TestAConditionAndItsNegationAreOpposites(t *testing.T) {
	t.Parallel()

	random := rand.New(rand.NewPCG(3, 11))
	conditions := 6000
	if testing.Short() {
		conditions = 1500
	}
	outcomes := map[Outcome]int{}
	for i := range conditions {
		source := richCondition(random, i%3)
		p, err := Compile(source, Options{})
		if err != nil {
			continue
		}
		negation, err := Compile("!("+source+")", Options{})
		if err != nil {
			continue
		}
		for range 4 {
			s := policy.NewSubject(randomExchange(random), richBlock(random))
			is, _, failure := p.Match(s)
			not, _, otherFailure := negation.Match(s)
			outcomes[is]++
			if (failure == nil) != (otherFailure == nil) || failure == nil && is == not && is != Unknown {
				t.Fatalf("%s is %v (%v), and its negation %v (%v) for %s", source, is, failure, not, otherFailure, s.Block.Arguments)
			}
		}
	}
	for _, outcome := range []Outcome{True, False, Unknown} {
		if outcomes[outcome] < conditions/20 {
			t.Errorf("the cases say little: %v", outcomes)
		}
	}
}

// What is not there is equal to nothing, whatever is asked of it: the answer is false, and
// true with a "!" in front or with != in the place of ==.
func TestWhatIsNotThereIsEqualToNothing(t *testing.T) {
	t.Parallel()

	places := []string{`call.args.owner`, `call.args["owner"]`, `call.args.n.owner`, `call.args.list[4]`, `call.args.list[4].owner`, `call.reads[9]`, `call.commands[9].name`, `call.commands[0].env.OWNER`, `call.commands[0].env["OWNER"]`, `call.commands[0].args[7]`, `[call.args.owner][0]`, `{"a": call.args.owner}.a`}
	asks := []string{
		`%s == "acme"`, `"acme" == %s`, `%s in ["acme", ""]`, `%s.startsWith("a")`, `%s.endsWith("")`, `%s.contains("")`, `%s.matches(".*")`, `%s.size() >= 0`, `size(%s) == 0`, `%s + "" == ""`, `%s.host() == ""`, `%s.lowerAscii() == ""`,
		`%s.under("/")`, `%s.glob("*")`, `%s == session.cwd`, `session.cwd == %s`, `["a", ""].exists(x, x == %s)`, `[%s].exists(x, x == x)`, `"" in [%s]`, `type(%s) == string`, `%[1]s == %[1]s`, `(%s == "a" ? true : false)`,
	}
	exchanges := []*policy.Exchange{{}, {Session: policy.Session{Cwd: "/x"}}}
	s := llm.Block{Kind: llm.ToolCall, Name: "Bash", Arguments: `{"command":"npm install","n":{},"list":["a"]}`, Status: llm.Complete}
	said := 0
	for _, place := range places {
		for _, ask := range asks {
			question := fmt.Sprintf(ask, place)
			for source, want := range map[string]Outcome{question: False, "!(" + question + ")": True, "!(" + question + ") && call.name == \"Bash\"": True, question + " || call.name == \"x\"": False, "(" + question + ") == (call.name == \"x\")": True} {
				p, err := Compile(source, Options{})
				if err != nil {
					continue // of some types not everything can be asked
				}
				for _, exchange := range exchanges {
					said++
					if got, what, err := p.Match(policy.NewSubject(exchange, s)); got != want || err != nil {
						t.Errorf("%s is %v (%s), %v; want %v", source, got, what, err, want)
					}
				}
			}
		}
	}
	if said < 1500 {
		t.Errorf("the cases say little: %d", said)
	}
}
