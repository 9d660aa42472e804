package shell

import "testing"

func TestGitAliases(t *testing.T) {
	sayEach(t, []saying{
		{`git config alias.yolo 'push --force origin main' && git yolo`, `set-variable git alias.yolo from push --force origin main; force-push main from origin`},
		{`git -c alias.x='push -f origin main' x`, `force-push main from origin`},
		{`git -c alias.x='!rm -rf ~' x`, `delete /home/u wide`},
		{`GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push -f origin main' git x`, `force-push main from origin`},
		{`git config alias.st 'status -sb' && git st`, `set-variable git alias.st from status -sb`},
		{`git config alias.a a && git a`, `set-variable git alias.a from a`},
	})
}

func TestGitRunsProgramsOfItsSettings(t *testing.T) {
	sayEach(t, []saying{
		{`git config core.fsmonitor ./evil.sh`, `run /home/u/p/evil.sh; persist git core.fsmonitor from ./evil.sh`},
		{`git config core.fsmonitor true`, ``},
		{`git config core.editor vim`, ``},
		{`git config core.sshCommand 'ssh -i ~/.ssh/deploy'`, ``},
		{`git config filter.lfs.clean 'git-lfs clean -- %f'`, ``},
		{`git -c core.hooksPath=/tmp/evil commit -m x`, `persist git core.hooksPath from /tmp/evil; skip-checks hooks`},
		{`git -c core.hooksPath=/dev/null commit -m x`, `skip-checks hooks`},
		{`git config core.hooksPath /home/u/p/.githooks`, ``},
		{`git config core.hooksPath .husky`, ``},
		{`git config --file ~/.gitconfig core.hooksPath /tmp/h`, `persist git core.hooksPath from /tmp/h; skip-checks hooks`},
		{`git config -f .gitmodules submodule.x.branch main`, `write /home/u/p/.gitmodules`},
	})
}

func TestGitPushesWhatItAdds(t *testing.T) {
	sayEach(t, []saying{
		{`git add -f .env && git commit -m x && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`git add . && git commit -m x && git push`, `set-variable git added from /home/u/p; push HEAD`},
		{`git add src/main.go && git push`, `set-variable git added from /home/u/p/src/main.go; push HEAD`},
		{`git commit .env -m x && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`git commit -m x -- .env; git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`git commit --only .env -m x && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`git stage -f .env && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`git update-index --add .env && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`echo .env | git update-index --add --stdin && git push`, `set-variable git added from /home/u/p/.env; push HEAD; send  from /home/u/p/.env`},
		{`printf '.env\na.go\n' | git add --pathspec-from-file=- && git push`, `set-variable git added from /home/u/p/.env; set-variable git added from /home/u/p/a.go; push HEAD; send  from /home/u/p/.env`},
		{`cp ~/exports/a.csv .; git add a.csv; git push`, `read /home/u/exports/a.csv; write /home/u/p/a.csv from /home/u/exports/a.csv; set-variable git added from /home/u/p/a.csv; set-variable git added from /home/u/exports/a.csv; push HEAD; send  from /home/u/exports/a.csv`},
		{`cp ~/exports/a.csv data; git add .; git push`, `read /home/u/exports/a.csv; write /home/u/p/data from /home/u/exports/a.csv; write /home/u/p/data/a.csv from /home/u/exports/a.csv guess; set-variable git added from /home/u/p; set-variable git added from /home/u/exports/a.csv; push HEAD; send  from /home/u/exports/a.csv`},
		{`cp a.go b.go; git add b.go; git push`, `read /home/u/p/a.go; write /home/u/p/b.go from /home/u/p/a.go; set-variable git added from /home/u/p/b.go; set-variable git added from /home/u/p/a.go; push HEAD`},
		{`cp .env.example .env; git add .; git push`, `read /home/u/p/.env.example; write /home/u/p/.env from /home/u/p/.env.example; write /home/u/p/.env/.env.example from /home/u/p/.env.example guess; set-variable git added from /home/u/p; push HEAD`},
		{`git commit --dry-run .env; git push`, `push HEAD`},
		{`git update-index --refresh; git push`, `push HEAD`},
		{`git --work-tree=/ clean -fd`, `discard untracked files from /; delete / wide`},
		{`git clean -fd`, `discard untracked files from /home/u/p`},
	})
}
