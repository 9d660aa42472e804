// Package fileops has the hooks of programs that work on files, texts, processes and
// terminals of this machine: copying, archives, editors, awk and sed, ssh and sockets.
// Package hook has the others, and the table of all.
package fileops
