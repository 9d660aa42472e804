// Package shell reads shell text as what it would do, so that a policy can ask
// for that instead of guessing with patterns.
//
// [Read] takes the text that a tool call hands to a shell and runs it in
// thought: variables, arrays, functions, aliases, branches and loops,
// substitutions, here-documents, pipes and redirections. What wraps a command
// (sudo, env, timeout, xargs, find -exec, ssh, sh -c, eval, a file that was
// written before) is taken off it, and what a pipe decodes (base64, xxd, rev, tr,
// printf) is decoded. What is left are simple commands, and of the programs that
// are known the effects: what they delete, send, push, install. [ReadArgs] does
// the same for an argument list that is executed without a shell.
//
//	r := shell.Read(`X=rm; sudo $X -rf "$HOME/build"`, at)
//	r.Effects // delete /home/u/build, and everything in it, as another user
//
// # What it promises
//
// The text is hostile. What cannot be read with certainty is never passed over in
// silence: it is named in Unknown (substitution, variable, eval, ...), and the
// commands around it are still returned. A caller must take a reason there for
// "there may be more than this". A command does the same however it is wrapped.
// Where something may be so or otherwise, both are read: every branch runs, and a
// variable that nothing sets is both itself and empty; an effect that only the
// latter has is a Guess.
//
// Nothing makes reading slow or large: steps, words, depth, commands, effects and
// the length of every text that is followed are counted, and what lies beyond
// names its reason. The same text is always read in the same way.
//
// # What it cannot know
//
// No file is opened and nothing is run. Scripts that nobody wrote in sight are
// Run effects; programs that are not known have no effects unless they look like
// somebody who sends; wildcards are not matched with any disk; how often a loop
// runs, and which branch, is not asked. The language of bash is read; texts for
// other shells (fish, zsh) as far as they are alike.
package shell
