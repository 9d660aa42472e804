package shell

import (
	"slices"
	"strings"
)

// cloudHosts are the interfaces of clouds and hosters: a DELETE there destroys what
// others run, and nobody asks back.
var cloudHosts = []string{
	"api.digitalocean.com", "api.cloudflare.com", "api.hetzner.cloud", "api.linode.com", "api.vultr.com", "api.scaleway.com", "management.azure.com", "graph.microsoft.com", "vault.azure.net",
	"googleapis.com", "amazonaws.com", "core.windows.net", "api.vercel.com", "api.netlify.com", "api.heroku.com", "api.fly.io", "api.machines.dev", "api.render.com", "api.railway.app", "backboard.railway.app",
	"api.supabase.com", "api.planetscale.com", "console.neon.tech", "cloud.mongodb.com", "api.upstash.com", "app.terraform.io", "api.pulumi.com", "api.datadoghq.com", "api.stripe.com", "gitlab.com", "api.bitbucket.org",
	"hub.docker.com", "registry.npmjs.org", "api.equinix.com", "api.ovh.com", "cloud.ibm.com", "oraclecloud.com", "aliyuncs.com", "api.civo.com", "api.pagerduty.com", "api.atlassian.com", "atlassian.net", "api.openai.com", "api.pinecone.io",
}

// apiDelete says what a DELETE of an address destroys, if it is known to be no
// service of one's own.
func (a *act) apiDelete(address string) {
	host := hostOf(address)
	_, where, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://"), "/")
	if host == "api.github.com" {
		a.restDelete(where)
		return
	}
	isCloud := slices.ContainsFunc(cloudHosts, func(h string) bool { return host == h || strings.HasSuffix(host, "."+h) })
	// The interfaces of clusters and of databases are known by their paths.
	if named, ok := strings.CutPrefix(where, "api/v1/namespaces/"); ok { // a tunnel to a cluster ends here
		name, rest, _ := strings.Cut(named, "/")
		kind, _, _ := strings.Cut(rest, "/")
		a.destroys(strings.TrimSpace("namespace "+name+" "+rest), rest == "" || isWideKind(kind))
		return
	}
	isCluster := strings.HasPrefix(where, "apis/") || strings.HasPrefix(where, "v1/secret/") || strings.HasPrefix(where, "v1/sys/")
	if isCloud || isCluster && !isInside(host) {
		a.destroys(address, true)
	}
}
