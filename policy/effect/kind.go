package effect

// Kind says in which way an effect comes about where that matters to policies, so that
// they need no names of programs. Most effects have none.
type Kind string

// The kinds. The catalogue of programs says which programs' effects have which.
const (
	// Move: what is deleted or written was moved; nothing is lost.
	Move Kind = "move"
	// Shred: the contents are overwritten, so that nothing can be recovered.
	Shred Kind = "shred"
	// Sync: what a copy deletes because its source does not have it.
	Sync Kind = "sync"
	// Directory: only an empty directory is made; nothing in it runs or is read.
	Directory Kind = "directory"
	// Tool: a program is installed under its own name, where people have their own.
	Tool Kind = "tool"
	// Key: a new key is made, and written where keys are.
	Key Kind = "key"
	// Clone: a repository or a template takes the place of the directory.
	Clone Kind = "clone"
	// Replace: it takes the place of what has the name, even of a directory, and is not
	// put into it.
	Replace Kind = "replace"
	// LinkName: the name leads elsewhere.
	LinkName Kind = "link"
	// Rights: single users and groups get rights, whatever the mode is.
	Rights Kind = "rights"
	// Outline: how much is in the file and how it is laid out, not what.
	Outline Kind = "outline"
	// Settings: only lines of it are read whose names are those of settings and not of
	// secrets.
	Settings Kind = "settings"
	// Login: somebody logs in to a shell on the other machine.
	Login Kind = "login"
	// Probe: it is only asked whether somebody answers.
	Probe Kind = "probe"
	// Pattern: of processes, the object is a pattern that their names must have
	// somewhere; Exact: that must match them as a whole; Line: that their names or
	// command lines must have.
	Pattern Kind = "pattern"
	Exact   Kind = "exact"
	Line    Kind = "line"
	// Users: of processes, those that use the file or port that is the object.
	Users Kind = "users"
	// Start: of a variable, it is for the one program that is started with it.
	Start Kind = "start"
	// Stage: a file is named for the next commit, whatever is in it.
	Stage Kind = "stage"
)

// KindDoc says what a kind means, of which verbs, with a command that has it.
type KindDoc struct {
	Kind    Kind
	Verbs   []Verb
	Means   string
	Example string
}

// KindDocs document all kinds.
func KindDocs() []KindDoc {
	return []KindDoc{
		{Move, []Verb{Delete, Write}, "it was moved, so that nothing is lost", "mv a b"},
		{Shred, []Verb{Delete}, "the contents are overwritten, so that nothing can be recovered", "shred -u a"},
		{Sync, []Verb{Delete}, "a copy deletes what its source does not have", "rsync -a --delete src/ host:/srv/app/"},
		{Directory, []Verb{Write}, "only an empty directory is made", "mkdir -p a"},
		{Tool, []Verb{Write, Link}, "a program is installed under its own name, where people have their own", "mv kubectl /usr/local/bin/kubectl"},
		{Key, []Verb{Write}, "a new key is made", "ssh-keygen -t ed25519 -f k"},
		{Clone, []Verb{Write}, "a repository takes the place of the directory", "git clone https://x.example/a.git b"},
		{Replace, []Verb{Write}, "it takes the place of what has the name, even of a directory", "mv -T a b"},
		{LinkName, []Verb{Write}, "the name leads elsewhere", "ln -s a b"},
		{Rights, []Verb{Mode}, "single users or groups get rights, whatever the mode says", "setfacl -m u:a:rwx b"},
		{Outline, []Verb{Read}, "how much is in the file and how it is laid out, not what is in it", "wc -l .env"},
		{Settings, []Verb{Read}, "only lines are read whose names are plainly those of settings and not of secrets", "grep ^PORT= .env"},
		{Login, []Verb{Connect, Send}, "somebody logs in to a shell on the other machine", "ssh x.example"},
		{Probe, []Verb{Connect}, "it is only asked whether somebody answers", "nc -z localhost 5432"},
		{Pattern, []Verb{Kill}, "the object is a pattern that the names of processes must have in them", "pkill nod"},
		{Exact, []Verb{Kill}, "the object is a pattern that must match the names of processes as a whole", "pkill -x node"},
		{Line, []Verb{Kill}, "the object is a pattern that the names or command lines of processes must have in them", "pkill -f 'node server'"},
		{Users, []Verb{Kill}, "the processes that use the file or port that is the object", "fuser -k 3000/tcp"},
		{Start, []Verb{SetVariable, UnsetVariable}, "for the program alone that is started with it", "env -i claude"},
		{Stage, []Verb{SetVariable}, "of git added, the file is named for the next commit, whatever is in it; a push sends those with secrets and what was copied from outside of the project", "git add a"},
	}
}

// Kinds are all kinds.
func Kinds() []Kind {
	docs := KindDocs()
	list := make([]Kind, len(docs))
	for i := range docs {
		list[i] = docs[i].Kind
	}
	return list
}
