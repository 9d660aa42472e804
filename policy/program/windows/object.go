package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// scripted is what the objects for scripts of Windows do with files.
func (r *reader) scripted(v value, name string, args []value) value {
	first, second := argument(args, 0), argument(args, 1)
	switch name {
	case "opentextfile":
		if second.text == "" || second.text == "1" {
			return r.reads(first)
		}
		r.writes(first, value{text: "$contents"})
	case "createtextfile":
		r.writes(first, value{text: "$contents"})
	case "createshortcut":
		r.startup(first.text)
	case "copyfile", "copyfolder":
		r.writes(second, r.reads(first))
	case "movefile", "movefolder":
		r.deletes(name == "movefolder", first)
		r.writes(second, value{sources: []string{r.path(first.text)}})
	}
	out := value{text: "$" + name}
	out.taint(v)
	return out
}

// folder is the directory of a name that .NET gives it.
func folder(name string) string {
	switch strings.ToLower(name) {
	case "desktop", "desktopdirectory":
		return "~/Desktop"
	case "mydocuments", "personal", "documents":
		return "~/Documents"
	case "mypictures":
		return "~/Pictures"
	case "applicationdata":
		return "~/AppData/Roaming"
	case "localapplicationdata":
		return "~/AppData/Local"
	case "startup":
		return "~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup"
	case "programfiles":
		return "C:/Program Files"
	case "commonapplicationdata":
		return "C:/ProgramData"
	case "system":
		return "C:/Windows/System32"
	case "windows":
		return "C:/Windows"
	}
	return "~"
}

// setMember notes what it means that a member of an object is set.
func (r *reader) setMember(member, v value) {
	if member.text == "$commandtext" {
		r.query(v)
	}
}

// query gives a text of SQL to those who know it.
func (r *reader) query(v value) {
	for _, text := range v.paths() {
		r.other([]value{literal("sqlcmd"), literal("-Q"), literal(text)}, value{})
	}
}

// removesInstance notes that an object of the machine's own database is deleted.
func (r *reader) removesInstance(class string) {
	switch {
	case strings.Contains(class, "shadow"):
		r.add(effect.Effect{Verb: effect.Destroy, Object: "shadow copies", Wide: true})
	case strings.Contains(class, "userprofile"):
		r.add(effect.Effect{Verb: effect.Delete, Object: "C:/Users", Wide: true})
	case strings.Contains(class, "service"):
		r.does(effect.Stop, class)
	}
}

// instances is Get-WmiObject and Get-CimInstance.
func instances(_ *reader, c *call) value {
	class := c.param(0, "classname", "class", "query")
	return value{text: "$instance", object: "wmi " + strings.ToLower(class.text)}
}

func removesInstances(r *reader, c *call) value {
	class := strings.TrimPrefix(c.in.object, "wmi ")
	if q, ok := c.get("query", "classname", "class", "inputobject"); ok {
		class = strings.ToLower(q.text) + strings.TrimPrefix(q.object, "wmi ")
	}
	r.removesInstance(class)
	return value{}
}

// makesInstance is New-CimInstance and Set-WmiInstance: what is kept among the
// subscriptions runs by itself.
func makesInstance(r *reader, c *call) value {
	space, _ := c.get("namespace")
	class := strings.ToLower(c.param(0, "classname", "class", "path").text)
	if strings.Contains(strings.ToLower(space.text), "subscription") || strings.Contains(class, "eventconsumer") || strings.Contains(class, "__eventfilter") || strings.Contains(class, "tobinding") {
		r.does(effect.Persist, "event")
	}
	return value{}
}
