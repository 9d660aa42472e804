package sql

import "testing"

func TestDrops(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`DROP TABLE users`, `drop table users`},
		{`drop/**/table users`, `drop table users`},
		{`DROP DATABASE prod`, `drop database prod wide`},
		{`DROP SCHEMA public CASCADE`, `drop schema public wide`},
		{`DROP TABLE IF EXISTS a, "B c", s.d CASCADE`, `drop table a; drop table B c; drop table s.d`},
		{`DROP INDEX i; DROP VIEW v; DROP FUNCTION f()`, ``},
		{`DROP OWNED BY app`, `drop owned app wide`},
		{`TRUNCATE users, orders`, `drop rows of users wide; drop rows of orders wide`},
		{`TRUNCATE TABLE users CASCADE`, `drop rows of users wide`},
		{`SELECT truncate(1.5, 1)`, ``},
		{`DELETE FROM users`, `drop rows of users wide`},
		{`DELETE FROM users WHERE id = 5`, ``},
		{`DELETE FROM users WHERE true`, `drop rows of users wide`},
		{`DELETE FROM users WHERE 1=1`, `drop rows of users wide`},
		{`DELETE FROM users WHERE 'a'='a'`, `drop rows of users wide`},
		{`DELETE FROM users WHERE id = id`, `drop rows of users wide`},
		{`DELETE FROM users WHERE (id > 0)`, `drop rows of users wide`},
		{`DELETE FROM users WHERE x = 3 OR 1 = 1`, `drop rows of users wide`},
		{`DELETE FROM users WHERE id IN (SELECT id FROM old)`, ``},
		{`DELETE FROM users WHERE deleted_at IS NOT NULL`, ``},
		{`WITH d AS (DELETE FROM users RETURNING *) SELECT * FROM d`, `drop rows of users wide`},
		{`WITH d AS (SELECT 1) DELETE FROM users USING d WHERE users.id = d.id`, ``},
		{`UPDATE users SET admin = true`, `drop rows of users wide`},
		{`UPDATE users SET admin = true WHERE id = 1`, ``},
		{`SELECT * FROM users FOR UPDATE`, ``},
		{`INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET x = 1`, ``},
		{`CREATE TABLE t (u int REFERENCES users ON DELETE CASCADE)`, ``},
		{`SELECT 'DROP TABLE users'`, ``},
		{`INSERT INTO log VALUES ('it''s; DROP TABLE users')`, ``},
		{`SELECT '\'; DROP TABLE users; --'`, `drop table users`},
		{`-- DROP TABLE users`, ``},
		{`SELECT 1 /* DROP TABLE users */`, ``},
	})
}

func TestChangesOfTables(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`ALTER TABLE users DROP COLUMN email`, `drop column email of users`},
		{`ALTER TABLE users DROP email, ADD COLUMN x int`, `drop column email of users`},
		{`ALTER TABLE users DROP CONSTRAINT c`, ``},
		{`ALTER TABLE users ALTER COLUMN c DROP NOT NULL`, ``},
		{`ALTER TABLE users ADD COLUMN x int`, ``},
		{`CREATE TEMP TABLE t (x int); DROP TABLE t`, ``},
		{`CREATE TEMP TABLE users (x int); DROP TABLE users; DROP TABLE users`, `drop table users`},
		{`DROP TABLE IF EXISTS t; CREATE TABLE t (x int)`, `drop table t`},
	})
}

func TestGrants(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`GRANT ALL ON ALL TABLES IN SCHEMA public TO app`, `grant ALL ON ALL TABLES IN SCHEMA public TO app`},
		{`GRANT SELECT ON t TO app`, ``},
		{`CREATE ROLE x SUPERUSER LOGIN`, `grant superuser to x`},
		{`ALTER ROLE x CREATEROLE`, `grant createrole to x`},
		{`CREATE USER app WITH PASSWORD 'x'`, ``},
		{`ALTER TABLE t DISABLE ROW LEVEL SECURITY`, `disarm row level security of t`},
	})
}

func TestSecrets(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`SELECT * FROM pg_shadow`, `reveal passwords of the server's users`},
		{`SELECT usename FROM pg_shadow`, ``},
		{`SELECT count(*) FROM pg_authid`, ``},
		{`SELECT rolpassword FROM pg_catalog.pg_authid`, `reveal passwords of the server's users`},
		{`SELECT authentication_string FROM mysql.user`, `reveal passwords of the server's users`},
		{`SELECT password FROM users`, ``},
	})
}

func TestFiles(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`COPY t TO '/tmp/x.csv'`, `write /tmp/x.csv`},
		{`COPY t FROM '/tmp/x.csv'`, `read /tmp/x.csv`},
		{`\copy t to out.csv csv`, `write out.csv`},
		{`\copy (select a from b) to 'out.csv'`, `write out.csv`},
		{`SELECT pg_read_file('/etc/passwd')`, `read /etc/passwd`},
		{`SELECT 1 INTO OUTFILE '/root/x'`, `write /root/x`},
		{`ATTACH DATABASE 'shop.db' AS s`, `write shop.db`},
		{`.import 'a b.csv' t`, `read a`},
		{`.backup x.db`, `write x.db`},
		{`.load ./evil`, `run ./evil`},
		{`\i more.sql`, `file more.sql`},
		{`.read more.sql`, `file more.sql`},
	})
}

func TestCode(t *testing.T) {
	t.Parallel()

	readEach(t, []reading{
		{`\! ls`, `shell  ls`},
		{`SELECT 1 \g | sh`, `shell  sh`},
		{`.shell ls`, `shell ls`},
		{`.once '|sh'`, `shell sh`},
		{`COPY t FROM PROGRAM 'ls'`, `shell ls`},
		{`COPY t TO PROGRAM 'ls'`, `shell ls fed`},
		{`EXEC xp_cmdshell 'ls'`, `shell ls`},
		{`alter system set archive_command = 'ls'`, `shell ls`},
		{`DO LANGUAGE plpython3u 'import os'`, `python import os`},
		{`CREATE FUNCTION f() RETURNS void AS 'ls' LANGUAGE plsh`, `shell ls`},
		{`CREATE FUNCTION f() RETURNS int AS 'select 1' LANGUAGE sql`, ``},
		{`SELECT 'drop table users' \gexec`, `drop table users`},
		{`SELECT 'drop table users'`, ``},
		{`PREPARE x AS DELETE FROM users; EXECUTE x`, `drop rows of users wide`},
		{`EXECUTE IMMEDIATE 'drop ' || 'table users'`, `drop table users`},
		{`DO $$ BEGIN EXECUTE 'DROP TABLE users'; END $$`, `drop table users`},
		{`EXPLAIN DELETE FROM users`, ``},
		{`EXPLAIN ANALYZE DELETE FROM users`, `drop rows of users wide`},
	})
}
