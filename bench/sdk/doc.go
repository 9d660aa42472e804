// Package sdk compares Sluice with the official Go clients: what it writes must
// be accepted by them, and what it reads must be what they read.
//
// Each reader, Sluice's own and the clients', says what it understood of a
// stream as [Facts]: short paths with values, such as choice/0/call/1/name.
// [Compare] lists the paths on which two readers disagree. Every disagreement
// must be explained by a named entry of [Defects], the table of what the
// official readers lose or change; each entry carries an example that shows it
// and the recorded streams in which it occurs. The tests fail for a
// disagreement that no entry explains, and for an entry that explains nothing
// any more.
package sdk
