package invocation

import "testing"

func TestHowPackagesAreNamed(t *testing.T) {
	for spec, want := range map[string][2]string{
		"lodash":                             {"lodash", ""},
		"lodash@4.17.21":                     {"lodash", ""},
		"@types/node@20":                     {"@types/node", ""},
		"@types/node":                        {"@types/node", ""},
		"x@npm:evil@1":                       {"evil", ""},
		"x@npm:@a/evil@1":                    {"@a/evil", ""},
		"x@git+https://e.example/x.git":      {"x", "git+https://e.example/x.git"},
		"@a/x@https://e.example/x.tgz":       {"@a/x", "https://e.example/x.tgz"},
		"git@e.example:a/b.git":              {"b", "git@e.example:a/b.git"},
		"git+ssh://git@e.example/a.git#v1":   {"a", "git+ssh://git@e.example/a.git#v1"},
		"git+https://e.example/a#egg=b&x=1":  {"b", "git+https://e.example/a#egg=b&x=1"},
		"github:a/b":                         {"b", "github:a/b"},
		"requests==2.0":                      {"requests", ""},
		"requests[socks]>=2":                 {"requests", ""},
		"x @ https://e.example/x.whl":        {"x", "https://e.example/x.whl"},
		"./dist/x.whl":                       {"./dist/x.whl", "./dist/x.whl"},
		".":                                  {".", ""},
		"../lib":                             {"../lib", ""},
		"x.deb":                              {"x.deb", "x.deb"},
		"":                                   {"", ""},
		"@":                                  {"@", ""},
		"github.com/a/b/cmd/c@v1.2.3-0.2024": {"github.com/a/b/cmd/c", ""},
	} {
		name, from := packageOf(spec)
		if name != want[0] || from != want[1] {
			t.Errorf("%q is %q from %q, want %q from %q", spec, name, from, want[0], want[1])
		}
	}
}
func FuzzPackageOf(f *testing.F) {
	f.Add("x@npm:@a/b@1")
	f.Add("a @ b")
	f.Fuzz(func(t *testing.T, spec string) {
		if name, from := packageOf(spec); name == "" && from != "" && len(spec) < 1 {
			t.Fatalf("%q is %q from %q", spec, name, from)
		}
	})
}
