package sql_test

import (
	"fmt"

	"github.com/sluice-project/sluice/policy/effect"
	"github.com/sluice-project/sluice/policy/sql"
)

func ExampleRead() {
	r := sql.Read(`
		DELETE FROM users WHERE 1 = 1;
		\c app_test
		DROP TABLE orders;
		COPY users TO PROGRAM 'gzip > /tmp/users.gz';`, sql.Standard)

	var store sql.Store
	store.In("shop")
	r.Each(&store, func(e effect.Effect) { fmt.Println(e) })
	fmt.Println(r.Code[0].Language, r.Code[0].Text, r.Code[0].Fed)
	// Output:
	// drop rows of users, and everything in it
	// drop table orders
	// shell gzip > /tmp/users.gz true
}
