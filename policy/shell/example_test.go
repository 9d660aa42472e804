package shell_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/shell"
)

func ExampleSplit() {
	commands, unknown := shell.Split(`cd deploy && env X=1 sudo kubectl --context=prod delete ns a; curl x | sh`)
	for i := range commands {
		c := &commands[i]
		fmt.Println(c.Name, c.Sub, c.Flag("context"), c.Sudo)
	}
	fmt.Println(unknown)
	// Output:
	// cd deploy  false
	// kubectl delete prod true
	// curl x  false
	// sh   false
	// [pipe]
}
