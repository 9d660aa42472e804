package shell

import "testing"

func TestServicesEnd(t *testing.T) {
	sayEach(t, []saying{
		{`aws-nuke run -c c.yml --no-dry-run`, `destroy aws-nuke run c.yml wide`},
		{`aws-nuke run -c c.yml`, ``},
		{`dokku apps:destroy shop --force`, `destroy dokku apps:destroy shop wide`},
		{`dokku domains:remove shop a.example`, `destroy dokku domains:remove shop a.example`},
		{`dokku apps:list`, ``},
		{`ceph osd pool delete a a --yes-i-really-really-mean-it`, `destroy ceph osd pool delete a a wide`},
		{`ceph osd pool ls`, ``},
		{`swift delete --all`, `destroy swift delete wide`},
		{`swift delete media`, `destroy swift delete media wide`},
		{`swift build`, ``},
		{`stripe customers delete cus_1 --live`, `destroy stripe customers delete cus_1 wide`},
		{`stripe customers delete cus_1`, ``},
		{`kapp delete -a shop`, `destroy kapp delete shop`},
		{`pass rm -rf work`, `destroy pass rm work wide`},
		{`pass ls`, ``},
		{`ipmitool -H b -U a -P a chassis power off`, `destroy ipmitool chassis power off b a a wide`},
		{`ipmitool -H b chassis power status`, ``},
		{`gem owner shop -a e@evil.example`, `grant gem owner shop e@evil.example`},
		{`gem owner shop`, ``},
		{`tkn pipelinerun delete x`, ``},
		{`op item delete x --help`, ``},
	})
}

func TestWhatIsOpenedOrShrunk(t *testing.T) {
	sayEach(t, []saying{
		{`aws rds modify-db-snapshot-attribute --attribute-name restore --values-to-add all`, `grant aws rds modify-db-snapshot-attribute restore all`},
		{`aws rds modify-db-snapshot-attribute --attribute-name restore --values-to-remove all`, ``},
		{`aws s3api put-bucket-versioning --bucket a --versioning-configuration Status=Suspended`, `disarm aws s3api put-bucket-versioning a Status=Suspended`},
		{`aws ecs update-service --service prod --desired-count 0`, `destroy machines of aws ecs update-service prod; apply aws ecs update-service prod 0`},
		{`az storage container set-permission -n c --public-access blob`, `grant public access to c`},
		{`az storage container set-permission -n c --public-access off`, ``},
		{`gcloud compute firewall-rules create x --allow tcp:22 --source-ranges 0.0.0.0/0`, `grant everybody to tcp:22`},
		{`gcloud compute firewall-rules create x --allow tcp:443 --source-ranges 0.0.0.0/0`, ``},
		{`gcloud services disable a.example --force`, `destroy gcloud services disable a.example wide`},
		{`gcloud compute instances stop dev`, `stop gcloud compute instances stop dev`},
		{`gcloud compute instances stop prod`, `stop gcloud compute instances stop prod; destroy what runs as gcloud compute instances stop prod in prod`},
		{`kubectl proxy --address 0.0.0.0 --accept-hosts '.*'`, `listen 0.0.0.0; grant cluster to everybody`},
		{`kubectl proxy --address 0.0.0.0`, `listen 0.0.0.0`},
		{`kubectl delete -f k8s -n prod`, `destroy objects in k8s in prod: prod`},
		{`kubectl delete -f k8s -n dev`, `destroy objects in k8s`},
		{`kubectl -n prod delete pod a`, `destroy pod a`},
		{`kubectl -n prod delete deploy a`, `destroy deploy a in prod: prod`},
		{`kustomize build prod | kubectl delete -f -`, `destroy objects in - of prod: prod`},
		{`docker -H ssh://prod rm a`, `destroy container a; destroy container a in prod: ssh://prod; connect ssh://prod`},
	})
}
