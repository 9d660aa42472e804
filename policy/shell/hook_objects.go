package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
)

// objects is what is done to stored objects, by the last word of the command.
func objects(a *act, in *command.Reading) {
	a.storage(in.Value("command"), in.Values("words"), in.Has("recursive") || in.Has("r"),
		in.Has("d") || in.Has("delete") || in.Has("delete-removed") || in.Has("delete-destination") || in.Has("delete-unmatched-destination-objects"))
}

func isBucket(p string) bool {
	return strings.Contains(p, "://") || strings.HasPrefix(p, "arn:")
}

// storage is what is done to stored objects, whatever the program.
func (a *act) storage(does string, operands []string, recursive, mirrors bool) {
	first, last := "", ""
	if len(operands) > 0 {
		first, last = operands[0], operands[len(operands)-1]
	}
	switch does {
	case "rm", "del", "remove", "delete", "rb", "mb-rm", "delete-bucket":
		for _, p := range operands {
			a.destroys(p, recursive || does == "rb" || strings.ContainsAny(p, "*?") || strings.Count(strings.TrimSuffix(p, "/"), "/") <= 2)
		}
		if a.More && len(operands) == 0 {
			a.destroys("objects", true)
		}
	case "cp", "copy", "sync", "rsync", "mirror", "put", "get", "upload", "download", "mv", "move":
		if len(operands) < 2 {
			return
		}
		for _, p := range a.few(operands[:len(operands)-1]) {
			a.transfers(p, last, isBucket)
		}
		if mirrors {
			a.removesThere(last, "objects in ", isBucket)
		}
		if does == "mv" || does == "move" {
			a.removesThere(first, "", isBucket)
		}
	case "cat":
		a.does(effect.Fetch, first)
	}
}

// minioCopies is mc cp, whose addresses are ALIAS/BUCKET.
func minioCopies(a *act, in *command.Reading) {
	for _, to := range in.Values("target") {
		if !strings.HasPrefix(to, ".") && !strings.HasPrefix(to, "/") && len(in.Values("source")) > 0 {
			a.sendsTo(to, in.Values("source")...)
		}
	}
}

// cloudUploads is a word like upload: az storage blob upload -f FILE, oci os object
// put --file FILE.
func cloudUploads(a *act, in *command.Reading) {
	files := make([]string, 0, len(in.Args))
	for _, role := range []string{"file", "source", "src", "src-dir", "source-dir", "path", "body", "local", "src-path", "data", "words"} {
		files = append(files, in.Values(role)...)
	}
	topic := ""
	if words := in.Values("command"); len(words) > 0 {
		topic = words[0]
	}
	for _, file := range a.few(files) {
		if !isBucket(file) {
			a.ships(in.Name+"-"+topic, file, mayBeDirectory(file))
		}
	}
}

// cloudDownloads is the word download, with a flag for the file.
func cloudDownloads(a *act, in *command.Reading) {
	from := append(in.Values("name"), in.Values("account-name")...)
	for _, file := range append(in.Values("file"), in.Values("destination")...) {
		a.saves(file, in.Name+"://"+strings.Join(from, "/"))
	}
}
