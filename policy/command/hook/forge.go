package hook

import (
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/output"
)

// requested determines what a request to a web server does, by the catalogue's _request.
func requested(a *invocation.Act, method, address string, bodies []string) {
	host, scheme := invocation.HostOf(address), strings.Index(address, "://")
	_, where, _ := strings.Cut(address[max(scheme+3, 0):], "/")
	where, _, _ = strings.Cut(where, "?")
	args := make([]string, 0, len(bodies)+4)
	for _, body := range bodies {
		args = append(args, "--body="+body)
	}
	a.Part("_request", append(args, "--", method, strings.TrimSuffix(host+"/"+strings.Trim(where, "/"), "/"), address)...)
}

// ghAPI asks the interface of GitHub, or of GitLab.
func ghAPI(a *invocation.Act, in *command.Reading) {
	where := strings.TrimPrefix(in.Value("endpoint"), "/")
	fields := append(in.Values("raw"), in.Values("field")...)
	method := strings.ToUpper(in.Value("method"))
	if method == "" && len(fields)+len(in.Values("input")) > 0 {
		method = "POST"
	}
	where = strings.TrimPrefix(where, "https://api.github.com/")
	address := forgeAddress(in.Name, in.Value("hostname"), where)
	if in.Name == "glab" && method == "DELETE" {
		requested(a, method, "https://glab/"+where, fields)
		return
	}
	requested(a, method, "https://api.github.com/"+where, append(fields, in.Values("input")...))
	switch method {
	case "DELETE":
		return
	case "PUT":
		if _, file, ok := strings.Cut(where, "/contents/"); ok {
			restWrites(a, file, fields)
		}
	case "PATCH", "POST":
	default:
		a.Asks(address, false)
		return
	}
	if where == "graphql" && !strings.Contains(strings.ToLower(strings.Join(fields, " ")), "mutation") {
		a.Asks(address, false)
		return
	}
	var files []string
	for _, f := range in.Values("field") {
		if _, value, _ := strings.Cut(f, "="); strings.HasPrefix(value, "@") {
			files = append(files, value[1:])
		}
	}
	a.SendsTo(address, append(files, in.Values("input")...)...)
}

// forgeAddress is what the interface of a forge is asked for: there, or on a host of one's
// own, or at a whole address.
func forgeAddress(program, host, where string) string {
	switch {
	case strings.Contains(where, "://"):
		return where
	case program == "glab" && host == "":
		return "https://gitlab.com/api/v4/" + where
	case program == "glab":
		return "https://" + host + "/api/v4/" + where
	case host == "" || host == "github.com":
		return "https://api.github.com/" + where
	default:
		return "https://" + host + "/api/v3/" + where
	}
}

// restWrites notes a file that is written in a repository, with what is put there.
func restWrites(a *invocation.Act, file string, fields []string) {
	e := effect.Effect{Verb: effect.Write, Object: file, Remote: true}
	for _, f := range fields {
		if encoded, ok := strings.CutPrefix(f, "content="); ok {
			if text, ok := output.Unbase64(encoded); ok && len(text) <= invocation.MostKnown {
				e.Content = text
			}
		}
	}
	a.Add(e)
}
