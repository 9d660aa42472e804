package partial_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/internal/partial"
)

func Example() {
	t := partial.New("prod-$X/a")
	fmt.Println(t.Begins("prod") == partial.Yes, t.Begins("staging") == partial.No, t.Begins("prod-eu") == partial.Open)
	fmt.Println(t.Could("prod-db/a"), t.Could("prod-db/b"))
	// Output:
	// true true true
	// true false
}
