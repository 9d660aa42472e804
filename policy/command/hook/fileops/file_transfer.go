package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// TransferFiles is for sftp, ftp, smbclient and the like, whose commands come from
// their input, an option, a file or their words.
func TransferFiles(a *invocation.Act, in *command.Reading) {
	follow.SshSettings(a, in.Values("setting"))
	tellsAddress(a)
	if url := in.Value("url"); url != "" { // ftp -u ADDRESS FILE...
		a.SendsTo(url, in.Values("words")...)
		return
	}
	place := in.Value("host")
	to := SSHHost(strings.TrimLeft(strings.ReplaceAll(place, `\`, "/"), "/"))
	if strings.HasPrefix(place, "/") || strings.HasPrefix(place, `\`) { // //HOST/SHARE
		to, _, _ = strings.Cut(to, "/")
	}
	texts := slices.Concat([]string{a.In.Text}, in.Values("statement"), []string{strings.Join(in.Values("word"), " ")})
	for _, batch := range in.Values("batch") {
		if batch == "-" {
			continue
		}
		follow.ReadsFiles(a, batch)
		if f := a.R.File(a.Path(batch)); f != nil && f.Known {
			texts = append(texts, f.Content)
		} else {
			a.Doubt(invocation.Source)
		}
	}
	text := strings.Join(texts, "\n")
	if to == "" {
		_, rest, _ := strings.Cut(text, "open ")
		to, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
		to, _, _ = strings.Cut(to, ";")
	}
	a.Does(effect.Connect, to)
	if strings.HasPrefix(in.Value("archive"), "x") { // smbclient -Tx FILE
		a.SendsTo(to, in.Values("file")...)
	}
	if machine, there := elsewhere(place); machine != "" && !strings.Contains(place, "://") && there != "" && !strings.HasSuffix(there, "/") { // sftp host:file [here]
		here := in.Value("target")
		switch {
		case here == "":
			here = LastName(there)
		case isDirectory(here):
			here = follow.Join(here, LastName(there))
		}
		Saves(a, here, place)
	}
	count := 0
	for statement := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		words := strings.Fields(statement)
		if len(words) == 0 {
			continue
		}
		if count++; count > follow.MostAddresses {
			a.Doubt(invocation.Many)
			break
		}
		if escaped, ok := strings.CutPrefix(strings.TrimSpace(statement), "!"); ok {
			a.Script(escaped)
			continue
		}
		a.Part("_transfer", append([]string{"--to=" + to}, words...)...)
	}
	if a.In.Piped && !a.In.Known {
		a.Doubt(invocation.Pipe)
	}
}
