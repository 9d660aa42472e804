// Package service plans how to run a gateway permanently, so that the base URL in clients'
// settings always works: which files to write and which commands to run for systemd, and a
// file for launchd.
//
//	plan, err := service.New(service.Options{Program: "/usr/local/bin/sluice", Home: home})
//	for _, file := range plan.Files {
//		...
//	}
//
// It writes nothing and runs nothing; the caller carries out the plan.
package service
