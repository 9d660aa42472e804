//go:build !unix

package main

import "os/exec"

// inGroup is for systems with process groups; here only the command itself is
// killed.
func inGroup(*exec.Cmd) {}
