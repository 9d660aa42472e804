// Package issued stores the keys that a gateway has issued: a file for each in one
// directory, with the hash of the key and never the key itself.
//
//	secret, key, err := issued.New(dir, issued.Key{Name: "ada"}) // secret is shown once
//	…
//	ring := issued.Watch(dir, log)
//	gateway.New(gateway.Config{Issued: ring.Now})
//
// A file is created atomically, never changed, and removed to revoke its key, so any
// number of programs can issue and revoke concurrently. A running gateway checks the
// directory when requests come in, at most once every [LookEvery]: new keys and revoked
// ones are in force within that time, without a restart.
package issued
