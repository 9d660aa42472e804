package shell

// way is how the commands in a file are found.
type way byte

const (
	byWords   way = iota // beside the words of the entry
	byLook               // as in a language of which only the look is known
	byName               // under the name of the task, in JSON
	byElement            // in elements of XML
	byParens             // in lists of Lisp
	bySchema             // statements that delete a database with all in it
	byBackend            // in the modules that are named
	byCalls              // in the calls that run commands or delete files
	byKeys               // the values of the entry's words, in YAML
)

// projectFile is a kind of file by which a project tells a program what to run.
type projectFile struct {
	// subs are the words that the program must be told, any if there are none.
	subs []string
	// given are flags with another name of the file. operands: it may be an
	// operand with that ending.
	given    []string
	operands string
	// names are where it lies, separated by blanks; those with wildcards are
	// read together.
	names string
	// language is that of the whole file, words stand before commands in it,
	// which are in the language of inner or for a shell.
	language string
	words    []string
	inner    string
	way      way
	// blocks begin the parts in which the words count, if not everywhere.
	blocks []string
	// tasks: of the functions that are tasks only those run that are named.
	// tests: what they do to databases is done to those that are made for them.
	tasks, tests bool
}

var (
	runWords   = []string{"run", "run_always", "run_install", "local", "sudo", "system", "sh", "shell"}
	yamlWords  = []string{"cmd", "cmds", "command", "commands", "run", "script", "scripts", "shell", "exec", "before_script", "after_script", "entry"}
	buildWords = []string{"cmd", "cmd_bash", "command", "run_command", "local", "local_resource", "custom_build", "execute", "ctx_execute"}
	hclWords   = []string{"command", "inline", "execute"}
	hclBlocks  = []string{`"local-exec"`, `"shell-local"`, "before_hook", "after_hook", "error_hook"}
	sqlWords   = []string{"upgrade", "up", "migrate", "migrate:latest", "db:migrate", "db:prepare", "db:setup", "db:migrate:up", "migration:run", "ecto.migrate", "deploy", "db", "migration", "update", "push", "apply", "run", "head", "latest"}
)

// projectFiles are the files that programs follow. What programs do with those
// that need more than this is in follow and its parts.
var projectFiles = func() map[string][]projectFile {
	table := map[string][]projectFile{
		// Tasks in a language of their own.
		"nox":    {{given: []string{"-f", "--noxfile"}, names: "noxfile.py", words: runWords, tasks: true}},
		"invoke": {{names: "tasks.py tasks/__init__.py", language: "python", words: runWords, tasks: true}},
		"fab":    {{names: "fabfile.py", language: "python", words: []string{"local"}, tasks: true}},
		"doit":   {{names: "dodo.py", words: []string{"actions"}}},
		"scons":  {{names: "SConstruct SConscript", words: []string{"Command", "Execute"}}},
		"deno":   {{subs: []string{"task"}, given: []string{"-c", "--config"}, names: "deno.json deno.jsonc package.json", way: byName}},
		"nx":     {{names: "project.json package.json", way: byName}, {names: "**/project.json", way: byName}},
		"ng":     {{names: "angular.json", way: byName}},
		"moon":   {{names: "moon.yml", words: yamlWords, way: byKeys}},
		"dagger": {{names: "**/.dagger/**/*.py", language: "python"}},
		"thor":   {{names: "Thorfile", language: "ruby"}},
		"cap":    {{names: "Capfile config/deploy.rb", language: "ruby"}},
		"guard":  {{names: "Guardfile", language: "ruby"}},
		"danger": {{names: "Dangerfile", language: "ruby"}},
		"fastlane": {
			{names: "fastlane/Fastfile Fastfile", language: "ruby"},
		},
		"pod":        {{names: "Podfile", language: "ruby"}},
		"berks":      {{names: "Berksfile", language: "ruby"}},
		"vagrant":    {{names: "Vagrantfile", language: "ruby"}},
		"gem":        {{operands: ".gemspec", names: "*.gemspec", language: "ruby"}},
		"bundle":     {{names: "Gemfile", language: "ruby"}, {names: "*.gemspec", language: "ruby"}},
		"cucumber":   {{names: "**/features/**/*.rb **/features/*.rb", language: "ruby", tests: true}},
		"behave":     {{names: "**/features/**/*.py **/features/*.py", language: "python", tests: true}},
		"robot":      {{names: "**/*.robot **/*.resource", words: []string{"Run", "Process"}}},
		"locust":     {{given: []string{"-f", "--locustfile"}, names: "locustfile.py", language: "python"}},
		"gunicorn":   {{given: []string{"-c", "--config"}, names: "gunicorn.conf.py", language: "python"}},
		"celery":     {{names: "celeryconfig.py", language: "python"}},
		"sphinx":     {{given: []string{"-c"}, names: "conf.py **/conf.py", language: "python"}},
		"mkdocs":     {{names: "**/hooks.py hooks.py", language: "python"}},
		"pelican":    {{given: []string{"-s", "--settings"}, names: "pelicanconf.py publishconf.py", language: "python"}},
		"jupyter":    {{names: "jupyter_notebook_config.py jupyter_server_config.py", language: "python"}},
		"pylint":     {{given: []string{"--rcfile"}, names: ".pylintrc pylintrc pyproject.toml setup.cfg", words: []string{"hook"}, inner: "python"}},
		"scrapy":     {{names: "**/spiders/*.py settings.py", language: "python"}},
		"conan":      {{names: "conanfile.py", language: "python", words: runWords}},
		"snakemake":  {{given: []string{"-s", "--snakefile"}, names: "Snakefile workflow/Snakefile", words: []string{"shell"}}},
		"nextflow":   {{operands: ".nf", names: "main.nf", words: []string{"script", "shell"}}},
		"cwltool":    {{operands: ".cwl", words: []string{"baseCommand"}}},
		"dvc":        {{subs: []string{"repro", "exp", "run"}, names: "dvc.yaml", words: yamlWords, way: byKeys}},
		"kedro":      {{names: "**/pipeline.py **/nodes.py", language: "python"}},
		"dagster":    {{names: "definitions.py", language: "python"}},
		"tilt":       {{given: []string{"-f", "--file"}, names: "Tiltfile", words: buildWords}},
		"skaffold":   {{given: []string{"-f", "--filename"}, names: "skaffold.yaml", words: append([]string{"buildCommand", "host"}, yamlWords...), way: byKeys}},
		"pulumi":     {{subs: []string{"up", "update", "preview", "destroy", "refresh"}, names: "Pulumi.yaml", words: []string{"create", "update", "delete", "command"}, way: byKeys}, {subs: []string{"up", "update", "preview"}, names: "__main__.py", language: "python"}, {subs: []string{"up", "update", "preview"}, names: "index.ts index.js", language: "node"}},
		"cdk":        {{names: "cdk.json", words: []string{"app", "build"}}, {names: "app.py", language: "python"}},
		"serverless": {{names: "serverless.yml", words: yamlWords, way: byKeys}, {names: "serverless.js serverless.ts", language: "node"}},
		"terraform":  {{subs: []string{"plan", "apply", "refresh", "destroy", "import", "console"}, names: "*.tf", words: []string{"program"}}, {subs: []string{"apply", "destroy"}, names: "*.tf **/modules/**/*.tf", words: hclWords, blocks: hclBlocks}},
		"terragrunt": {{names: "terragrunt.hcl", words: []string{"run_cmd"}}, {names: "terragrunt.hcl", words: hclWords, blocks: hclBlocks}},
		"packer":     {{subs: []string{"build"}, operands: ".hcl", names: "*.pkr.hcl", words: hclWords, blocks: hclBlocks}, {subs: []string{"build"}, operands: ".json", words: hclWords, blocks: hclBlocks}},
		// Builds.
		"meson":   {{names: "meson.build **/meson.build", words: buildWords}},
		"bazel":   {{names: "**/BUILD.bazel **/BUILD **/*.bzl WORKSPACE MODULE.bazel", words: buildWords}},
		"pants":   {{names: "**/BUILD", words: buildWords}},
		"buck":    {{names: "**/BUCK **/TARGETS", words: buildWords}},
		"please":  {{names: "**/BUILD", words: buildWords}},
		"mvn":     {{given: []string{"-f", "--file"}, names: "pom.xml **/pom.xml", way: byElement}, {subs: []string{"test", "verify", "package", "install", "deploy", "integration-test"}, names: "**/src/test/**/*.java **/src/test/**/*.kt", way: byCalls, tests: true}},
		"ant":     {{given: []string{"-f", "-file", "-buildfile"}, names: "build.xml", way: byElement}},
		"msbuild": {{names: "*.csproj *.proj *.targets Directory.Build.props Directory.Build.targets", words: []string{"Command"}}},
		"gradle":  {{names: "settings.gradle settings.gradle.kts init.gradle", way: byLook}, {subs: []string{"test", "check", "build", "integrationTest"}, names: "**/src/test/**/*.java **/src/test/**/*.kt", way: byCalls, tests: true}},
		"sbt":     {{names: "build.sbt project/plugins.sbt **/project/*.scala", way: byLook}},
		"mill":    {{names: "build.sc build.mill", way: byLook}},
		"lein":    {{names: "project.clj", way: byLook}},
		"mix":     {{names: "mix.exs config/config.exs config/runtime.exs", way: byLook}, {subs: []string{"test"}, names: "**/*_test.exs **/test_helper.exs", way: byCalls, tests: true}},
		"rebar3":  {{names: "rebar.config rebar.config.script", way: byLook}},
		"swift":   {{subs: []string{"build", "run", "test", "package"}, names: "Package.swift", way: byLook}, {subs: []string{"run"}, names: "**/Sources/**/main.swift", way: byCalls}, {subs: []string{"test"}, names: "**/Tests/**/*.swift", way: byCalls, tests: true}},
		"zig":     {{subs: []string{"build"}, names: "build.zig", way: byLook}, {subs: []string{"run", "test"}, operands: ".zig", way: byLook}},
		"nim":     {{operands: ".nims", names: "config.nims", way: byLook}},
		"nimble":  {{names: "*.nimble", way: byLook}},
		"stack":   {{names: "Setup.hs", way: byLook}},
		"cabal":   {{names: "Setup.hs", way: byLook}},
		"dune":    {{names: "dune **/dune", way: byParens}},
		"xmake":   {{names: "xmake.lua", language: "lua", words: []string{"run", "exec", "runv", "execv"}}},
		"premake": {{names: "premake5.lua", language: "lua"}},
		"crystal": {{operands: ".cr", way: byLook}},
		"shards":  {{names: "shard.yml", words: []string{"postinstall"}, way: byKeys}},
		"dotnet":  {{subs: []string{"build", "run", "test", "publish", "msbuild"}, names: "*.csproj **/*.csproj Directory.Build.targets", words: []string{"Command"}}, {subs: []string{"run", "test"}, names: "**/Program.cs **/*Tests.cs **/*Test.cs", way: byCalls, tests: true}},
		"pip":     {{subs: []string{"install", "wheel", "download"}, names: "pyproject.toml", way: byBackend}},
		"build":   {{names: "pyproject.toml", way: byBackend}, {names: "setup.py", language: "python"}},
		"uv":      {{subs: []string{"build", "sync", "pip", "run"}, names: "pyproject.toml", way: byBackend}},
		// Environments, desktops, terminals.
		"nix-shell": {{operands: ".nix", names: "shell.nix default.nix", words: []string{"shellHook"}}},
		"nix":       {{subs: []string{"develop", "shell", "run"}, names: "flake.nix shell.nix", words: []string{"shellHook"}}},
		"devenv":    {{names: "devenv.nix", words: []string{"enterShell", "exec"}}},
		"gio":       {{operands: ".desktop", words: []string{"Exec"}}},
		"vhs":       {{operands: ".tape", words: []string{"Type"}}},
		"procodile": {{names: "Procfile", words: []string{"web", "worker"}}},
		"mprocs":    {{names: "mprocs.yaml", words: []string{"shell", "cmd"}, way: byKeys}},
		"supervisord": {
			{given: []string{"-c", "--configuration"}, names: "supervisord.conf", words: []string{"command"}},
		},
		"air":           {{given: []string{"-c"}, names: ".air.toml", words: []string{"cmd", "bin", "full_bin", "pre_cmd", "post_cmd"}}},
		"goreleaser":    {{given: []string{"-f", "--config"}, names: ".goreleaser.yml .goreleaser.yaml", words: append([]string{"hooks", "pre", "post"}, yamlWords...), way: byKeys}},
		"gitlab-runner": {{subs: []string{"exec"}, names: ".gitlab-ci.yml", words: yamlWords, way: byKeys}},
		// Migrations.
		"alembic": {{names: "**/versions/*.py", way: bySchema}},
		"migrate": {{names: "**/*.up.sql", way: bySchema}},
	}
	for other, name := range map[string]string{
		"inv": "invoke", "pip3": "pip", "mvnw": "mvn", "gradlew": "gradle", "bazelisk": "bazel", "buck2": "buck", "plz": "please", "tofu": "terraform", "sls": "serverless", "sphinx-build": "sphinx", "sphinx-autobuild": "sphinx",
		"gtk-launch": "gio", "dex": "gio", "xdg-open": "gio", "pyproject-build": "build", "mvnd": "mvn",
	} {
		table[other] = table[name]
	}
	for _, name := range []string{
		"next", "nuxt", "nuxi", "astro", "vite", "vitest", "webpack", "rollup", "rolldown", "rspack", "esbuild", "babel", "prettier", "eslint", "jest", "tailwindcss", "postcss", "tsup", "unbuild", "playwright", "cypress", "karma", "gatsby",
		"docusaurus", "stylelint", "commitlint", "lint-staged", "release-it", "semantic-release", "knip", "drizzle-kit", "hardhat", "truffle", "metro", "svelte-kit", "svelte", "remix", "react-router", "craco", "vue-cli-service", "vue", "expo", "storybook", "changeset",
		"size-limit", "markdownlint", "webdriverio", "wdio", "codecept", "ava", "mocha", "nyc", "c8", "snowpack", "parcel", "microbundle", "swc", "graphql-codegen", "codegen", "plop", "hygen", "eleventy", "gulp", "grunt", "ember", "quasar", "wxt", "electron-builder", "electron-forge", "forge",
	} {
		file := name
		switch name {
		case "tailwindcss":
			file = "tailwind"
		case "nuxi":
			file = "nuxt"
		case "svelte-kit":
			file = "svelte"
		case "vue-cli-service":
			file = "vue"
		case "electron-forge":
			file = "forge"
		}
		table[name] = append(table[name], projectFile{names: file + ".config.?s " + file + ".config.??s " + "." + file + "rc.?s " + "." + file + "rc.?js " + file + "file.?s", language: "node"})
	}
	for name, files := range map[string]string{
		"manage.py": "**/migrations/*.py", "django-admin": "**/migrations/*.py", "rails": "**/db/migrate/*.rb", "rake": "**/db/migrate/*.rb", "flask": "**/versions/*.py", "goose": "**/migrations/*.sql **/*.up.sql", "dbmate": "**/db/migrations/*.sql",
		"flyway": "**/V*__*.sql", "knex": "**/migrations/*.?s", "prisma": "**/migrations/*/migration.sql", "sqlx": "**/migrations/*.sql", "diesel": "**/migrations/*/up.sql", "sequelize": "**/migrations/*.?s", "sequelize-cli": "**/migrations/*.?s", "typeorm": "**/migration*/*.?s",
		"supabase": "**/supabase/migrations/*.sql", "artisan": "**/database/migrations/*.php", "phinx": "**/db/migrations/*.php", "liquibase": "**/changelog/*.sql **/changelog*.sql **/db/*.sql", "drizzle-kit": "**/drizzle/*.sql", "golang-migrate": "**/*.up.sql",
		"atlas": "**/migrations/*.sql", "tern": "**/migrations/*.sql", "sea-orm-cli": "**/migration/src/*.rs", "dotnet-ef": "**/Migrations/*.cs",
	} {
		table[name] = append(table[name], projectFile{subs: sqlWords, names: files, way: bySchema})
	}
	table["mix"] = append(table["mix"], projectFile{subs: []string{"ecto.migrate", "ecto.setup"}, names: "**/migrations/*.exs", way: bySchema})
	return table
}()
