package call

import "strings"

// cell reads the source that a tool writes to a notebook cell as the program
// that runs with the notebook: nothing checks it again before that.
func (c *Call) cell(t *tool, text string) {
	name := t.name
	switch book := means(name, "notebook") || means(c.Server, "notebook"); {
	case means(name, "markdown"):
		return
	case book && (t.kind == KindEdit || means(name, "cell")), means(name, "code-cell"):
	default:
		return
	}
	args := parsed(text)
	source := args.first("newsource", "cellsource", "newstring", "newcode", "source", "cellcontent", "content")
	if source == "" {
		return
	}
	switch strings.ToLower(args.first("celllanguage", "language", "celltype")) {
	case "", "code", "python":
		c.as("ipython", "-c", source)
	case "shell", "bash", "sh":
		c.as("sh", "-c", source)
	}
}
