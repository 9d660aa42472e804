package shell

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// infraVerbs are the programs that make, change and destroy what others run.
var infraVerbs = map[string]verb{

	"eksctl": cloud,

	"rke": cloud, "argocd": cloud, "flux": cloud, "velero": cloud, "istioctl": cloud, "kops": cloud, "rancher": cloud,

	"aws": aws, "awslocal": nothing, "gcloud": gcloud, "gsutil": gsutil, "az": cloud,
	"doctl": cloud, "hcloud": cloud, "linode-cli": cloud, "scw": cloud, "heroku": heroku, "fly": cloud, "flyctl": cloud, "vercel": vercel, "vc": vercel,
	"netlify": vercel, "ntl": vercel, "wrangler": wrangler, "railway": cloud, "firebase": firebase, "render": cloud, "oci": cloud, "ibmcloud": cloud,
	"vultr-cli": cloud, "civo": cloud, "exo": cloud, "yc": cloud, "aliyun": cloud, "openstack": cloud, "upcloud": cloud, "ovhcloud": cloud, "cf": cloud, "eb": cloud, "surge": vercel,
	"turso": cloud, "pscale": cloud, "neonctl": cloud, "neon": cloud, "upstash": cloud, "confluent": cloud, "tsuru": cloud, "koyeb": cloud, "northflank": cloud, "cloudctl": cloud, "stackit": cloud, "gridscale": cloud,
	"dokku": cloud, "platform": cloud, "upsun": cloud, "gigalixir": cloud, "twilio": cloud, "convox": cloud, "caprover": cloud, "qovery": cloud, "zeabur": cloud, "mgc": cloud, "metal": cloud, "nhost": cloud,
	"qm": machines, "pct": machines, "VBoxManage": machines, "vboxmanage": machines, "prlctl": machines, "vmrun": machines, "govc": machines, "xe": machines, "vim-cmd": machines, "utmctl": machines, "tart": machines, "orb": machines,

	"mc": objectStore, "s3cmd": objectStore, "s5cmd": objectStore, "azcopy": objectStore, "b2": objectStore, "virsh": virsh, "multipass": cloud, "lxc": cloud, "incus": cloud,
}

func nothing(*act) {}

// isProduction reports whether a name says that others use what it names.
func isProduction(name string) bool { return effect.IsProduction(name) }

// destroys notes that infrastructure is destroyed.
func (a *act) destroys(what string, wide bool) {
	a.add(effect.Effect{Verb: effect.Destroy, Object: strings.TrimSpace(what), Wide: wide, Scratch: a.spare != nil && a.spare(a, what)})
}

// applies notes that infrastructure is changed.
func (a *act) applies(what string) { a.does(effect.Apply, strings.TrimSpace(what)) }

// publishes notes that something is made public.
func (a *act) publishes(what string) { a.does(effect.Publish, strings.TrimSpace(what)) }
