package where_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/internal/where"
)

func Example() {
	nowhere := effect.Place{}
	fmt.Println(where.Under("~/.ssh/id", "~/.ssh", nowhere) == where.Yes)
	fmt.Println(where.Under("notes/a", "/home/ada", nowhere) == where.NoCwd)
	fmt.Println(where.Under("notes/a", "/home/ada", effect.Place{Cwd: "/home/ada"}) == where.Yes)
	fmt.Println(where.Host("git@GitHub.com:o/r.git"))
	// Output:
	// true
	// true
	// true
	// github.com true
}
