package fileops

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/guard"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// Awk runs a program of its own over its input. What it runs and writes is
// mostly literal in it.
func Awk(a *invocation.Act, in *command.Reading) {
	programs, certain := in.Values("program"), in.Certain("program")
	inPlace := false
	for _, file := range in.Values("script") {
		if file == "inplace" { // a library of gawk
			inPlace = true
			continue
		}
		content := a.Runs(file)
		programs, certain = append(programs, content), append(certain, content)
	}
	set := map[string]string{}
	for _, assignment := range in.Values("variable") {
		if name, value, ok := strings.Cut(assignment, "="); ok && !invocation.Unknown(value) {
			set[name] = value
		}
	}
	for _, program := range programs {
		awkProgram(a, program, set)
	}
	for _, p := range in.Values("path") {
		switch {
		case strings.Contains(p, "=") && !strings.Contains(p, "/"): // a variable
		case inPlace:
			if awkEmpties(certain) {
				follow.Emptied(a, p)
			}
			a.Put(p, "")
		default:
			a.Looks(false, p)
		}
	}
}

// PrintsNames reports whether a program of awk prints what stands before the sign.
func PrintsNames(_ *invocation.Act, in *command.Reading) bool {
	return slices.ContainsFunc(in.Values("program"), isOfNames)
}

// awkReading is an awk program while it is read.
type awkReading struct {
	*invocation.Act

	tokens []awkToken
	// set are the variables that have a known text, wrote what was printed into files.
	set, wrote map[string]string
}

// awkProgram notes what the calls of a program do: system("x"), "x" | getline,
// print | "x", print > "file", getline < "file".
func awkProgram(a *invocation.Act, program string, set map[string]string) {
	tokens := awkTokens(program)
	if len(tokens) == mostAwk {
		a.Doubt(invocation.Long)
	}
	r := awkReading{Act: a, tokens: tokens, set: set}
	printing, shown := -1, false // where print stands; whether all variables were shown
	depth := 0                   // of parentheses since print, in which > compares
	for i, t := range tokens {
		if t.literal {
			continue
		}
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case "=":
			r.assigned(i)
		case "system":
			if i+1 < len(tokens) && tokens[i+1].text == "(" {
				r.command(tokens[i+2:])
			}
		case "print", "printf":
			printing, depth = i, 0
		case ";", "}", "{", "\n":
			printing = -1
		case "|", "|&":
			if i+1 < len(tokens) && tokens[i+1].text == "getline" && !tokens[i+1].literal {
				r.command(tokens[commandStart(tokens, i):i])
			} else if printing >= 0 {
				r.pipe(tokens[printing+1:i], tokens[i+1:])
			}
		case ">", ">>":
			if printing < 0 || depth > 0 {
				continue
			}
			if text, known := r.text(tokens[i+1:]); known {
				r.prints(tokens[printing:i], text)
			} else {
				a.Doubt(invocation.Variable)
			}
		case "<":
			if i > 0 && (tokens[i-1].text == "getline" || i > 1 && tokens[i-2].text == "getline") {
				if text, known := r.text(tokens[i+1:]); known {
					follow.ReadsFiles(a, text)
				}
			}
		case "ENVIRON":
			if i+1 >= len(tokens) || tokens[i+1].text != "[" || i+2 < len(tokens) && !tokens[i+2].literal {
				if !shown {
					guard.Reveals(a, "environment")
				}
				shown = true
			} else if i+2 < len(tokens) {
				RevealsVariable(a, tokens[i+2].text)
			}
		}
	}
}

// prints notes that a statement prints into a file, and what if that is known.
func (r *awkReading) prints(statement []awkToken, file string) {
	name, rest, all, known := statement[0].text, statement[1:], "", true
	for n := 0; len(rest) > 0 && known; n++ {
		end := slices.IndexFunc(rest, func(t awkToken) bool { return !t.literal && t.text == "," })
		part := rest
		if rest = nil; end >= 0 {
			part, rest = part[:end], part[end+1:]
		}
		text, ok := r.text(part)
		if n > 0 {
			text, known = " "+text, name == "print" // the values of a format
		}
		all, known = all+text, known && ok
	}
	if name == "print" {
		all += "\n"
	}
	if !known || len(statement) < 2 {
		r.WritesFiles(file)
		return
	}
	if r.wrote == nil {
		r.wrote = map[string]string{}
	}
	r.wrote[file] += all
	follow.Adds(r.Act, file, r.wrote[file], true)
}

// assigned keeps the text that a variable is given at a place.
func (r *awkReading) assigned(i int) {
	if i == 0 || r.tokens[i-1].literal || len(r.set) >= mostAwkText {
		return
	}
	if text, _ := r.text(r.tokens[i+1:]); text != "" && len(text) <= mostAwkValue {
		r.set[r.tokens[i-1].text] = text
	}
}

// command reads a text that awk gives to a shell. Parts of it that are not
// literal are variables to whoever reads it.
func (r *awkReading) command(tokens []awkToken) {
	text, known := r.text(tokens)
	if !known && strings.TrimSpace(strings.ReplaceAll(text, awkValue, "")) == "" {
		runsInput(r.Act)
		return
	}
	if !r.inet(text) {
		r.Script(text)
	}
}

// inet notes a connection of gawk, which writes it as a file:
// /inet/tcp/0/host/80.
func (r *awkReading) inet(text string) bool {
	parts := strings.Split(text, "/")
	if len(parts) != 6 || !strings.HasPrefix(parts[1], "inet") {
		return false
	}
	Talks(r.Act, parts[4]+":"+parts[5])
	return true
}

// pipe reads a command that awk gives to a shell with what it prints as its
// input.
func (r *awkReading) pipe(printed, into []awkToken) {
	in := r.In.Through(r.Name)
	if text, known := r.text(printed); known {
		in.Known, in.Text = true, text+"\n"
	}
	if text, _ := r.text(into); text != "" && !r.inet(text) {
		r.R.Shell.Inner(text, r.Origin(), in)
	}
}

// awkValue stands for a value that is not literal.
const awkValue = "${value}"

// text joins literals and what is not known between them, up to where the
// expression ends.
func (r *awkReading) text(tokens []awkToken) (text string, known bool) {
	var b strings.Builder
	known = len(tokens) > 0
	last := false
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i >= mostAwkText {
			return b.String(), false
		}
		if t.text == "ENVIRON" && i+3 < len(tokens) && tokens[i+2].literal { // ENVIRON["HOME"]
			b.WriteString("${" + tokens[i+2].text + "}")
			i += 3
			continue
		}
		if !t.literal {
			switch t.text {
			case ")", ";", "}", "\n", "|", "|&", ">", ">>", "<", ",":
				return b.String(), known && b.Len() > 0
			case "(", "$":
				continue
			}
			if value, ok := r.set[t.text]; ok {
				b.WriteString(value)
				known = known && !invocation.Unknown(value)
				last = false
				continue
			}
			known = false
			if !last {
				b.WriteString(awkValue)
			}
			last = true
			continue
		}
		b.WriteString(t.text)
		last = false
	}
	return b.String(), known
}

// commandStart is where the expression before a pipe begins.
func commandStart(tokens []awkToken, end int) int {
	for i := end - 1; i >= max(end-mostAwkText, 0); i-- {
		if t := tokens[i]; !t.literal {
			switch t.text {
			case "(", ")", ";", "{", "}", "\n", ",", "=", "|":
				return i + 1
			}
		}
	}
	return max(end-mostAwkText, 0)
}

// isOfNames reports whether a program of awk prints what stands before the sign.
func isOfNames(program string) bool {
	i := strings.Index(program, "print")
	if i < 0 {
		return false
	}
	for rest := program[i:]; ; {
		_, after, ok := strings.Cut(rest, "$")
		if !ok {
			return strings.Contains(program, "$1") || strings.Contains(program[i:], "length") || strings.Contains(program[i:], "NR")
		}
		if !strings.HasPrefix(after, "1") || len(after) > 1 && after[1] >= '0' && after[1] <= '9' {
			return false
		}
		rest = after
	}
}
