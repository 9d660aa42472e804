package shell

import "strings"

// backupVerbs are the programs that keep copies: what they delete is what would
// bring the rest back.
var backupVerbs = map[string]verb{
	"borg": borg, "restic": restic, "rustic": restic, "duplicity": duplicity, "duply": duplicity, "snapper": snapper, "timeshift": timeshift, "kopia": kopia, "bup": bup, "wal-g": walG, "pgbackrest": pgBackRest,
}

// backups notes that copies are deleted.
func (a *act) backups(what string) { a.destroys("backup "+what, true) }

func borg(a *act) {
	l := a.line(valued("a glob-archives P prefix first last keep-daily keep-weekly keep-monthly keep-yearly keep-last keep-within d w m y H rsh remote-path"))
	if l.has("n", "dry-run") {
		return
	}
	switch words := l.from(1); l.operand(0) {
	case "delete", "rdelete", "repo-delete":
		a.backups(strings.Join(words, " "))
	case "prune":
		if l.value("keep-last") == "0" {
			a.backups(strings.Join(words, " "))
		}
	}
}

// restic forgets by rules every day; without any that keep something it deletes.
func restic(a *act) {
	l := a.line(valued("r repo repository-file p password-file password-command keep-last keep-daily keep-weekly keep-monthly keep-yearly keep-within keep-tag tag host path group-by l d w m y H o"))
	if command := l.value("password-command"); command != "" {
		a.script(command)
	}
	if l.has("n", "dry-run") {
		return
	}
	switch l.operand(0) {
	case "forget":
		last := l.value("keep-last", "l")
		if l.has("unsafe-allow-remove-all") || last == "0" || l.has("prune") && len(l.operands) > 1 {
			a.backups("snapshots " + strings.Join(l.from(1), " "))
		}
	case "key":
		if l.operand(1) == "remove" {
			a.backups("key " + l.operand(2))
		}
	}
}

func duplicity(a *act) {
	l := a.line(valued("encrypt-key sign-key name archive-dir tempdir"))
	if l.has("dry-run") || !l.has("force") {
		return
	}
	for i, word := range l.operands {
		if strings.HasPrefix(word, "remove-") || word == "purge" || word == "purgeFull" {
			if word == "remove-all-but-n-full" && l.operand(i+1) != "0" {
				return
			}
			a.backups(strings.Join(l.operands[i:], " "))
			return
		}
	}
}

func snapper(a *act) {
	l := a.line(valued("c config"))
	if word := l.operand(0); word == "delete" || word == "remove" || word == "rm" || word == "delete-config" {
		a.backups("snapshots " + strings.Join(l.from(1), " "))
	}
}

func timeshift(a *act) {
	l := a.line(valued("snapshot comments tags snapshot-device"))
	if l.has("delete-all", "delete") {
		a.backups("snapshots " + l.value("snapshot"))
	}
}

func kopia(a *act) {
	l := a.line(valued("config-file p password"))
	switch sub := l.operand(0) + " " + l.operand(1); sub {
	case "snapshot delete", "snapshots delete", "snap delete", "manifest delete", "blob delete":
		if l.has("delete", "all-snapshots-for-source", "all") || l.operand(0) == "blob" {
			a.backups("snapshots " + strings.Join(l.from(2), " "))
		}
	}
}

func bup(a *act) {
	if a.Sub == "rm" || a.Sub == "gc" && a.Has("--unsafe") {
		a.backups(strings.Join(a.Operands(), " "))
	}
}

func walG(a *act) {
	words := a.Operands("config")
	if len(words) > 1 && words[0] == "delete" && a.Has("--confirm") && words[1] == "everything" {
		a.backups(strings.Join(words[1:], " "))
	}
}

func pgBackRest(a *act) {
	if a.Sub == "stanza-delete" {
		a.backups("stanza " + a.Flag("stanza"))
	}
}
