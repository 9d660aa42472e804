package call

import (
	"maps"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/internal/jsonscan"
	"github.com/sluice-project/sluice/policy/effect"
)

// acts records what an unknown tool does to what others run or store, by the words of its name
// and of its server's. The catalogue of programs says what that is, as the program tool-call.
func (c *Call) acts(m members, text string) {
	c.asProgram(m, text)
	if !says(c.words, "acts") && (!says(c.words, "takes-out") || !says(c.words, "kept") && !says(c.words, "keepers") && !says(c.serverWords, "keepers")) {
		return
	}
	args := argumentsOf(text)
	line := []string{"tool-call", "--tool=" + strings.Join(c.words, " "), "--recipient=" + c.recipient()}
	say := func(flag string, words []string) {
		for _, w := range words {
			for _, list := range tables().wordLists[w] {
				line = append(line, "--"+flag+"="+list)
			}
		}
	}
	say("is", c.words)
	say("of", c.words)
	say("server-is", c.serverWords)
	say("of", c.serverWords)
	say("kind-is", wordsOf(args.role("kind")))
	for _, w := range c.words {
		line = append(line, "--word="+w)
	}
	for _, w := range c.serverWords {
		line = append(line, "--server="+w)
	}
	if n := len(c.words); n > 0 {
		line = append(line, "--last="+c.words[n-1])
	}
	if i := slices.IndexFunc(c.words, func(w string) bool { return says([]string{w}, "things") }); i >= 0 {
		line = append(line, "--thing="+c.words[i])
	}
	for _, role := range actRoles {
		if value := args.role(role); value != "" {
			if role == "branch" {
				value = strings.TrimPrefix(strings.TrimPrefix(value, "refs/"), "heads/")
			}
			line = append(line, "--"+role+"="+value)
		}
	}
	for _, flag := range actSwitches {
		if args.set(flag) {
			line = append(line, "--"+flag)
		}
	}
	if args["private"] == false {
		line = append(line, "--private=false")
	}
	if args.everyKey() {
		line = append(line, "--every-key")
	}
	if !args.emptyFilter() {
		line = append(line, "--filtered")
	}
	if givesEveryRight(text) {
		line = append(line, "--every-right")
	}
	c.alike(line, func(e *effect.Effect) bool { // not what any program may do with such a word
		return e.Verb != effect.Read && (e.Verb != effect.Write || e.Remote)
	})
}

// What the description of tool-call is told of the arguments.
var (
	actRoles    = []string{"name", "kind", "owner", "repo", "branch", "file", "method", "index", "process", "visibility", "grantee", "shared", "user", "setting", "object", "to"}
	actSwitches = []string{"force", "all", "recursive", "permanent", "permanently", "skiptrash", "readonly", "dryrun"}
)

// everyRight are roles with all rights.
var everyRight = []string{"AdministratorAccess", "roles/owner", "PowerUserAccess", "IAMFullAccess", "cluster-admin"}

// givesEveryRight reports whether one of the texts in the arguments names such a role.
func givesEveryRight(text string) bool {
	found := false
	eachText(text, func([]byte, jsonscan.Kind) bool { return true }, func(text []byte) {
		found = found || slices.ContainsFunc(everyRight, func(s string) bool { return strings.Contains(string(text), s) })
	})
	return found
}

// programIn is the command line that one of the words names, and where the word is; -1 if none
// does.
func programIn(words []string) (program []string, at int) {
	for i, w := range words {
		if p := tables().programs[w]; p != "" {
			return strings.Fields(p), i
		}
	}
	return nil, -1
}

// namesProgram reports whether one of the words is the name of such a command line.
func namesProgram(words []string) bool {
	_, at := programIn(words)
	return at >= 0 || slices.Contains(words, "ssh")
}

// asProgram reads the arguments of a tool that is named after a program.
func (c *Call) asProgram(m members, text string) {
	program, at := programIn(c.words)
	if program == nil {
		program, _ = programIn(c.serverWords)
	}
	containers := says(c.words, "engines") || says(c.serverWords, "engines")
	if program == nil && !containers {
		return
	}
	args := argumentsOf(text)
	if args.set("dryrun") {
		return
	}
	if containers {
		c.container(args)
	}
	inside := slices.Contains(c.words, "exec")
	if program == nil || inside && at >= 0 && !says(c.words, "inside") {
		return
	}
	var given, lines []string
	for i := range m {
		switch v := &m[i]; v.field {
		case fieldCommand, fieldCommands:
			if inside {
				command := v.texts()
				if v.kind == jsonscan.String {
					command = []string{"sh", "-c", v.text}
				}
				c.as(slices.Concat([]string{program[0], "exec", firstOf(args.role("inside"), "x"), "--"}, command)...)
				continue
			}
			lines = append(lines, v.texts()...)
		case fieldInput, fieldPrompt:
			if v.kind == jsonscan.String && !looksLikeObject(v.text) && (v.field == fieldInput || len(program) > 1) {
				lines = append(lines, v.text)
			}
		case fieldArguments:
			if given = append(given, readings(v.strings())[0]...); v.kind == jsonscan.String && !looksLikeObject(v.text) {
				given = append(given, strings.Fields(v.text)...)
			}
		default:
		}
	}
	if inside {
		return
	}
	operands := args.operandsOf(program[0])
	for _, line := range lines {
		switch first, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case first == program[0]: // read as it is
		case len(program) > 1:
			c.as(program[0], program[1], line)
		case rest == "":
			c.as(slices.Concat(program, []string{line}, args.flags(), operands, given)...)
		default:
			c.as("sh", "-c", program[0]+" "+line)
		}
	}
	if program[0] == "kubectl" {
		c.manifests(args)
	}
	if len(lines) > 0 || len(program) > 1 {
		return
	}
	// git_push, kubectl_delete, docker_system_prune
	verbs := slices.DeleteFunc(slices.Clone(c.words[at+1:]), func(w string) bool {
		return says([]string{w}, "fillers") && (w != "run" || !says(program, "engines")) || w == "unit" && program[0] == "systemctl" || program[0] == "kubectl" && (w == "resource" || w == "resources")
	})
	if len(verbs)+len(given) == 0 || len(verbs) > 3 {
		return
	}
	if program[0] == "git" && len(verbs) > 0 && verbs[0] == "push" && !args.has("remote") && len(given) == 0 {
		operands = append([]string{"origin"}, operands...)
	}
	c.as(slices.Concat(program, verbs, args.flags(), operands, given)...)
}

// container reads the arguments of a tool that creates containers, as docker run would.
func (c *Call) container(args arguments) {
	image := args.first(tables().Containers["image"]...)
	if image == "" {
		return
	}
	for _, name := range []string{"hostconfig", "hostoptions"} {
		if inner, ok := args[name].(map[string]any); ok {
			args.take(inner)
		}
	}
	line := []string{"docker", "run"}
	if args.set("privileged") {
		line = append(line, "--privileged")
	}
	for _, flag := range slices.Sorted(maps.Keys(tables().Containers)) {
		for _, name := range tables().Containers[flag] {
			for _, value := range boundTexts(args[name]) {
				if flag == "-v" && !strings.Contains(value, ":") {
					value += ":/mnt"
				}
				if flag != "image" && value != "" && value[0] != ':' && len(line) < 4*maxMounts {
					line = append(line, flag, value)
				}
			}
		}
	}
	line = append(line, image)
	switch command := args["command"].(type) {
	case string:
		line = append(line, "sh", "-c", command)
	case []any:
		line = append(line, textsOf(command)...)
	}
	c.as(line...)
}

// maxMounts is how many mounts of a container are considered.
const maxMounts = 64

// boundTexts are the texts of a value, where an object says what is put where: a list of texts
// or of objects, texts with commas between them, or an object by what is mounted.
func boundTexts(v any) []string {
	var list []string
	switch v := v.(type) {
	case string:
		for text := range strings.SplitSeq(v, ",") {
			list = append(list, strings.TrimSpace(text))
		}
	case []any:
		for _, e := range v[:min(len(v), maxMounts)] {
			switch e := e.(type) {
			case map[string]any:
				inner := make(arguments, len(e))
				inner.take(e)
				list = append(list, inner.role("source")+":"+firstOf(inner.role("target"), "/mnt"))
			case string:
				list = append(list, e)
			}
		}
	case map[string]any:
		for _, from := range slices.Sorted(maps.Keys(v)) {
			text, ok := v[from].(string)
			if object, is := v[from].(map[string]any); is {
				text, ok = object["bind"].(string)
			}
			if len(list) < maxMounts && (ok || text == "") {
				list = append(list, from+":"+firstOf(text, "/mnt"))
			}
		}
	}
	return list
}

// manifests reads what a tool gives to a cluster, as kubectl apply would.
func (c *Call) manifests(args arguments) {
	for _, key := range tables().Roles["manifests"] {
		for _, text := range textsOf(args[key]) {
			if strings.Contains(text, "kind:") || strings.Contains(text, `"kind"`) {
				c.as("sh", "-c", "kubectl apply -f - <<'end of manifest'\n"+strings.ReplaceAll(text, "end of manifest", "")+"\nend of manifest\n")
			}
		}
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
