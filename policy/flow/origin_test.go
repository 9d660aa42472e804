package flow_test

import "testing"

func TestAFileRemembersWhatItWasMadeFrom(t *testing.T) {
	t.Parallel()
	const env = "/repo/.env"
	for name, tc := range map[string]struct {
		calls []string
		file  string
		want  string
	}{
		"a copy":                       {[]string{"cp .env notes.txt"}, "notes.txt", env},
		"a copy of a copy":             {[]string{"cp .env a; cp a b", "cp b notes.txt"}, "notes.txt", env},
		"moved":                        {[]string{"mv .env notes.txt"}, "notes.txt", env},
		"a link":                       {[]string{"ln -s .env notes.txt"}, "notes.txt", env},
		"encoded":                      {[]string{"base64 .env > out"}, "out", env},
		"a copy encoded":               {[]string{"cp .env a", "base64 a > out"}, "out", env},
		"an archive":                   {[]string{"tar czf out.tgz src .env"}, "out.tgz", env},
		"a zip":                        {[]string{"zip -r out.zip src .env"}, "out.zip", env},
		"an archive of a copy":         {[]string{"cp .env a", "tar czf out.tgz src a"}, "out.tgz", env},
		"an archive of an archive":     {[]string{"tar czf out.tgz .env", "zip o.zip out.tgz"}, "o.zip", env},
		"encrypted":                    {[]string{"openssl enc -aes256 -in .env -out out"}, "out", env},
		"the second of two":            {[]string{"cat a.txt .env > out"}, "out", env},
		"added":                        {[]string{"echo hi > out", "cat .env >> out"}, "out", env},
		"and added to":                 {[]string{"cat .env > out", "echo hi >> out"}, "out", env},
		"and changed":                  {[]string{"cp .env out", "sed -i s/a/b/ out"}, "out", env},
		"the environment":              {[]string{"env > out"}, "out", "environment"},
		"a variable":                   {[]string{"echo $AWS_SECRET_ACCESS_KEY > out"}, "out", "environment"},
		"a database":                   {[]string{"pg_dump x > out"}, "out", "database"},
		"the answer of a database":     {[]string{"psql -c 'select * from users' > out"}, "out", "database"},
		"a directory":                  {[]string{"cp -r ~/.ssh out"}, "out/id_rsa", "/home/me/.ssh/id_rsa"},
		"something public":             {[]string{"cp a.txt b.txt"}, "b.txt", "/repo/a.txt"},
		"an archive of what is public": {[]string{"tar czf out.tgz src"}, "out.tgz", "/repo/src"},
		"replaced":                     {[]string{"cp .env out", "echo hi > out"}, "out", ""},
		"replaced by a copy":           {[]string{"cp .env out", "cp a.txt out"}, "out", "/repo/a.txt"},
		"a word":                       {[]string{"echo hi > out"}, "out", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			talk := user("hi")
			for _, c := range tc.calls {
				talk.bash(c, "")
			}
			f := talk.past().File(tc.file)
			if f == nil || f.From != tc.want {
				t.Errorf("it is %+v, want it from %q", f, tc.want)
			}
		})
	}
	t.Run("replaced by a tool", func(t *testing.T) {
		t.Parallel()
		f := user("hi").bash("cp .env out", "").call("Write", args{"file_path": "/repo/out", "content": "a"}, "ok").bash("cp out b", "").past().File("b")
		if f == nil || f.From != "/repo/out" || f.Content != "a" {
			t.Errorf("it is %+v", f)
		}
	})
}

func TestWhatIsCalledConfidentialIsPrivate(t *testing.T) {
	t.Parallel()
	const issue, file = "mcp__github__get_issue", "mcp__github__get_file_contents"
	read := func(path string) *talk { return user("hi").call("Read", args{"file_path": path}, "x") }
	repo := func(name, path string) args { return args{"owner": "acme", "repo": name, "path": path} }
	for name, tc := range map[string]struct {
		talk *talk
		want bool
	}{
		"salaries":                  {read("/repo/salaries.csv"), true},
		"salaries of a year":        {read("/repo/docs/Salaries-2024.xlsx"), true},
		"customers":                 {read("/repo/data/customers.json"), true},
		"taxes of a year":           {read("/repo/tax-2024.md"), true},
		"finance":                   {read("/repo/finance.yml"), true},
		"passwords":                 {read("/repo/passwords.txt"), true},
		"a directory":               {read("/repo/hr/plan.md"), true},
		"a directory above":         {read("/repo/private/a/b.md"), true},
		"a program about customers": {read("/repo/customers.go"), false},
		"a document about tax":      {read("/repo/tax-rates.md"), false},
		"a sample":                  {read("/repo/customers.example.json"), false},
		"a word in a word":          {read("/repo/three/privateer.md"), false},
		"macOS":                     {read("/private/tmp/a.md"), false},
		"a file of a repository":    {user("hi").call(issue, repo("site", ""), "x").call(file, repo("site", "README.md"), "x"), false},
		"a confidential repository": {user("hi").call(issue, repo("site", ""), "x").call(file, repo("payroll", "README.md"), "x"), true},
		"a confidential file of it": {user("hi").call(issue, repo("site", ""), "x").call(file, repo("site", "hr/plan.md"), "x"), true},
		"the issue's own":           {user("hi").call(issue, repo("payroll", ""), "x").call(file, repo("payroll", "README.md"), "x"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if from, got := tc.talk.past().ReadPrivate(); got != tc.want {
				t.Errorf("private %t %v", got, from)
			}
		})
	}
	t.Run("where the session works says nothing", func(t *testing.T) {
		t.Parallel()
		x := user("hi").call("Read", args{"file_path": "/home/me/private/site/a.md"}, "x").exchange()
		x.Session.Cwd = "/home/me/private/site"
		if from, got := pastOf(x).ReadPrivate(); got {
			t.Errorf("private %v", from)
		}
	})
}
