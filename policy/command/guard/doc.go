// Package guard knows the commands by which an agent would get rid of its guard: ending
// its process, calling another agent around it, changing its settings, or opening a way
// in from outside.
//
// It stands beside the catalogue, because these programs are harmless but for what they
// are given: a kill of the guard's process, a settings file of an agent, a door into the
// machine.
package guard
