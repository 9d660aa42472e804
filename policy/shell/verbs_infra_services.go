package shell

import (
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// ending is a way to call a program that destroys: words in a row, and flags that
// must be there.
type ending struct {
	words, flags []string
	first        bool // nothing stands before the words
	narrow       bool // one of many: it matters where its name says so
}

// serviceEndings are programs that other tables know, too, with the words by which
// each destroys what others use. The catalogue has the rest. Ways are separated
// by commas; "+x" is a flag, "a|b" either word, "^" says that nothing stands
// before, and "~" that what goes is small.
var serviceEndings = map[string]string{
	"symfony":    "cloud:environment:delete, cloud:project:delete, cloud:environment:deactivate, environment:delete, project:delete",
	"func":       "kubernetes delete, azure functionapp delete",
	"occ":        "user:delete, trashbin:cleanup +all-users",
	"magento":    "setup:uninstall, ~module:uninstall",
	"wp":         "site delete, site empty",
	"drush":      "entity:delete",
	"bench":      "drop-site",
	"snow":       "object drop, stage remove, app teardown",
	"airflow":    "db reset, dags delete",
	"celery":     "purge",
	"rq":         "^empty +all, ^~empty",
	"temporal":   "operator namespace delete, namespace delete, workflow terminate +query, workflow delete +query, workflow delete +q, workflow terminate +q",
	"solr":       "^delete",
	"swift":      "^delete",
	"machinectl": "^remove, ^clean +all",
	"cmk":        "^destroy, ^expunge, ^delete",
	"java":       "jenkins-cli.jar delete-job|delete-node|delete-view|delete-builds|delete-credentials|safe-shutdown",
	"tea":        "organization delete, organizations delete",
	"fj":         "repo delete",
	"pod":        "trunk delete, trunk deprecate, trunk remove-owner",
	"nuget":      "^delete",
	"dotnet":     "nuget delete",
	"mix":        "hex.retire, hex.publish +revert, hex.package remove",
}

// ownerEndings are the programs of registries, with the words by which somebody
// else may publish there what others install.
var ownerEndings = map[string]string{
	"gem":           "^owner +a, ^owner +add",
	"pod":           "trunk add-owner",
	"mix":           "hex.owner add|transfer, hex.organization add",
	"pnpm":          "^owner add",
	"yarn":          "npm owner add, ^owner add",
	"grafana-cli":   "admin reset-admin-password",
	"rabbitmqadmin": "declare permission",
	"ovsx":          "create-namespace",
}

// serviceVerbs are those programs, beside what else they do.
var serviceVerbs = func() map[string]verb {
	table := map[string]verb{}
	for name, ways := range serviceEndings {
		if list := waysOf(ways); len(list) > 0 {
			table[name] = endsService(list)
		}
	}
	for name, ways := range ownerEndings {
		if list := waysOf(ways); len(list) > 0 {
			table[name] = opensService(list, table[name])
		}
	}
	return table
}()

// waysOf reads the ways of a program.
func waysOf(ways string) []ending {
	var list []ending
	for way := range strings.SplitSeq(ways, ",") {
		var e ending
		for word := range strings.FieldsSeq(way) {
			for word != "" && (word[0] == '^' || word[0] == '~') {
				e.first, e.narrow = e.first || word[0] == '^', e.narrow || word[0] == '~'
				word = word[1:]
			}
			switch {
			case strings.HasPrefix(word, "+"):
				e.flags = append(e.flags, word[1:])
			case word != "":
				e.words = append(e.words, word)
			}
		}
		if len(e.words)+len(e.flags) > 0 || e.first {
			list = append(list, e)
		}
	}
	return list
}

// serviceTakes are flags with a value that may stand before the words.
var serviceTakes = valued("A app-config H host U user P password s server url profile context org project p")

// at is where the words of a way stand, less than none if they do not.
func (e *ending) at(l *line) int {
	for _, flag := range e.flags {
		if !l.has(flag) {
			return -1
		}
	}
	for i := 0; i+len(e.words) <= len(l.operands) && (i == 0 || !e.first); i++ {
		if e.matches(l.operands[i:]) {
			return i
		}
	}
	return -1
}

func (e *ending) matches(words []string) bool {
	for i, want := range e.words {
		if words[i] == want {
			continue
		}
		if !strings.Contains(want, "|") || !slices.Contains(strings.Split(want, "|"), words[i]) {
			return false
		}
	}
	return true
}

// way is the first of the ways that a call goes, nil if it goes none.
func (a *act) way(list []ending) (*ending, *line) {
	l := cutLine(a.Args, serviceTakes, gnu)
	if l.exact("help", "dry-run", "dryrun") || lastOf(a.Args) == "-h" {
		return nil, nil
	}
	for i := range list {
		if list[i].at(&l) >= 0 {
			return &list[i], &l
		}
	}
	return nil, nil
}

func endsService(list []ending) verb {
	return func(a *act) {
		if e, l := a.way(list); e != nil {
			a.destroys(a.Name+" "+strings.Join(append(slices.Clone(l.operands), l.given()...), " "), !e.narrow)
		}
	}
}

func opensService(list []ending, others verb) verb {
	return func(a *act) {
		if others != nil {
			others(a)
		}
		if e, l := a.way(list); e != nil {
			a.does(effect.Grant, a.Name+" "+strings.Join(l.operands, " "))
		}
	}
}

// given are the values of the flags.
func (l *line) given() []string {
	var list []string
	for i := range l.flags {
		if l.flags[i].value != "" {
			list = append(list, l.flags[i].value)
		}
	}
	return list
}
