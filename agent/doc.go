// Package agent runs agents in a Go program: a model, tools in a streaming loop, a
// memory, policies, and advisors around them.
//
//	weather := agent.NewTool("weather", "The weather in a city.",
//		func(ctx context.Context, in struct{ City string }) (string, error) { … })
//	client, err := agent.New(agent.Config{Model: m, Tools: []*agent.Tool{weather}})
//	…
//	run := client.Run(ctx, &agent.Request{Text: "What is the weather in Paris?"})
//	for text, err := range run.Text() {
//		if err != nil {
//			return err
//		}
//		fmt.Print(text)
//	}
//	fmt.Println(run.Result().Usage.Output, "tokens")
//
// # A run
//
// Client.Run returns a Run; nothing happens until you range over it. Run.Events
// yields everything: text, thinking, calls and their results, questions to a person,
// the end of each round with its cost, and the final Result. Run.Text yields only the
// text, and Client.Call waits for the end: a call is a collected stream. Run.Result is
// valid after the loop, after a break and after an error.
//
// A run uses no goroutines except while several tools run concurrently, and when the
// range is over nothing is left running.
//
// # Rounds
//
// When a model calls tools, it is asked again with their results; each such step is a
// round. The tool loop waits until an answer is complete, shows it to the advisors
// inside, runs the tools (several at a time; Sequential ones alone), gives calls and
// results to the memory as one unit, and asks again. Tools are never run for an answer
// that was truncated, filtered or refused, or for an incomplete call. Invalid calls and
// errors and panics of tools are reported to the model; Fatal stops the run, and
// Interrupt pauses it for a person.
//
// The StreamMode says what is shown of the rounds that call tools. The default,
// FinalBuffered, shows nothing of them, and therefore the answer only when it is
// complete; All shows everything as it arrives.
//
// Limits stop loops that do not end on their own, with a Result that says which
// limit it was.
//
// # However it ends
//
// Every provider accepts the history that a run leaves in its Result and in the
// memory: each call has exactly one result, and truncated calls, thinking and provider
// blocks are not in it. Only calls that the loop was told to leave to the caller have no
// result in the Result, and they are not remembered. A run without a complete round
// leaves nothing; one that fails later leaves its completed rounds, because what tools
// did has happened.
//
// # Advisors
//
// An Advisor wraps the model and sees requests and events on their way. The tool loop
// and the memory are advisors, and so are Logging, Retry and Structured, and the
// policies of package agent/policies, which reads the same files that the gateway
// enforces. New puts the usual ones in the usual order; NewClient takes exactly those
// that it is given. An order says how far out an advisor sits: those without one sit
// inside the tool loop and are called in every round.
//
// # Drivers
//
// This package imports no database, no policy language and no protocol. Memories in
// databases are in agent/memory/sqlite and agent/memory/postgres, tools of MCP
// servers in agent/mcp, policies in agent/policies.
package agent
