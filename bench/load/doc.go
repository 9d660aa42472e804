// Command load measures what the gateway costs a streamed answer, compared with no proxy at all and with a
// minimal proxy.
//
//	go run ./load            # the table; exit status 1 if a target is missed
//	go run ./load -quick     # a few seconds: everything runs, every byte is right, no figure is judged
//	go run ./load -full      # 5,000 idle streams too
//	go run ./load -json      # for programs
//
// Three targets answer the same requests in turn: direct is the upstream itself, floor is
// net/http/httputil.ReverseProxy, and sluice is the gateway with the recommended policies. The upstream and
// each proxy is a process of its own (this program again, with a role), so that processor time and memory
// belong to one of them. The load comes from the first process, which compares every byte it gets with what
// the upstream sends.
package main
