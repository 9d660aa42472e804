package connect

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// noProxy are the variables that list the hosts for which no proxy is used.
// Clients differ in which of the two they prefer.
var noProxy = []string{"NO_PROXY", "no_proxy"}

// noProxy returns the user's list under one of the two names, or under the other
// one when that name has none.
func (e *environ) noProxy(name string) string {
	return e.first(append([]string{name}, noProxy...)...)
}

// spareProxy exempts the gateway from HTTP proxies: a proxy cannot reach this
// machine's loopback, and would see the traffic. It does so even if the user has
// no proxy: files that the client reads later may name one, and the environment
// takes precedence over those.
func (p *preparation) spareProxy() {
	if !p.local() {
		return // a gateway elsewhere may well be behind the proxy
	}
	for _, name := range noProxy {
		if list := p.spared(p.env.noProxy(name)); list != p.env.get(name) {
			p.env.set(name, list)
		}
	}
}

// host is the gateway's, without its port.
func (p *preparation) host() string {
	u, err := url.Parse(p.base)
	if err != nil {
		return "" // it was a URL when the preparation began
	}
	return u.Hostname()
}

// local reports whether the gateway is on this machine.
func (p *preparation) local() bool {
	ip := net.ParseIP(p.host())
	return strings.EqualFold(p.host(), "localhost") || ip != nil && ip.IsLoopback()
}

// spared adds the gateway's names to a list of hosts without a proxy.
func (p *preparation) spared(list string) string {
	if strings.TrimSpace(list) == "*" {
		return list // all hosts; it means that only on its own
	}
	for _, host := range []string{p.host(), "127.0.0.1", "localhost"} {
		hosts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
		if !slices.Contains(hosts, host) {
			list = strings.TrimPrefix(strings.TrimRight(list, ", ")+","+host, ",")
		}
	}
	return list
}
