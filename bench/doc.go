// Command bench measures what one chunk of a streamed answer costs in Sluice,
// in the accumulators of the official Go clients, and in a bare extraction of
// the same fields with gjson.
//
//	./run.sh                       # the table, about two minutes
//	./run.sh -stream args -rounds 9
//	./run.sh -stream turn -contender sluice -cpuprofile cpu.out
//
// README.md says how to read the table. Package sdk, below, holds the tests
// that compare what Sluice and the official clients understand.
package main
