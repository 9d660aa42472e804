// Package shell reads shell text as the commands it runs, so that a policy can
// ask what is executed instead of guessing with patterns.
//
// [Split] takes the text that a tool call hands to a shell and returns every
// simple command in it: without quotes, variable assignments and wrappers such
// as sudo, env or timeout, and with the commands inside sh -c '...', $( ),
// find -exec and ssh. [FromArgs] does the same for an argument list that is
// executed without a shell.
//
// # What it promises
//
// The text is hostile. What cannot be read with certainty is never passed over
// in silence: Split names the reason (substitution, variable, eval, ...) and
// still returns the commands around it. A caller must treat a non-empty list
// of reasons as "there may be more than these commands". Time and memory are
// linear in the text, and every limit has a reason of its own.
//
// # What it cannot know
//
// Script files, functions and aliases defined elsewhere, programs given to
// other interpreters (python -c) and the values of variables stay unseen: an
// argument keeps "$X" as it is written. Wildcards are not matched against any
// disk.
package shell
