package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

var wgetTakes = valued(`O output-document P directory-prefix i input-file o output-file a append-output e execute post-data post-file
	body-data body-file method header U user-agent user password http-user http-password t tries T timeout w wait Q quota l level
	A accept R reject D domains X exclude-directories I include-directories B base referer load-cookies save-cookies proxy-user
	ca-certificate certificate private-key limit-rate use-askpass cut-dirs default-page bind-address waitretry dns-timeout connect-timeout
	read-timeout restrict-file-names progress compression secure-protocol rejected-log config exclude-domains accept-regex reject-regex`)

func wget(a *act) {
	l := cutLine(a.Args, wgetTakes, shortens)
	urls := l.operands
	for _, list := range l.values("i", "input-file") {
		if list == "-" && a.in.known {
			urls = append(slices.Clip(urls), strings.Fields(a.in.text)...)
			continue
		}
		a.reads(list)
		a.doubt(Source)
	}
	if a.More && len(urls) == 0 {
		urls = []string{"*"}
	}
	urls = a.few(urls)
	if program := l.value("use-askpass"); program != "" {
		a.script(program)
	}
	for _, setting := range l.values("e", "execute") {
		if name, value, _ := strings.Cut(setting, "="); strings.TrimSpace(strings.ReplaceAll(name, "-", "_")) == "use_askpass" {
			a.script(value)
		}
	}
	a.writes(l.values("o", "output-file", "a", "append-output", "save-cookies")...)
	files := append(l.values("post-file", "body-file"), a.wgetSettings(&l)...)
	method := strings.ToUpper(l.value("method"))
	sending := len(files) > 0 || l.has("post-data", "body-data") || method != "" && method != "GET" && method != "HEAD"
	said := headersOf(l.values("header", "U", "user-agent", "referer", "user", "password", "http-user", "http-password"))
	for _, url := range urls {
		url = webAddress(url)
		if method == "DELETE" {
			a.apiDelete(url)
		}
		a.asks(url, sending || said.tell(hostOf(url)), files...)
		switch to := l.value("O", "output-document"); {
		case l.has("spider"):
		case to != "":
			a.saves(to, url)
		case l.has("r", "recursive", "m", "mirror"):
			a.saves(path.Join(l.value("P", "directory-prefix"), hostOf(url)), url)
		default:
			a.saves(path.Join(l.value("P", "directory-prefix"), lastName(url)), url)
		}
	}
}

// asks notes that an address is asked for something: a Send if it is told
// something by that, a Fetch otherwise.
func (a *act) asks(url string, sending bool, files ...string) {
	if sending || showsSecret(url, hostOf(url)) || len(files) > 0 || len(a.contents(url)) > 0 || substitutes(url) || len(secretVariables(url)) > 0 {
		a.sendsTo(url, files...)
		return
	}
	a.does(effect.Fetch, url)
}

var httpieTakes = valued("o output a auth A auth-type session session-read-only proxy timeout verify cert cert-key p print s style pretty raw boundary max-redirects default-scheme path-as-is check-status format-options ssl ciphers body-from bearer")

// httpie reads http METHOD URL ITEM...
func httpie(a *act) {
	l := a.line(httpieTakes)
	words := l.operands
	sending := a.in.piped || l.has("raw")
	deletes := len(words) > 1 && strings.EqualFold(words[0], "delete")
	if len(words) > 0 {
		switch method := words[0]; method {
		case "GET", "HEAD", "OPTIONS":
			words = words[1:]
		case "get", "head", "options", "post", "put", "patch", "delete", "POST", "PUT", "PATCH", "DELETE":
			sending = sending || !strings.EqualFold(method, "get") && !strings.EqualFold(method, "head") && !strings.EqualFold(method, "options")
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return
	}
	url := words[0]
	if strings.HasPrefix(url, ":") {
		url = "localhost" + url
	}
	var files []string
	for _, item := range words[1:] {
		switch i := strings.IndexAny(item, "=:@"); {
		case i < 0:
		case item[i] == '@':
			files = append(files, item[i+1:])
		case item[i] == '=':
			value := item[i+1:]
			if strings.HasPrefix(value, "=") { // a query
				continue
			}
			sending = true
			if strings.HasPrefix(value, "@") {
				files = append(files, value[1:])
			}
		case strings.HasPrefix(item[i:], ":=@"):
			files = append(files, item[i+3:])
		case strings.HasPrefix(item[i:], ":="):
			sending = true
		case strings.HasPrefix(item[i:], ":@"):
			files = append(files, item[i+2:])
		}
	}
	url = webAddress(url)
	if deletes {
		a.apiDelete(url)
	}
	said := headersOf(append(words[1:len(words):len(words)], l.values("a", "auth", "bearer")...))
	a.asks(url, sending || said.tell(hostOf(url)), files...)
	if to := l.value("o", "output"); to != "" {
		a.saves(to, url)
	} else if l.has("d", "download") {
		a.saves(lastName(url), url)
	}
}

var ariaTakes = valued("d dir o out i input-file s split x max-connection-per-server k min-split-size j max-concurrent-downloads l log on-download-complete on-download-start on-download-error on-bt-download-complete header user-agent referer all-proxy conf-path")

func aria(a *act) {
	l := a.line(ariaTakes)
	for i := range l.flags {
		if strings.HasPrefix(l.flags[i].name, "on-") {
			a.script(l.flags[i].value)
		}
	}
	for _, list := range l.values("i", "input-file") {
		a.reads(list)
		a.doubt(Source)
	}
	headers := l.values("header", "user-agent", "referer", "U")
	said := headersOf(headers)
	tells := slices.ContainsFunc(headers, func(h string) bool { return !isCredential(h) && len(secretVariables(h)) > 0 })
	for _, url := range a.few(l.operands) {
		a.asks(url, tells || said.tell(hostOf(url)))
		name := l.value("o", "out")
		if name == "" {
			name = lastName(url)
		}
		a.saves(path.Join(l.value("d", "dir"), name), url)
	}
}

// browser is for programs that show the pages of their operands.
func browser(a *act) {
	l := a.line(valued("cfg accept_charset assume_charset width cookie_file header I o T"))
	posts := a.Has("post_data") || a.Has("get_data") || a.Has("post") // what comes in is sent
	files := a.after("-post")
	for _, url := range a.few(l.operands) {
		if slices.Contains(files, url) {
			continue
		}
		if len(files) > 0 {
			a.sendsTo(webAddress(url), files...)
			continue
		}
		if strings.Contains(url, "://") || strings.Contains(hostOf(url), ".") && !strings.HasPrefix(url, ".") && !strings.HasPrefix(url, "/") && !strings.HasSuffix(url, ".html") {
			if posts && len(a.in.sources) > 0 {
				a.sendsTo(webAddress(url))
				continue
			}
			a.asks(webAddress(url), posts)
		} else {
			a.reads(strings.TrimPrefix(url, "file://"))
		}
	}
}

// downloader is for programs that save what their operands address: videos,
// archives.
func downloader(a *act) {
	l := a.line(valued("o output P paths f format exec a batch-file cookies cookies-from-browser config-location"))
	for _, command := range l.values("exec") {
		a.script(command)
	}
	for _, url := range a.few(l.operands) {
		if strings.Contains(url, "://") {
			a.asks(url, false)
		}
	}
}
