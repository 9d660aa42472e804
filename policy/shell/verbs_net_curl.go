package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var curlTakes = expandable(valued(`d data data-ascii data-binary data-raw data-urlencode json F form form-string T upload-file X request
	H header o output output-dir K config url x proxy preproxy socks4 socks4a socks5 socks5-hostname proxy-user U u user A user-agent e referer
	b cookie c cookie-jar D dump-header m max-time connect-timeout retry retry-delay retry-max-time w write-out E cert key cacert capath
	cert-type key-type pass r range C continue-at resolve connect-to interface unix-socket abstract-unix-socket limit-rate y Y z
	speed-limit speed-time time-cond max-redirs max-filesize proto proto-default proto-redir trace trace-ascii stderr libcurl netrc-file
	noproxy oauth2-bearer aws-sigv4 ciphers tls-max dns-servers doh-url mail-from mail-rcpt mail-auth Q quote t telnet-option
	url-query variable etag-save etag-compare hsts alt-svc create-file-mode parallel-max local-port P ftp-port
	pinnedpubkey keepalive-time rate request-target service-name socks5-gssapi-service ssl-sessions login-options krb engine`))

// curl takes a line apart at each --next: every part has its own data.
func curl(a *act) {
	args := a.Args
	for parts := 0; len(args) > 0; parts++ {
		if parts == mostAddresses {
			a.doubt(Many)
			return
		}
		part := args
		args = nil
		for i, arg := range part {
			if arg == "--next" || arg == "-:" {
				part, args = part[:i], part[i+1:]
				break
			}
		}
		l := cutLine(part, curlTakes, shortens)
		a.curlWhole(&l)
		a.curlPart(&l)
	}
}

func (a *act) curlPart(l *line) {
	a.curlFiles(l)
	urls := append(l.values("url"), l.operands...)
	if a.More && len(urls) == 0 {
		urls = []string{"*"}
	}
	urls = a.few(urls)
	body, files, uploads := a.curlBody(l)
	sending := body || len(files) > 0 || l.has("url-query") || slices.ContainsFunc(l.values("H", "header", "A", "user-agent", "e", "referer", "b", "cookie"), func(h string) bool {
		return !isCredential(h) && (len(secretVariables(h)) > 0 || substitutes(h))
	})
	switch strings.ToUpper(l.value("X", "request")) {
	case "", "GET", "HEAD", "OPTIONS":
	default:
		sending = true
	}
	variables := curlVariables(l)
	said := headersOf(l.values("H", "header", "A", "user-agent", "e", "referer", "b", "cookie", "u", "user", "oauth2-bearer", "url-query"))
	for i, url := range urls {
		if file, local := strings.CutPrefix(url, "file://"); local {
			a.reads(file)
			a.curlSaves(l, i, a.path(file))
			continue
		}
		url = webAddress(url)
		a.curlDeletes(l, url)
		given := files
		if i < len(uploads) {
			given = append(slices.Clip(given), uploads[i])
		}
		host := hostOf(url)
		strange := strangeVariables(said.text, host)
		switch {
		case sending, i < len(uploads), len(a.contents(url)) > 0, substitutes(url), len(secretVariables(url)) > 0, said.tell(host), showsSecret(url, host):
			a.gives(url, a.withFiles(merge(merge(merge(a.contents(url), secretVariables(url)), variables), strange), given))
		default:
			a.does(effect.Fetch, url)
		}
		a.curlSaves(l, i, url)
	}
	if via := l.value("x", "proxy", "preproxy", "socks4", "socks4a", "socks5", "socks5-hostname"); via != "" && len(urls) > 0 {
		a.does(effect.Connect, hostOf(via))
		a.curlVia(l, urls, said.text, hostOf(via))
	}
	for _, to := range l.values("resolve", "connect-to") {
		a.curlVia(l, urls, said.text, curlTarget(to))
	}
}

// curlTarget is the machine that an address is said to be at: host:port:ADDRESS, or
// host:port:HOST:port.
func curlTarget(said string) string {
	_, rest, _ := strings.Cut(said, ":")
	_, rest, _ = strings.Cut(rest, ":")
	host, _, _ := strings.Cut(rest, ",")
	return hostOf(strings.TrimSpace(host))
}

// curlVia notes the secrets in the headers of a request that goes through another
// machine, where that can read them: it is not encrypted, or nobody looks by whom.
func (a *act) curlVia(l *line, urls []string, said, via string) {
	if !isOutside(via) || !l.exact("k") && !l.has("insecure") && !slices.ContainsFunc(urls, func(u string) bool { return strings.HasPrefix(webAddress(u), "http://") }) {
		return
	}
	if from := secretVariables(said); len(from) > 0 {
		a.add(effect.Effect{Verb: effect.Send, Object: via, From: environment})
	}
}

// curlVariables are the secrets in its flags, without those in headers that say
// who asks.
func curlVariables(l *line) []string {
	var found []string
	for i := range l.flags {
		switch value := l.flags[i].value; l.flags[i].name {
		case "u", "user", "oauth2-bearer":
		case "H", "header":
			if !isCredential(value) {
				found = merge(found, secretVariables(value))
			}
		default:
			found = merge(found, secretVariables(value))
		}
	}
	return found
}

// curlBody is what is sent: whether there is text, and the files. Uploads
// belong to one address each.
func (a *act) curlBody(l *line) (body bool, files, uploads []string) {
	for i := range l.flags {
		value := l.flags[i].value
		switch l.flags[i].name {
		case "d", "data", "data-ascii", "data-binary", "json":
			body = true
			if file, ok := strings.CutPrefix(value, "@"); ok {
				files = append(files, file)
			}
		case "data-raw", "form-string":
			body = true
		case "data-urlencode", "url-query":
			body = true
			if at := strings.IndexByte(value, '@'); at >= 0 && !strings.Contains(value[:at], "=") {
				files = append(files, value[at+1:])
			}
		case "F", "form":
			body = true
			files = append(files, formFiles(value)...)
		case "H", "header":
			if file, ok := strings.CutPrefix(value, "@"); ok {
				files = append(files, file)
			}
		case "variable":
			if at := strings.IndexByte(value, '@'); at >= 0 {
				files = append(files, value[at+1:])
			}
		case "T", "upload-file":
			if value == "." {
				value = "-"
			}
			uploads = append(uploads, strings.Trim(value, "{}"))
		}
	}
	return body, files, uploads
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

// curlFiles notes the files that curl itself writes beside what it fetches.
func (a *act) curlFiles(l *line) {
	a.writes(l.values("c", "cookie-jar", "D", "dump-header", "trace", "trace-ascii", "stderr", "libcurl", "etag-save")...)
	for _, cookies := range l.values("b", "cookie") {
		if !strings.Contains(cookies, "=") {
			a.reads(cookies)
		}
	}
	if file, ok := strings.CutPrefix(l.value("w", "write-out"), "@"); ok {
		a.reads(file)
	}
	if socket := l.value("unix-socket"); strings.HasSuffix(socket, "docker.sock") && (l.has("d", "data", "json", "X", "request")) && !strings.EqualFold(l.value("X", "request"), "GET") {
		a.does(effect.Grant, "host")
	}
}

func (a *act) curlSaves(l *line, i int, url string) {
	files := l.values("o", "output")
	switch {
	case i < len(files):
		a.saves(path.Join(l.value("output-dir"), files[i]), url)
	case l.has("O", "remote-name", "remote-name-all"):
		a.saves(path.Join(l.value("output-dir"), lastName(url)), url)
	}
}

// curlDeletes knows the services that take a DELETE without asking back.
func (a *act) curlDeletes(l *line, url string) {
	method := strings.ToUpper(strings.TrimSpace(l.value("X", "request")))
	_, where, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(url, "https://"), "http://"), "/")
	switch {
	case method == "DELETE" && hostOf(url) == "api.github.com":
		a.restDelete(where)
	case method == "DELETE" && strings.Contains(url, ":9200/"):
		index, _, _ := strings.Cut(where, "?")
		if all := index == "" || index == "_all" || strings.ContainsAny(index, "*,$"); !strings.Contains(index, "/_doc/") && (all || !isInside(hostOf(url))) {
			a.data().On(hostOf(url))
			a.add(effect.Effect{Verb: effect.Drop, Object: "index " + index, Wide: true})
		}
	case method == "DELETE":
		a.apiDelete(url)
	case method == "PATCH" && hostOf(url) == "api.github.com":
		a.restPatch(where, strings.Join(l.values("d", "data", "data-raw", "json"), " "))
	case method == "POST" && strings.Contains(where, "_delete_by_query") && strings.Contains(strings.Join(l.values("d", "data", "json"), ""), "match_all"):
		a.data().On(hostOf(url))
		a.add(effect.Effect{Verb: effect.Drop, Object: "documents of " + strings.TrimSuffix(where, "/_delete_by_query"), Wide: true})
	}
}
