package shell

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/invocation"
)

// Variables that a container, a pod or another machine is given are those of the command in it.
func TestVariablesReachTheCommandInside(t *testing.T) {
	t.Parallel()
	for _, tc := range [][2]string{
		{`docker run -e AWS_PROFILE=prod amazon/aws-cli s3 rm s3://b/x`, "prod"},
		{`docker run --env=AWS_PROFILE=prod --rm -it img aws s3 rm s3://b/x`, "prod"},
		{`podman run -e A=b -e AWS_PROFILE=prod img aws s3 rm s3://b/x`, "prod"},
		{`docker run -v /srv:/data -e AWS_PROFILE=prod img aws s3 rm s3://b/x`, "prod"},
		{`AWS_PROFILE=prod; docker run -e AWS_PROFILE amazon/aws-cli s3 rm s3://b/x`, "prod"},
		{`docker exec -e AWS_PROFILE=prod c aws s3 rm s3://b/x`, "prod"},
		{`docker compose run -e AWS_PROFILE=prod web aws s3 rm s3://b/x`, "prod"},
		{`docker compose exec -e AWS_PROFILE=prod web aws s3 rm s3://b/x`, "prod"},
		{`kubectl run x --image=i --env=AWS_PROFILE=prod -- aws s3 rm s3://b/x`, "prod"},
		{`ssh -o SetEnv=AWS_PROFILE=prod h aws s3 rm s3://b/x`, "prod"},
		{`AWS_PROFILE=prod; ssh -o "SendEnv AWS_PROFILE" h aws s3 rm s3://b/x`, "prod"},
		{`ssh h env AWS_PROFILE=prod aws s3 rm s3://b/x`, "prod"},
		{`docker run -e A=prod amazon/aws-cli s3 rm s3://b/x`, ""},
		{`docker run -e AWS_PROFILE amazon/aws-cli s3 rm s3://b/x`, ""},
	} {
		got := ""
		r := Read(tc[0], invocation.Setting{})
		for _, c := range r.Commands {
			if c.Name == "aws" && c.Env["AWS_PROFILE"] != "" {
				got = c.Env["AWS_PROFILE"]
			}
		}
		if got != tc[1] {
			t.Errorf("%s: the profile is %q, want %q", tc[0], got, tc[1])
		}
	}
	checkVerbs(t, [][2]string{
		{`docker run -e HELM_KUBECONTEXT=prod alpine/helm uninstall x`, "destroy release x of prod remote"},
		{`HELM_KUBECONTEXT=prod helm uninstall x --kube-context dev`, "destroy release x of dev"},
		{`HELM_KUBECONTEXT=prod helm uninstall x`, "destroy release x of prod"},
		{`HELM_KUBECONTEXT=prod helm --unheard --kube-context dev uninstall x`, "destroy release x of prod; destroy release x of dev"},
	})
}

// An option behind an image is one of the program that the image starts, whichever that is.
func TestOptionsBehindAnImage(t *testing.T) {
	t.Parallel()
	r := Read(`docker run acme/shipit -e prod deploy web`, invocation.Setting{})
	if len(r.Commands) != 1 || strings.Join(r.Unknown, " ") != invocation.Unseen {
		t.Errorf("runs %d commands, and does not know %v", len(r.Commands), r.Unknown)
	}
	checkVerbs(t, [][2]string{{`docker run --rm acme/x rm -rf /data`, "delete /data wide remote scratch"}})
}
