package call_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/call"
)

func TestCellsOfNotebooksAreReadAsPrograms(t *testing.T) {
	for _, c := range []struct {
		tool, arguments string
		want            bool
	}{
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"!rm -rf ~","cell_type":"code"}`, true},
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"%%bash\nrm -rf ~"}`, true},
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"import shutil\nshutil.rmtree('/home/u')"}`, true},
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"!rm -rf ~","padding":"` + strings.Repeat("x", 70<<10) + `"}`, true},
		{"edit_notebook", `{"target_notebook":"/a.ipynb","cell_language":"shell","new_string":"rm -rf ~"}`, true},
		{"mcp__jupyter__overwrite_cell", `{"cell_index":1,"cell_source":"!rm -rf ~"}`, true},
		{"mcp__jupyter__insert_execute_code_cell", `{"cell_source":"!rm -rf ~"}`, true},
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"!rm -rf ~","cell_type":"markdown"}`, false},
		{"NotebookEdit", `{"notebook_path":"/a.ipynb","new_source":"# rm -rf ~\nx = 'rm -rf ~'"}`, false},
		{"mcp__sheets__update_cell", `{"cell":"A1","content":"!rm -rf ~"}`, false},
		{"mcp__jupyter__append_markdown_cell", `{"cell_source":"!rm -rf ~"}`, false},
	} {
		got := effectsOf(call.Read(function(c.tool, c.arguments), home))
		if slices.Contains(got, deletesHome) != c.want {
			t.Errorf("%s %.100s: %q", c.tool, c.arguments, got)
		}
	}
}

func TestContainersAreGivenWhatDockerWouldGiveThem(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"mcp__docker__run_container", `{"image":"a","volumes":["/:/host"]}`, "grant host files /"},
		{"mcp__docker__run_container", `{"image":"a","volumes":{"/":{"bind":"/host","mode":"rw"}}}`, "grant host files /"},
		{"mcp__docker__create_container", `{"image":"a","mounts":[{"source":"/","target":"/host"}]}`, "grant host files /"},
		{"mcp__docker__create_container", `{"image":"a","HostConfig":{"Binds":["/:/host"]}}`, "grant host files /"},
		{"mcp__docker__create_container", `{"image":"a","privileged":true}`, "grant host"},
		{"mcp__docker__create_container", `{"image":"a","pid_mode":"host"}`, "grant host"},
		{"mcp__docker__create_container", `{"image":"a","cap_add":["SYS_ADMIN"]}`, "grant host"},
		{"mcp__docker__run", `{"image":"a","args":["-v","/:/host","--privileged"]}`, "grant host"},
		{"mcp__docker__run_container", `{"image":"a","volumes":["/home/u:/h"],"command":["rm","-rf","/h"]}`, deletesHome},
		{"mcp__docker__run_container", `{"image":"a","volumes":["data:/var/lib"],"command":"rm -rf /var/lib/x"}`, ""},
		{"mcp__docker__run_container", `{"image":"a","volumes":["./src:/app"]}`, ""},
		{"mcp__docker__create_container", `{"image":"a","privileged":false}`, ""},
		{"mcp__docker__list_containers", `{"all":true}`, ""},
	} {
		got := effectsOf(call.Read(function(c.tool, c.arguments), home))
		granted := slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "grant") || s == deletesHome })
		if c.want == "" && granted || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}
