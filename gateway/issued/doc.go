// Package issued keeps the keys that a gateway has issued: a file for each in one
// directory, with the hash of the key and never the key itself.
//
//	secret, key, err := issued.New(dir, issued.Key{Name: "ada"}) // secret is shown once
//	…
//	ring := issued.Watch(dir, log)
//	gateway.New(gateway.Config{Issued: ring.Now})
//
// A file is made whole or not at all, is never changed, and is removed to revoke its
// key, so that any number of programs can issue and revoke at once. A gateway that runs
// looks at the directory when requests come, at most once within [LookEvery]: new keys
// and revoked ones are in force within that time, without a restart.
package issued
