package shell

import (
	"strings"
	"testing"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/invocation"
	"github.com/sluice-project/sluice/policy/sql"
)

// losses of a text, and whether each is one of what is made for tests.
func lossesOf(text string) (all, scratch int) {
	r := Read(text, invocation.Setting{Place: effect.Place{Cwd: "/home/dev/app", Home: "/home/dev"}})
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == effect.Drop || e.Verb == effect.Destroy {
			all++
			if e.Scratch {
				scratch++
			}
		}
	}
	return all, scratch
}

func TestWhatIsMadeForTestsIsScratch(t *testing.T) {
	for _, text := range []string{
		`psql -d app_test -c 'drop table users; truncate orders; delete from x; drop schema public cascade'`,
		`psql shop -c 'drop table tmp_orders, test_users'`,
		`psql -h localhost -d app_dev -c 'drop table users'`,
		`psql "host=localhost dbname=app_test" -c 'truncate users'`,
		`PGDATABASE=app_test psql -c 'truncate users'`,
		`mysql -e 'use app_test; truncate users'`,
		`sqlite3 dev.db 'delete from t'`,
		`sqlite3 tests/app.db 'delete from t'`,
		`docker exec pg-test psql -c 'drop database shop'`,
		`docker compose exec db psql -c 'drop database shop_dev'`,
		`docker compose -f compose.e2e.yml exec redis redis-cli FLUSHALL`,
		`docker compose exec -e RAILS_ENV=test web rails db:drop`,
		`mongosh localhost/app_test --eval 'db.users.drop()'`,
		`curl -XDELETE 'http://localhost:9200/test-*'`,
		`kafka-topics.sh --delete --topic e2e-orders`,
		`DATABASE_URL=postgres://localhost/app_test prisma migrate reset`,
		`export DATABASE_URL=postgres://localhost/app_test; prisma migrate reset`,
		`RAILS_ENV=development rails db:reset`,
		`python3 -c "import sqlite3; sqlite3.connect('dev.db').execute('drop table t')"`,
		`bq rm -r -f test_sales`,
		`kubectl --context kind-dev delete ns shop`,
		`kubectl config use-context minikube && kubectl delete all --all -n sandbox`,
		`KUBECONFIG=kind-dev.yaml kubectl drain node-1`,
	} {
		if all, scratch := lossesOf(text); all == 0 || all != scratch {
			t.Errorf("%s\n  %d of %d losses are scratch", text, scratch, all)
		}
	}
}

func TestWhatOthersUseIsNotScratch(t *testing.T) {
	for _, text := range []string{
		`psql -h localhost -d shop -c 'drop table orders -- test'`,
		`psql -d latest -c 'drop table orders'`,
		`psql -d app_dev -c 'drop table orders'`,
		`psql -d prod_test -c 'drop table orders'`,
		`psql -h prod -d app_test -c 'drop table orders'`,
		`psql -d app_test -d shop -c 'drop table orders'`,
		`psql -d app_test -c '\c shop' -c 'drop table orders'`,
		`psql -d app_test -c 'drop database shop'`,
		`psql "postgres://localhost/app_test?dbname=shop" -c 'drop table orders'`,
		`ssh web1 "psql -h localhost -d app_dev -c 'drop table orders'"`,
		`mysql app_test -e 'drop table shop.orders'`,
		`mysql app_test -e 'drop schema shop'`,
		`mysql -e 'truncate orders; use app_test'`,
		`mysql app_test --init-command='use shop' -e 'drop table orders'`,
		`sqlite3 test.db "attach 'shop.db' as s; drop table orders"`,
		`sqlite3 ../test/../shop.db 'drop table orders'`,
		`redis-cli -h localhost FLUSHALL`,
		`docker exec redis-test redis-cli -h db.example.com FLUSHALL`,
		`docker --context prod exec redis-test redis-cli FLUSHALL`,
		`RAILS_ENV=test docker compose exec web rails db:drop`,
		`mongosh localhost/app_test --eval 'x = db.getSiblingDB("shop"); x.users.drop()'`,
		`curl -XDELETE 'http://localhost:9200/test-*,orders'`,
		`rpk topic delete test-a orders`,
		`RAILS_ENV=test DATABASE_URL=postgres://db/shop rails db:drop`,
		`export RAILS_ENV=test; unset RAILS_ENV; rails db:drop`,
		`python3 -c "import psycopg2; psycopg2.connect('postgres://localhost/app_test', dbname='shop').cursor().execute('drop table t')"`,
		`kubectl --context kind-dev --server https://k8s.example.com delete ns shop`,
		`kubectl --context kind-dev --context shop delete ns shop`,
		`kubectl config use-context kind-dev; kubectl delete ns shop`,
		`KUBECONFIG=kind.yaml:config kubectl delete ns shop`,
	} {
		if all, scratch := lossesOf(text); all == 0 || scratch > 0 {
			t.Errorf("%s\n  %d of %d losses are scratch", text, scratch, all)
		}
	}
}

func TestTooManyDatabasesAreNoneForTests(t *testing.T) {
	flags := strings.Repeat(" -d app_test", sql.MaxPlaces)
	if all, scratch := lossesOf("psql" + flags + " -c 'drop table t'"); all != 1 || scratch != 1 {
		t.Errorf("%d of %d losses are scratch at the limit", scratch, all)
	}
	if all, scratch := lossesOf("psql" + flags + " -d app_test -c 'drop table t'"); all != 1 || scratch != 0 {
		t.Errorf("%d of %d losses are scratch beyond the limit", scratch, all)
	}
}
