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
		{`git add . && git commit -m x && git push`, `push HEAD`},
		{`git add src/main.go && git push`, `push HEAD`},
		{`git --work-tree=/ clean -fd`, `discard untracked files from /; delete / wide`},
		{`git clean -fd`, `discard untracked files from /home/u/p`},
	})
}
