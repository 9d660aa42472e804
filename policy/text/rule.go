package text

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Limits of a chain. They bound the work per character, and the tables that all
// streams of the chain share.
const (
	// MaxProgram is the largest number of instructions that all patterns of a
	// chain may compile to together: a character costs at most that many steps.
	MaxProgram = 1 << 15
	// MaxClasses is the largest number of classes of characters that the
	// patterns of a chain may distinguish.
	MaxClasses = 1 << 12
)

// Rule is one step: what to find and what to replace it with.
type Rule struct {
	// Name is for error messages and reports; it need not be unique.
	Name string
	// Patterns are regular expressions in the syntax of Go's regexp package. At
	// each place the first pattern that matches there wins, as in
	// (?:p1)|(?:p2); the leftmost match comes first, and matches do not overlap.
	// A pattern must not be able to match the empty text.
	Patterns []string
	// Except are patterns of which each takes out the matches that it matches as a whole, as
	// if they stood alone: those are left as they are, count as no match, and the next one is
	// searched after them.
	Except []string
	// Replacement replaces each match. $1, ${1} and ${name} are the groups of
	// the pattern that matched, and $$ is a dollar sign; every pattern of the
	// rule must have the groups that are used.
	Replacement string
	// Literal takes the replacement as it is: a dollar sign has no meaning.
	Literal bool
	// Replace, if set, is called for each match, in order, and Replacement must
	// be empty. It returns the replacement of [Match.Part], or false to leave the
	// match as it is: then it counts as no match, but the next one is still
	// searched after it.
	//
	// It is called by several streams concurrently, and more than once about the
	// same text, so its answer must depend on the match alone.
	Replace func(m Match) (with string, replaced bool)
}

// RuleError says why [Compile] rejected a rule.
type RuleError struct {
	// Rule is the position of the rule, from 0, and Name its name.
	Rule int
	Name string
	// Pattern is the position of the pattern in the rule, from 0, or -1 if the
	// whole rule or the chain is meant.
	Pattern int
	// Except says that it is the position in Except.
	Except bool
	// Reason is for people: what is wrong and what to do.
	Reason string
}

// Error names the rule and the pattern.
func (e *RuleError) Error() string {
	name := ""
	if e.Name != "" {
		name = fmt.Sprintf(" (%s)", e.Name)
	}
	if e.Pattern < 0 {
		return fmt.Sprintf("text: rule %d%s: %s", e.Rule, name, e.Reason)
	}
	return fmt.Sprintf("text: rule %d%s, pattern %d: %s", e.Rule, name, e.Pattern, e.Reason)
}

// rule is a compiled Rule.
type rule struct {
	span             // its instructions
	entries []uint32 // by pattern
	// starts lists, by the kind of the last character and the class of the next,
	// the ways in which a match can begin with that character, the preferred one
	// first.
	starts [kinds][][]start
	// template is what matches are replaced by; groups are the patterns'
	// expressions for expanding it, nil if there is nothing to expand.
	template []byte
	groups   []*regexp.Regexp
	slots    int // how many group positions a thread carries
	replace  func(Match) (string, bool)
	except   *regexp.Regexp // matches what is left as it is, nil if nothing is
	unused   sync.Pool      // of *marks
}

// start is a way to begin a match: the instruction that eats the first character,
// and the group positions that are noted before it.
type start struct {
	pc    uint32
	slots []uint32
}

// Compile makes a chain of rules that are applied in order. A chain without
// rules changes nothing. The error is a *RuleError.
func Compile(rules ...Rule) (*Chain, error) {
	p := &program{rules: make([]rule, len(rules))}
	sets := newAlphabetBuilder()
	for i := range rules {
		if at, reason := p.compile(&p.rules[i], &rules[i], sets); reason != "" {
			return nil, &RuleError{Rule: i, Name: rules[i].Name, Pattern: at, Reason: reason}
		}
		if at, reason := p.rules[i].leaveOut(&rules[i]); reason != "" {
			return nil, &RuleError{Rule: i, Name: rules[i].Name, Pattern: at, Except: true, Reason: reason}
		}
	}
	p.finish(sets)
	if n := p.alphabet.size(); n > MaxClasses {
		return nil, &RuleError{Rule: len(rules) - 1, Name: rules[len(rules)-1].Name, Pattern: -1, Reason: fmt.Sprintf(
			"the patterns of all rules tell %d classes of characters apart, %d at most: use fewer different characters", n, MaxClasses)}
	}
	tune := defaultTuning()
	return &Chain{prog: p, auto: newAutomaton(p, tune), tune: tune}, nil
}

// compile adds one rule to the program. It returns the number of the pattern
// that is refused, or -1, and the reason, empty if there is none.
func (p *program) compile(to *rule, from *Rule, sets *alphabetBuilder) (int, string) {
	if len(from.Patterns) == 0 {
		return -1, "it has no patterns: add one, or leave the rule out"
	}
	template := from.Replacement
	if from.Replace != nil && template != "" {
		return -1, "it has both a Replacement and Replace: set one of them"
	}
	to.replace = from.Replace
	var refs []string
	if !from.Literal {
		var bad string
		if refs, bad = references(template); bad != "" {
			return -1, bad
		}
		if len(refs) == 0 {
			template = strings.ReplaceAll(template, "$$", "$")
		}
	}
	to.template = []byte(template)
	to.lo = uint32(len(p.insts))
	for i, pattern := range from.Patterns {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return i, fmt.Sprintf("it is not a regular expression: %v", err)
		}
		for _, ref := range refs {
			if !hasGroup(re, ref) {
				return i, fmt.Sprintf("the replacement uses $%s, but the pattern has no such group: "+
					"write ${1}x for a group before a letter, $$ for a dollar sign, or set Literal", ref)
			}
		}
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return i, fmt.Sprintf("it is not a regular expression: %v", err)
		}
		if shortest(tree) == 0 {
			return i, "it can match the empty text, so the replacement would be inserted everywhere: require at least one character"
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			return i, fmt.Sprintf("it does not compile: %v", err)
		}
		if n := len(p.insts) + len(prog.Inst); n > MaxProgram {
			return i, fmt.Sprintf("the chain has grown to %d instructions with it, %d at most: use smaller repetitions or fewer patterns", n, MaxProgram)
		}
		to.entries = append(to.entries, p.load(prog, i, sets))
		if len(refs) > 0 {
			to.groups = append(to.groups, re)
		}
		if len(refs) > 0 || to.replace != nil && re.NumSubexp() > 0 {
			to.slots = max(to.slots, 2*(re.NumSubexp()+1))
		}
	}
	to.hi = uint32(len(p.insts))
	return -1, ""
}

// leaveOut compiles what a rule leaves as it is. It returns what compile does.
func (r *rule) leaveOut(from *Rule) (int, string) {
	for i, pattern := range from.Except {
		if _, err := regexp.Compile(pattern); err != nil {
			return i, fmt.Sprintf("it is not a regular expression: %v", err)
		}
		if slices.Contains(from.Patterns, pattern) {
			return i, "it takes out all that one of the patterns finds: remove one of the two"
		}
	}
	if len(from.Except) == 0 {
		return -1, ""
	}
	all, err := regexp.Compile(`\A(?:(?:` + strings.Join(from.Except, ")|(?:") + `))\z`)
	if err != nil {
		return -1, "what is left out is too large together: use fewer or shorter patterns"
	}
	r.except = all
	return -1, ""
}

// hasGroup reports whether a template may refer to a group of re by name.
func hasGroup(re *regexp.Regexp, name string) bool {
	digits := strings.TrimLeft(name, "0123456789") == ""
	if !digits || len(name) > 1 && name[0] == '0' || len(name) > 8 {
		return slices.Contains(re.SubexpNames(), name)
	}
	n := 0
	for _, d := range name {
		n = 10*n + int(d-'0')
	}
	return n <= re.NumSubexp()
}

// references lists the groups that a template uses, as regexp.Expand reads it.
func references(template string) (names []string, bad string) {
	for {
		_, rest, found := strings.Cut(template, "$")
		if !found {
			return names, ""
		}
		if rest != "" && rest[0] == '$' {
			template = rest[1:]
			continue
		}
		after, braced := strings.CutPrefix(rest, "{")
		end := 0
		for end < len(after) {
			r, width := utf8.DecodeRuneInString(after[end:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
				break
			}
			end += width
		}
		closed := !braced || strings.HasPrefix(after[end:], "}")
		switch {
		case end > 0 && closed:
			names = append(names, after[:end])
		case braced:
			return nil, "the replacement has a ${ that names no group: write ${name}, $$ for a dollar sign, or set Literal"
		}
		template = after[end:]
	}
}
