package javascript_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/program/javascript"
)

func ExampleRead() {
	p := javascript.Read(`
		const t = tools, dir = await t.read_file({path: "where.txt"});
		for (const x of ["build", dir]) await t["exec_" + "command"]({cmd: ["rm", "-rf", x].join(" ")});
		require("fs").rmSync(atob("L2V0Yw=="), {recursive: true});`)
	for _, c := range p.Calls {
		fmt.Println(c.Tool, c.Arguments, c.Known)
	}
	for _, u := range p.Uses {
		fmt.Println(u.What, u.Text, u.Recursive)
	}
	fmt.Println(p.Doubt)
	// Output:
	// read_file {"path":"where.txt"} true
	// exec_command {"cmd":"rm -rf build"} true
	// exec_command {"cmd":"rm -rf ${__unknown}"} false
	// delete /etc true
	// [dynamic]
}
