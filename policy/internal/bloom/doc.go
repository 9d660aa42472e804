// Package marks tells of most names that they are none of some others, without
// looking at these: what is seldom in a list need not be looked up in it.
package marks
