package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// heroku's commands are thing:what.
func heroku(a *act) {
	l := cutLine(a.Args, valued("a app r remote c command confirm t team"), gnu)
	thing, what, _ := strings.Cut(l.operand(0), ":")
	about := strings.TrimSpace(thing + " " + strings.Join(append(l.from(1), l.values("a", "app")...), " "))
	switch {
	case thing == "run" || what == "run" && thing == "console":
		a.remotely(quoted(l.from(1)))
	case l.operand(0) == "pg:reset":
		a.add(effect.Effect{Verb: effect.Drop, Object: "database", Wide: true})
	case l.operand(0) == "pg:psql", l.operand(0) == "psql":
		if text := l.value("c", "command"); text != "" {
			a.sql(text, standardSQL)
		} else {
			a.sqlInput(standardSQL)
		}
	case what == "destroy", what == "delete", thing == "destroy", what == "remove" && thing != "access", what == "clear":
		a.destroys(about, thing != "domains" && thing != "labs" && thing != "certs")
	case (l.operand(0) == "ps:scale" || l.operand(0) == "scale") && strings.HasSuffix(strings.Join(l.operands, " "), "=0"), l.operand(0) == "ps:stop", l.operand(0) == "maintenance:on":
		a.halts(about)
	}
}

// vercel, netlify and the like publish sites.
func vercel(a *act) {
	l := a.line(valued("A local-config Q global-config t token scope S cwd d dir s site m message a alias e env b build-env auth"))
	if l.has("help", "version") || l.exact("h", "v") && len(l.operands) == 0 {
		return
	}
	about := strings.Join(l.from(1), " ")
	switch sub := l.operand(0); sub {
	case "rm", "remove", "sites:delete", "teardown", "project", "projects", "domains", "blobs:delete", "env:unset", "env", "alias-rm", "teams", "dns", "certs", "blob":
		if sub == "project" || sub == "projects" || sub == "domains" || sub == "env" || sub == "teams" || sub == "dns" || sub == "certs" || sub == "blob" {
			if l.operand(1) != "rm" && l.operand(1) != "remove" {
				return
			}
		}
		a.destroys("site "+about, sub != "domains" && sub != "env:unset" && sub != "blobs:delete" && sub != "certs")
	case "deploy", "":
		if a.Name == "vercel" || a.Name == "vc" || sub == "deploy" || a.Name == "surge" {
			if l.has("prod", "p") || a.Name == "surge" {
				a.publishes("site " + about)
			} else {
				a.applies("site " + about)
			}
		}
	case "promote", "rollback", "alias":
		a.applies("site " + about)
	default:
		if a.Name == "surge" {
			a.publishes("site " + sub)
		}
	}
}

func wrangler(a *act) {
	l := a.line(valued("c config e env name command file binding namespace-id project-name path database"))
	if l.has("dry-run", "help") {
		return
	}
	words := l.operands
	topic, sub := l.operand(0), l.operand(1)
	switch {
	case topic == "deploy", topic == "publish", topic == "pages" && (sub == "deploy" || sub == "publish"), topic == "versions" && sub == "deploy":
		a.publishes(strings.TrimSpace("worker " + l.value("name", "project-name")))
	case topic == "d1" && sub == "execute":
		if text := l.value("command"); text != "" {
			a.sqlIn(text, standardSQL, l.has("local") && !l.has("remote"))
		} else if file := l.value("file"); file != "" {
			a.sqlFile(file, standardSQL)
		}
	case topic == "d1" && sub == "delete":
		a.add(effect.Effect{Verb: effect.Drop, Object: "database " + l.operand(2), Wide: true})
	case topic == "secret" && sub == "put":
		a.sendsTo("cloudflare.com")
	default:
		for i, word := range words {
			if word == "delete" {
				a.destroys(strings.Join(words, " "), i == 0 || words[i-1] != "object" && words[i-1] != "key")
				return
			}
		}
	}
}

func firebase(a *act) {
	l := a.line(valued("P project only except account token m message"))
	switch sub := l.operand(0); sub {
	case "firestore:delete":
		a.add(effect.Effect{Verb: effect.Drop, Object: strings.TrimSpace("documents " + l.operand(1)), Wide: l.has("all-collections", "r", "recursive")})
	case "database:remove":
		a.add(effect.Effect{Verb: effect.Drop, Object: "data at " + l.operand(1), Wide: true})
	case "database:set":
		a.add(effect.Effect{Verb: effect.Drop, Object: "data at " + l.operand(1), Wide: false})
	case "projects:delete", "apps:delete", "functions:secrets:destroy", "firestore:databases:delete", "hosting:sites:delete", "apphosting:backends:delete":
		a.destroys(sub+" "+l.operand(1), true)
	case "functions:delete", "hosting:disable", "hosting:channel:delete":
		a.destroys(sub+" "+l.operand(1), false)
	case "deploy", "hosting:channel:deploy":
		a.publishes(strings.TrimSpace("site " + l.value("P", "project")))
	case "auth:export":
		a.does(effect.Reveal, "users")
		a.writes(l.operand(1))
	}
}
