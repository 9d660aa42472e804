package call

import "strings"

// cell reads the source that a tool writes to a notebook cell as the program
// that runs with the notebook: nothing checks it again before that.
func (c *Call) cell(t *tool, text string) {
	name := folded(t.name)
	switch book := isNotebook(name) || isNotebook(folded(c.Server)); {
	case strings.Contains(name, "markdown"):
		return
	case book && (t.kind == KindEdit || strings.Contains(name, "cell")), strings.Contains(name, "codecell"):
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

// isNotebook reports whether a tool or a server is for notebooks, by its name.
func isNotebook(name string) bool {
	return strings.Contains(name, "notebook") || strings.Contains(name, "jupyter") || strings.Contains(name, "colab") || strings.Contains(name, "ipynb")
}
