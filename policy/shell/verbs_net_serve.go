package shell

import "strings"

var serveTakes = valued("l listen p port a address addr host H bind b d dir directory root r cors C c config S K ssl-cert ssl-key t timeout title u username password auth interfaces i path")

// fileServer is for programs that show a directory to whoever connects.
func fileServer(a *act) {
	l := a.line(serveTakes)
	if l.has("help", "version") {
		return
	}
	words := l.operands
	switch a.Name {
	case "caddy", "twistd", "twist":
		if len(words) == 0 || words[0] != "file-server" && words[0] != "web" {
			return
		}
		words = words[1:]
	case "httpd", "webfsd":
		words = append(l.values("H", "h", "r", "root"), words...)
		if len(words) == 0 {
			return // as a service, with a configuration
		}
	}
	dir := l.value("d", "dir", "directory", "root", "path")
	if dir == "" {
		for _, word := range words {
			if strings.Trim(word, "0123456789") != "" { // no port
				dir = word
				break
			}
		}
	}
	if dir == "" {
		dir = "."
	}
	address := l.value("l", "listen", "a", "address", "addr", "host", "bind", "b", "i", "interfaces")
	if address == "" || strings.Trim(address, "0123456789") == "" {
		address = ":" + strings.TrimPrefix(l.value("p", "port")+address, ":")
	}
	a.serves(address, dir)
}

// logs sends what is logged to another machine, if it is named one.
func logs(a *act) {
	l := a.line(valued("n server f file p priority t tag P port id i S size u socket journald sd-id sd-param"))
	if to := l.value("n", "server"); to != "" {
		a.sendsTo(to, l.values("f", "file")...)
	}
}

// sharedFiles is for programs that give files to a network of others.
func sharedFiles(a *act) {
	l := a.line(valued("api c config name chunker cid-version hash o output p peer t tracker a announce"))
	words := l.operands
	switch a.Name {
	case "ipfs", "kubo":
		if len(words) < 2 || words[0] != "add" && (words[0] != "block" && words[0] != "dag" || words[1] != "put") {
			if len(words) == 1 && words[0] == "add" {
				a.sendsTo(a.Name)
			}
			return
		}
		words = words[1:]
	case "hyp":
		if len(words) == 0 || words[0] != "share" && words[0] != "create" && words[0] != "beam" {
			return
		}
		words = words[1:]
	}
	a.sendsTo(a.Name, words...)
}
