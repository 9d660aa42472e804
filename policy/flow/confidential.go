package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/call"
)

// confidential are words by which files and repositories say what they hold;
// those in topics only where they stand alone, or with numbers: there are
// programs about them.
var (
	confidential = set("salaries salary payroll customers private confidential passwords")
	topics       = set("finance finances tax taxes")
	documents    = set(".csv .tsv .xls .xlsx .ods .md .txt .json .yml .yaml .pdf .docx .sql .db .sqlite .parquet .gz .zip .bak")
	closets      = set("private confidential payroll hr")
)

// isConfidential reports whether a document says by its name, or by a directory
// that it is in, that it is not for everybody.
func isConfidential(p string) bool {
	p = strings.ToLower(p)
	name := path.Base(p)
	end := path.Ext(name)
	if documents[end] && !isSample(name) {
		words := wordsOf(strings.TrimSuffix(name, end))
		if slices.ContainsFunc(words, func(w string) bool { return confidential[w] }) {
			return true
		}
		if len(words) > 0 && topics[words[0]] && !slices.ContainsFunc(words[1:], func(w string) bool { return strings.Trim(w, "0123456789q") != "" }) {
			return true
		}
	}
	for _, dir := range []string{"/private/tmp/", "/private/var/", "/private/etc/"} { // of macOS itself
		p = strings.TrimPrefix(p, dir)
	}
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		if closets[part] {
			return true
		}
	}
	return false
}

// maxIssues is how many repositories are remembered of which issues were read.
const maxIssues = 100

// privateRepo is the repository or file that a server's tool reads and whose name
// says that it is confidential; empty if there is none. The repository whose
// issues were read before is one that others write to.
func (d *digest) privateRepo(c *call.Call, words []string) string {
	repo, file := "", ""
	args := c.Args()
	for _, name := range []string{"owner", "repo", "repository", "project", "project_id"} {
		if s, ok := args[name].(string); ok && s != "" && len(s) <= maxName {
			repo = strings.TrimPrefix(repo+"/"+strings.ToLower(s), "/")
		}
	}
	for _, name := range []string{"path", "file", "file_path", "filename"} {
		if s, ok := args[name].(string); ok && file == "" {
			file = s
		}
	}
	if slices.ContainsFunc(words, func(w string) bool { return discussed[w] }) {
		if d.issues == nil {
			d.issues = map[string]bool{}
		}
		if repo != "" && len(d.issues) < maxIssues {
			d.issues[repo] = true
		}
		return ""
	}
	if file != "" && isPrivate(file, "") {
		return file
	}
	if repo == "" || d.issues[repo] {
		return ""
	}
	for _, w := range wordsOf(repo) {
		if confidential[w] || topics[w] || closets[w] {
			return repo
		}
	}
	return ""
}

// discussed are words in the names of tools that show what others write about a
// repository.
var discussed = set("issue issues pull pr comment comments discussion discussions mr")
