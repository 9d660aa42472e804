package project_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/project"
)

func ExampleMake() {
	f := project.File{Whole: true, Content: `
OUT = build
all: clean
	go build -o $(OUT) .
clean:
	@rm -rf $(OUT)
release:
	git push --tags
`}
	for _, c := range project.Make(f, project.MakeSetting{Goals: []string{"all"}}).Commands {
		fmt.Println(c.Shell)
	}
	// Output:
	// go build -o build .
	// rm -rf build
}

func ExampleTaskfile() {
	f := project.File{Whole: true, Content: `
tasks:
  build:
    deps: [clean]
    dir: src
    cmds:
      - go build ./...
  clean: rm -rf out
  publish:
    cmds: [git push --tags]
`}
	for _, c := range project.Taskfile(f, []string{"build"}).Commands {
		fmt.Printf("%q in %q\n", c.Shell, c.Dir)
	}
	// Output:
	// "go build ./..." in "src"
	// "rm -rf out" in ""
}
