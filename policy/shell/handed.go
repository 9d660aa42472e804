package shell

import (
	"path"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// handed notes what a program is given, and no description says what it does with:
// a key that it is given it may show, a file that runs by itself it may write. It
// does not matter whether it is a word by itself or a part of one: @file,
// --option=file, file://path, a statement with a path in quotes.
func (r *reader) handed(a *invocation.Act) {
	r.handedBy(a)
	if a.Number < 0 || len(a.Args) == 0 || knowsPaths[a.Name] || follow.IsShell(a.Name) || output.TakesKeys(a.Name) || r.asksForHelp(a) || asksAWSForHelp(a.Command) || isCmdlet(a.Name) || invocation.IsForWindows(a.Name) {
		return
	}
	for i, arg := range a.Args {
		if len(arg) > invocation.MostKnown || !mayName(arg) || i > 0 && isUsed(a.Args[i-1]) || isUsed(arg) || !r.Pay(1+len(arg)/16) {
			continue
		}
		for _, p := range pathsIn(arg) {
			resolved := a.Path(p)
			key := output.IsPrivateKey(resolved)
			if !key && !isStartup(resolved) || mentions(a, p, resolved) {
				continue
			}
			if key {
				follow.Prints(a, p)
			} else if !isReader[a.Name] {
				a.WritesFiles(p)
			}
		}
	}
}

// writing are words of programs, in lower case, by which they write files.
var writing = []string{"write", "append", "openfile", "create", "outputstream", "putstr", "\"w\"", "'w'", "\"a\"", "'a'", " w]", " a]", "spit ", "save", "download", "retrieve", "transferfrom", "files.copy", "redir", "openout", "copy_stream", ".copy(", "openoutput"}

// namedIn notes, in a program of any language, the absolute paths of keys that it
// reads to print them, and of files that run by themselves, which it writes.
func (r *reader) namedIn(a *invocation.Act, program string) {
	if len(program) > follow.MostGiven || !mayName(program) || !r.Pay(1+len(program)/16) {
		return
	}
	lower := strings.ToLower(program)
	for _, p := range pathsIn(program) {
		resolved := a.Path(p)
		switch {
		case mentions(a, p, resolved):
		case output.IsPrivateKey(resolved):
			if output.CodePrints(program) && invocation.ContainsAny(lower, []string{"read", "slurp", "open", "input"}) {
				follow.Prints(a, p)
			}
		case isStartup(resolved) && invocation.ContainsAny(lower, writing):
			a.WritesFiles(p)
		}
	}
}

// listReaders are programs that otherwise only name files, with the options by
// which they read one: what is wrong in it they print.
var listReaders = map[string][]string{"file": {"-m", "-f", "--magic-file", "--files-from"}, "ssh-keyscan": {"-f"}, "ltrace": {"-F"}, "du": {"--files0-from"}, "find": {"-files0-from"}, "man": {"-C", "--config-file"}, "date": {"-f", "--file"}}

// keyReaders are programs that complain about lines of lists and settings which they do
// not understand, as they do about those of a key.
var keyReaders = map[string][]string{
	"pip": {"-r", "--requirement", "-c", "--constraint"}, "pip3": {"-r", "--requirement", "-c", "--constraint"}, "uv": {"-r", "--requirement", "--with-requirements"},
	"dnf": {"-c", "--config"}, "yum": {"-c", "--config"},
}

// handedBy notes files that programs are given by certain options, as addresses of
// this machine, or by a variable.
func (r *reader) handedBy(a *invocation.Act) {
	for _, p := range follow.After(a, listReaders[a.Name]...) {
		follow.Prints(a, p)
	}
	if (a.Name == "docker" || a.Name == "podman" || a.Name == "nerdctl") && a.Sub == "cp" {
		if to := invocation.LastOf(a.Args); isStartup(a.Path(to)) {
			a.WritesFiles(to)
		}
	}
	for _, p := range follow.After(a, keyReaders[a.Name]...) {
		if output.IsPrivateKey(a.Path(p)) {
			follow.Prints(a, p)
		}
	}
	for _, arg := range a.Args {
		if strings.HasPrefix(a.Name, "ansible") && strings.Contains(arg, "lookup(") {
			for _, p := range pathsIn(arg) {
				if output.IsPrivateKey(a.Path(p)) {
					follow.Prints(a, p)
				}
			}
		}
		if _, p, ok := strings.Cut(arg, "file:///"); ok && output.IsPrivateKey("/"+p) && !mentions(a, arg, a.Path("/"+p)) {
			follow.Prints(a, "/"+p)
		}
	}
	if strings.HasSuffix(a.Name, "tex") || a.Name == "latexmk" { // what they are given names what they take in
		for _, p := range a.Operands() {
			if content, known := a.File(p); known && mayName(content) {
				for _, p := range pathsIn(content) {
					if output.IsPrivateKey(a.Path(p)) {
						follow.Prints(a, p)
					}
				}
			}
		}
	}
	for _, name := range [...]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		if proxy := a.Env[name]; proxy != "" {
			a.Does(effect.Connect, proxy)
		}
	}
	if command := a.Env["LESSOPEN"]; command != "" && mayName(command) {
		for _, p := range pathsIn(command) {
			follow.Prints(a, p)
		}
	}
}

// mayName reports whether a text can have a path in it that handed looks for.
func mayName(s string) bool {
	return strings.Contains(s, "/.") || strings.Contains(s, "~") || strings.Contains(s, "/etc/")
}

// pathsIn are the absolute paths in a text, and those in the home.
func pathsIn(s string) []string {
	var list []string
	for i := 0; i < len(s) && len(list) < output.MostRoots; i++ {
		if s[i] != '/' && s[i] != '~' && s[i] != '$' || i > 0 && strings.IndexByte("=@:,\"'`(<>[{ |\t\n;", s[i-1]) < 0 && !strings.HasSuffix(s[:i], "//") && !isLetters(s[:i]) {
			continue
		}
		host := false
		if strings.HasPrefix(s[i:], "//") && i > 0 && s[i-1] == ':' {
			if i += 2; i >= len(s) {
				break
			}
			host = s[i] != '/' // file:///path has none
		}
		end := i
		for end < len(s) && strings.IndexByte("\"'`)<>]} |\t\n;,&\\", s[end]) < 0 {
			end++
		}
		// What lies on a host is not here.
		if p := s[i:end]; !host && (strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, "$HOME/")) {
			list = append(list, strings.TrimRight(p, ":."))
		}
		i = end
	}
	return list
}

// isLetters reports whether a word so far is an option that a value is glued to: -o/path.
func isLetters(s string) bool {
	return 2 <= len(s) && len(s) <= 3 && s[0] == '-' && invocation.IsCluster(s[1:])
}

// mentions reports whether an effect of the command tells what happens to a path.
func mentions(a *invocation.Act, written, p string) bool {
	for i := a.First; i < len(a.R.Reading.Effects); i++ {
		switch e := &a.R.Reading.Effects[i]; {
		case e.Command != a.Number:
		case e.Object == p || e.From == p && (e.Verb != effect.Send || a.Facts().Does != nil) || e.Object == written || e.Verb == effect.Run && strings.HasSuffix(p, e.Object):
			return true
		case e.Verb == effect.Read && strings.HasSuffix(e.Object, p): // read as something else: ./@/path
		case e.Wide && strings.HasPrefix(p, strings.TrimSuffix(e.Object, "/")+"/"):
			return true
		}
	}
	return false
}

// isUsed reports whether an option is one by which programs are told what key to
// use, or that a text is for people.
func isUsed(option string) bool {
	if !strings.HasPrefix(option, "-") {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	switch name {
	case "i", "m", "message", "body", "title", "v", "volume", "mount", "filter", "name", "path", "env-file", "kubeconfig", "netrc-file", "secret":
		return true
	}
	return strings.Contains(name, "key") || strings.Contains(name, "identity") || strings.Contains(name, "credential") || strings.Contains(name, "exclude") || strings.Contains(name, "ssh") || strings.Contains(name, "description")
}

// isStartup reports whether a file runs by itself, whoever writes it.
func isStartup(p string) bool {
	dir, name := path.Split(p)
	switch name {
	case ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".kshrc", ".cshrc", ".inputrc", "authorized_keys":
		return true
	case "sudoers", "passwd", "crontab", "ld.so.preload", "rc.local", "profile":
		return dir == "/etc/"
	}
	return strings.HasPrefix(p, "/etc/sudoers.d/") || strings.HasPrefix(p, "/etc/cron.") || strings.HasPrefix(p, "/etc/profile.d/")
}

// knowsPaths are programs that are given paths as texts, or of which all that they
// do with them is known: what they print are their words, what they run is read by
// itself.
var knowsPaths = setOf(`echo printf test [ [[ : true false return exit if local declare typeset export readonly read set unset alias unalias let trap type which whence whereis command hash
	ls eza exa lsd tree stat file find fd fdfind gfind locate mlocate plocate updatedb realpath readlink basename dirname cd pushd popd touch mkdir rmdir chmod chown chgrp chattr lsattr getfacl setfacl du df
	git gh glab hub jj hg svn sl grep egrep fgrep rg ag ack sed gsed awk gawk mawk nawk perl ruby python python2 python3 node deno bun php lua jq yq tr cut xargs parallel watch
	ssh scp sftp rsync sshpass ssh-add ssh-keygen ssh-copy-id mosh autossh ansible ansible-playbook ansible-vault terraform tofu pulumi packer vagrant kubectl oc helm k9s docker podman nerdctl docker-compose buildah
	aws gcloud az doctl curl wget http https xh make cmake ninja npm npx pnpm yarn cargo go pip pip3 uv poetry brew apt apt-get dnf yum apk pacman
	info help tldr sluice claude codex gemini opencode aider logger notify-send say osascript open xdg-open cmp comm md5 diff source . eval exec time history fc complete compgen bind
	rm mv cp ln install tar zip unzip dd tee cat tac head tail less more bat nl wc sort uniq base64 xxd od hexdump strings shred truncate age rage gpg openssl sops pass keychain puttygen
	visudo crontab systemctl launchctl sudoedit code subl atom zed idea vi vim nvim nano emacs micro helix hx ed ex`)

// isReader are programs that only look at the files that they are given.
var isReader = setOf(`shellcheck shfmt hadolint lsof fuser inotifywait entr fswatch getent pwck visudo ldd nm md5sum sha1sum sha256sum sha512sum cksum sum b2sum shasum colordiff delta difft vimdiff meld
	batcat pygmentize highlight cloc tokei scc wc restic borg kopia duplicity rclone rsnapshot man etckeeper chezmoi stow yadm rcm dotbot homeshick mackup direnv starship`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
