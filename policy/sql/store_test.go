package sql

import "testing"

func TestStores(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		place, object string
		scratch       bool
	}{
		{"app_test", "table users", true},
		{"app_test", "rows of users", true},
		{"app_test", "database shop", false},
		{"app_test", "database", true},
		{"app_test", "table shop.users", false},
		{"shop", "table users", false},
		{"shop", "table tmp_orders", true},
		{"app_dev", "table users", false},
		{"postgres://localhost/app_dev", "table users", true},
		{"postgres://db.example.com/app_dev", "table users", false},
		{"postgres://db.example.com/app_test", "table users", true},
		{"postgres://prod:x@localhost/app_test", "table users", false},
		{"postgres://localhost/app_test?dbname=shop", "table users", false},
		{"host=localhost dbname=app_test", "table users", true},
		{"u:p@tcp(localhost:3306)/app_test", "table users", true},
		{"jdbc:sqlserver://h;databaseName=app_test", "table users", true},
		{"sqlite:///dev.db", "table users", true},
		{"sqlite:///../test/../shop.db", "table users", false},
		{"prod_test", "table users", false},
		{"$(name)_test", "table users", false},
	} {
		s := Store{}
		s.In(c.place)
		if got := s.IsScratch(c.object); got != c.scratch {
			t.Errorf("%s in %s: scratch is %v, want %v", c.object, c.place, got, c.scratch)
		}
	}
}

func TestAStoreFollowsTheText(t *testing.T) {
	t.Parallel()

	s := Store{}
	s.In("app_test")
	s.Switch("shop")
	if s.IsScratch("table users") {
		t.Error("a switch to another database was not noted")
	}
	s = Store{}
	s.SwitchMongo(`db.getSiblingDB("app_test").users.drop()`)
	if !s.IsScratch("collection users") {
		t.Error("the database that a script goes to first was not noted")
	}
	s.SwitchMongo(`x = db.getSiblingDB(name); x.users.drop()`)
	if s.IsScratch("collection users") {
		t.Error("a database that nobody knows was taken for one made for tests")
	}
}

func TestLost(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		in           Language
		script, want string
	}{
		{MySQLX, `session.dropSchema("x")`, "schema"},
		{MySQLX, `session.sql("select 1")`, ""},
		{Arango, `db._drop("x")`, "collection"},
		{Arango, `db._query("FOR d IN x REMOVE d IN x")`, "rows"},
		{Arango, `db._query("FOR d IN x FILTER d.a REMOVE d IN x")`, ""},
		{HBase, `drop 'x'`, "table"},
		{HBase, `scan 'x'`, ""},
		{ZooKeeper, `deleteall /x`, "nodes"},
		{FoundationDB, `clearrange "" \xFF`, "keys"},
		{FoundationDB, `writemode on; ClearRange  \x00   \xff`, "keys"},
		{FoundationDB, "clearrange a z", "keys"},
		{FoundationDB, `clearrange app/tmp/ app/tmp0`, ""},
		{Aerospike, `TRUNCATE ns`, "keys"},
	} {
		if got := Lost(c.script, c.in); got != c.want {
			t.Errorf("%s drops %q, want %q", c.script, got, c.want)
		}
	}
}

func TestMigrations(t *testing.T) {
	t.Parallel()

	for content, want := range map[string]string{
		"DROP SCHEMA public CASCADE":                       "schema public",
		"drop\n  database x":                               "database",
		"-- drop database x\nselect 1":                     "",
		"select 1;\n-- +goose Down\ndrop schema public":    "",
		"def upgrade():\n  op.execute('drop owned by me')": "owned by",
		"drop table x":                                     "",
	} {
		if got := MigrationLost(content); got != want {
			t.Errorf("%q drops %q, want %q", content, got, want)
		}
	}
}
