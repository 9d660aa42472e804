// Package effect is the vocabulary for what a call would do: a verb with its
// object.
//
//	rm -rf ~/.config             delete /home/u/.config, wide
//	curl -T a.txt https://x/     send https://x/, from a.txt
//	git push -f origin main      force-push main
//
// Readers of calls (a shell's text, a tool's arguments, a program) describe
// them with this vocabulary, and policies query it, so that no policy has to
// know the flags of rm and the thousand ways to write them.
//
// Conditions of policies ask for them as call.effects, see package rule:
//
//	call.effects.exists(e, e.verb == "delete" && e.touches(["/srv/data/**"]))
//	call.effects.exists(e, e.verb == "send" && e.carries(["**/.env"]))
//
// An effect says what would happen, not whether that is bad. Paths are those of
// the client's machine, by their text alone: [Place] makes them absolute as far
// as the client's working directory is known, and the disk is never accessed.
package effect
