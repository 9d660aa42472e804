package hook

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-project/sluice/policy/command"
	"github.com/sluice-project/sluice/policy/command/hook/fileops"
	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/follow"
	"github.com/sluice-project/sluice/policy/invocation"
)

// request is what a client of web servers is told to ask for. Descriptions give it by
// these roles:
//
//	url, list        addresses, and files of them
//	method           GET and the like
//	text             what is sent, as it is
//	body             that, or @file
//	encoded          that, name=text or name@file
//	form             name=text, name=@file or name=<file
//	item             as httpie has them: name=text, name:header, name@file
//	file, upload     files that are sent, to all addresses or to one each
//	header, cookie   what is said beside that, as are agent and login
//	output, output-dir, remote-name   where the answer is written
//	proxy, connect-to  machines that it goes through
type request struct {
	*invocation.Act

	in *command.Reading
	// sending: there is something to tell.
	sending bool
	files   []string
	uploads []string
	said    headers
	// variables are those with secrets that are told whoever is asked.
	variables []string
}

// requests asks web servers. fed: its input is sent; saves: the answer is written to
// the file that the address names, unless it is told another.
func requests(fed, saves bool) func(a *invocation.Act, in *command.Reading) {
	return func(a *invocation.Act, in *command.Reading) {
		q := &request{Act: a, in: withConfigs(a, in), sending: fed && a.In.Piped}
		q.reads()
		a.Body = q.body()
		urls := q.urls()
		for i, url := range urls {
			if file, local := strings.CutPrefix(url, "file://"); local {
				follow.ReadsFiles(a, file)
				q.saves(i, len(urls), a.Path(file), false)
				continue
			}
			url = webAddress(url)
			requested(a, strings.ToUpper(q.method()), url, append(q.values("body"), q.values("text")...))
			q.asks(i, len(urls), url)
			q.saves(i, len(urls), url, saves)
		}
		q.goesThrough(urls)
	}
}

// urls are the addresses that are asked.
func (q *request) urls() []string {
	urls := q.values("url")
	for _, list := range q.in.Values("list") {
		if list == "-" && q.In.Known {
			urls = append(urls, strings.Fields(q.In.Text)...)
			continue
		}
		follow.ReadsFiles(q.Act, list)
		q.Doubt(invocation.Source)
	}
	if q.More && len(urls) == 0 {
		urls = []string{"*"}
	}
	for i, url := range urls {
		if strings.HasPrefix(url, ":") { // httpie's own machine
			urls[i] = "localhost" + url
		}
	}
	return follow.Few(q.Act, urls)
}

// reads takes in what is sent.
func (q *request) reads() {
	q.files = append(q.in.Values("file"), follow.WgetSettings(q.Act, q.in.Values("config-file"))...)
	said := slices.Concat(q.values("header"), q.in.Values("agent"), q.in.Values("cookie"))
	for _, role := range [...]string{"text", "body", "encoded", "form", "item"} {
		for _, value := range q.values(role) {
			file, sent := sentIn(role, value)
			q.files = append(q.files, file...)
			q.sending = q.sending || sent
			if !invocation.IsCredential(value) {
				q.variables = invocation.Merge(q.variables, invocation.SecretVariables(value))
			}
			if role == "item" {
				said = append(said, value)
			}
		}
	}
	for _, header := range q.in.Values("header") {
		if file, ok := strings.CutPrefix(header, "@"); ok {
			q.files = append(q.files, file)
		}
	}
	for _, cookies := range q.in.Values("cookie") {
		if !strings.Contains(cookies, "=") {
			follow.ReadsFiles(q.Act, cookies)
		}
	}
	if file, ok := strings.CutPrefix(q.in.Value("format"), "@"); ok {
		follow.ReadsFiles(q.Act, file)
	}
	for _, value := range q.in.Values("variable") {
		if at := strings.IndexByte(value, '@'); at >= 0 && !strings.Contains(value[:at], "=") {
			q.files = append(q.files, value[at+1:])
		}
	}
	for _, file := range q.values("upload") {
		if file == "." {
			file = "-"
		}
		q.uploads = append(q.uploads, strings.Trim(file, "{}"))
	}
	switch strings.ToUpper(q.method()) {
	case "", "GET", "HEAD", "OPTIONS":
	default:
		q.sending = true
	}
	q.sending = q.sending || len(q.files) > 0 || slices.ContainsFunc(said, func(h string) bool {
		return !invocation.IsCredential(h) && (len(invocation.SecretVariables(h)) > 0 || invocation.Substitutes(h))
	})
	q.said = headersOf(slices.Concat(said, q.in.Values("login"), q.in.Values("encoded")))
	for _, value := range q.in.Values("options") {
		if !invocation.IsCredential(value) {
			q.variables = invocation.Merge(q.variables, invocation.SecretVariables(value))
		}
	}
	q.states()
}

// body is what is sent that stands in the words, empty if that is not all of it, or is not
// known as a whole.
func (q *request) body() string {
	if len(q.files)+len(q.uploads) > 0 || q.Guess {
		return ""
	}
	var parts []string
	for _, role := range [...]string{"text", "body", "encoded", "form"} {
		parts = append(parts, q.values(role)...)
	}
	sign := "&"
	if slices.ContainsFunc(parts, func(s string) bool { return strings.HasPrefix(s, "{") }) { // --json once more
		sign = ""
	}
	body := strings.Join(parts, sign) + itemsBody(q.values("item"), q.in.Has("form"))
	if invocation.Unknown(body) || len(body) > invocation.MostKnown {
		return ""
	}
	return body
}

// itemsBody is the body that httpie makes of its fields: an object in JSON, or a form.
func itemsBody(items []string, form bool) string {
	var fields []string
	for _, item := range items {
		at := strings.IndexAny(item, "=:@")
		if at < 0 || item[at] != '=' && !strings.HasPrefix(item[at:], ":=") || strings.HasPrefix(item[at:], "==") {
			continue
		}
		name, value := item[:at], item[at+1:]
		switch raw, isRaw := strings.CutPrefix(value, "="); {
		case form:
			fields = append(fields, name+"="+strings.TrimPrefix(value, "="))
		case item[at] == ':' && isRaw:
			fields = append(fields, strconv.Quote(name)+": "+raw)
		default:
			fields = append(fields, strconv.Quote(name)+": "+strconv.Quote(value))
		}
	}
	switch {
	case len(fields) == 0:
		return ""
	case form:
		return strings.Join(fields, "&")
	default:
		return "{" + strings.Join(fields, ", ") + "}"
	}
}

// sentIn is what a value of a role sends: files, and whether it is text at all.
func sentIn(role, value string) (files []string, sent bool) {
	switch role {
	case "text":
		return nil, true
	case "body":
		if file, ok := strings.CutPrefix(value, "@"); ok {
			return []string{file}, true
		}
		return nil, true
	case "encoded":
		if at := strings.IndexByte(value, '@'); at >= 0 && !strings.Contains(value[:at], "=") {
			return []string{value[at+1:]}, true
		}
		return nil, true
	case "form":
		return formFiles(value), true
	}
	at := strings.IndexAny(value, "=:@")
	if at < 0 {
		return nil, false
	}
	switch rest := value[at:]; {
	case strings.HasPrefix(rest, "=="): // a query
		return nil, false
	case strings.HasPrefix(rest, ":=@"), strings.HasPrefix(rest, "=@"), strings.HasPrefix(rest, ":@"):
		return []string{rest[strings.IndexByte(rest, '@')+1:]}, true
	case rest[0] == '@':
		file, _, _ := strings.Cut(rest[1:], ";")
		return []string{file}, true
	default:
		return nil, rest[0] == '=' || strings.HasPrefix(rest, ":=")
	}
}

// formFiles are the files of a form's field: name=@a,b;type=x or name=<a.
func formFiles(field string) []string {
	_, value, _ := strings.Cut(field, "=")
	if value == "" || value[0] != '@' && value[0] != '<' {
		return nil
	}
	value, _, _ = strings.Cut(value[1:], ";")
	return strings.Split(strings.Trim(value, `"`), ",")
}

// method is that of an option, or the first word.
func (q *request) method() string {
	if method := strings.TrimSpace(q.in.Value("method")); method != "" {
		return method
	}
	return q.in.Value("command")
}

// asks notes that an address is asked for something: a Send if it is told something by
// that, a Fetch otherwise.
func (q *request) asks(i, of int, url string) {
	host := invocation.HostOf(url)
	told := invocation.Merge(q.Contents(url), invocation.SecretVariables(url))
	uploads := each(q.uploads, i, of)
	files := append(slices.Clip(q.files), uploads...)
	if !q.sending && len(uploads) == 0 && len(told) == 0 && !invocation.Substitutes(url) && !q.said.tell(host) && !invocation.ShowsSecret(url, host) {
		q.Does(effect.Fetch, url)
		return
	}
	q.Gives(url, q.WithFiles(invocation.Merge(invocation.Merge(told, q.variables), strangeVariables(q.said.text, host)), files))
}

// each are the files of one of several addresses: its own, or all where it is not known
// which is whose.
func each(files []string, i, of int) []string {
	if len(files) == of {
		return files[i : i+1]
	}
	return files
}

// saves notes where an answer is written.
func (q *request) saves(i, of int, from string, always bool) {
	dir, files := q.in.Value("output-dir"), each(q.values("output"), i, of)
	switch {
	case q.in.Has("spider"):
	case len(files) > 0:
		for _, file := range files {
			fileops.Saves(q.Act, path.Join(dir, file), from)
		}
	case always && q.in.Has("recursive"):
		fileops.Saves(q.Act, path.Join(dir, invocation.HostOf(from)), from)
	case always, q.in.Has("remote-name"):
		fileops.Saves(q.Act, path.Join(dir, fileops.LastName(from)), from)
	}
}

// goesThrough notes the machines between, and the secrets in the headers that they can
// read: the request is not encrypted, or nobody looks by whom it is.
func (q *request) goesThrough(urls []string) {
	open := q.in.Has("insecure") || slices.ContainsFunc(urls, func(u string) bool { return strings.HasPrefix(webAddress(u), "http://") })
	via := func(host string) {
		if invocation.IsOutside(host) && open && len(invocation.SecretVariables(q.said.text)) > 0 {
			q.Add(effect.Effect{Verb: effect.Send, Object: host, From: invocation.Environment})
		}
	}
	proxies := q.in.Values("proxy")
	for _, setting := range q.in.Values("setting") { // wget -e https_proxy=address
		if name, _, ok := strings.Cut(setting, "="); ok && strings.HasSuffix(strings.ToLower(strings.TrimSpace(name)), "_proxy") {
			proxies = append(slices.Clip(proxies), setting)
		}
	}
	for _, proxy := range proxies {
		if proxy = proxy[strings.LastIndexByte(proxy, '=')+1:]; proxy == "" || len(urls) == 0 { // http_proxy=address, http:address
			continue
		}
		q.Does(effect.Connect, invocation.HostOf(proxy))
		via(invocation.HostOf(proxy))
	}
	for _, said := range q.in.Values("connect-to") { // host:port:ADDRESS, or host:port:HOST:port
		_, rest, _ := strings.Cut(said, ":")
		_, rest, _ = strings.Cut(rest, ":")
		host, _, _ := strings.Cut(rest, ",")
		via(invocation.HostOf(strings.TrimSpace(host)))
	}
}

// states notes what a request does to the service of this machine that starts
// containers.
func (q *request) states() {
	if strings.HasSuffix(q.in.Value("socket"), "docker.sock") && (q.sending || q.method() != "") && !strings.EqualFold(q.method(), "GET") {
		q.Does(effect.Grant, "host")
	}
}

// browses is for programs that show pages, of servers or of this machine.
func browses(a *invocation.Act, in *command.Reading) {
	posts := in.Has("post_data") || in.Has("get_data") // what comes in is sent
	files := in.Values("file")
	for _, page := range follow.Few(a, in.Values("page")) {
		isAddress := strings.Contains(page, "://") && !strings.HasPrefix(page, "file:") || strings.Contains(invocation.HostOf(page), ".") && !strings.HasPrefix(page, ".") && !strings.HasPrefix(page, "/") && !strings.HasSuffix(page, ".html")
		if !isAddress && len(files) == 0 {
			follow.ReadsFiles(a, strings.TrimPrefix(page, "file://"))
			a.MayFetch(page)
			continue
		}
		a.Asks(webAddress(page), posts, files...)
	}
}

// webAddress is an address as a browser would complete it.
func webAddress(address string) string {
	if strings.Contains(address, "://") || strings.HasPrefix(address, "$") {
		return address
	}
	return "http://" + strings.TrimPrefix(address, "//")
}
