//go:build !unix

package e2e

import "os/exec"

// ownGroup is for systems with process groups; elsewhere only the command itself is ended.
func ownGroup(*exec.Cmd) {}
