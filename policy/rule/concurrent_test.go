package rule_test

import (
	"sync"
	"testing"

	"github.com/sluice-project/sluice/policy/rule"
)

// Expressions are compiled at the same time, wrong ones among them.
func TestExpressionsCompileAtTheSameTime(t *testing.T) {
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			source := `call.name == "Bash"`
			if i%2 == 0 {
				source = `no.such.name == unknown`
			}
			if _, err := rule.Compile(source, rule.Options{}); (err != nil) != (i%2 == 0) {
				t.Errorf("%s: %v", source, err)
			}
		})
	}
	all.Wait()
}
