// Package service says how a gateway runs for good, so that a base URL that clients
// have in their settings never leads to nothing: which files to write and which
// commands to run, for systemd, and a file for launchd.
//
//	plan, err := service.New(service.Options{Program: "/usr/local/bin/sluice", Home: home})
//	for _, file := range plan.Files {
//		...
//	}
//
// It writes nothing and runs nothing; the plan is carried out by its caller.
package service
