package sql

import "strings"

// Language is the language of a store that speaks no SQL, as far as it is known:
// the words by which it deletes.
type Language uint8

const (
	// MySQLX is the JavaScript or Python that MySQL's shell runs.
	MySQLX Language = iota
	// Arango is the JavaScript of ArangoDB's shell, and the queries in it.
	Arango
	// HBase is the language of HBase's shell.
	HBase
	// ZooKeeper is the language of ZooKeeper's client.
	ZooKeeper
	// FoundationDB is the language of FoundationDB's client.
	FoundationDB
	// Aerospike is the language of Aerospike's tools.
	Aerospike
)

// loss is a text that deletes something, and what it deletes.
type loss struct{ text, what string }

var losses = map[Language][]loss{
	MySQLX: {{"dropSchema(", "schema"}, {"drop_schema(", "schema"}, {"dropCollection(", "schema"}, {"drop_collection(", "schema"}, {"dropTable(", "schema"}, {"drop_table(", "schema"}},
	Arango: {{"._dropDatabase(", "database"}, {"._drop(", "collection"}, {".truncate(", "rows"}, {"._truncate(", "rows"}, {".drop(", "collection"}},
	HBase:  {{"drop ", "table"}, {"drop_all", "table"}, {"truncate ", "table"}, {"deleteall ", "table"}},

	ZooKeeper: {{"deleteall ", "nodes"}, {"rmr ", "nodes"}},
	Aerospike: {{"truncate:", "keys"}, {"truncate ns", "keys"}, {"truncate-namespace", "keys"}},
}

// Lost says what a script drops, "" if it drops nothing that is known.
func Lost(script string, in Language) string {
	if in == FoundationDB || in == Aerospike { // whose words are read in any case
		script = strings.ToLower(script)
	}
	if in == FoundationDB && clearsUnrelated(script) {
		return "keys"
	}
	for _, l := range losses[in] {
		if strings.Contains(script, l.text) {
			return l.what
		}
	}
	if in == Arango {
		if query := strings.ToUpper(script); strings.Contains(query, "REMOVE") && strings.Contains(query, "FOR ") && !strings.Contains(query, "FILTER") {
			return "rows"
		}
	}
	return ""
}

// clearsUnrelated reports whether a script for FoundationDB's client, in lower case,
// clears a range of keys whose ends have no beginning in common: more than what one
// application keeps under a prefix of its own.
func clearsUnrelated(script string) bool {
	for command := range strings.SplitSeq(strings.ReplaceAll(script, "\n", ";"), ";") {
		words := strings.Fields(command)
		if len(words) < 3 || words[0] != "clearrange" {
			continue
		}
		begin, end := strings.Trim(words[1], `"'`), strings.Trim(words[2], `"'`)
		if begin == "" || end == "" || begin[0] != end[0] || begin[0] == '\\' {
			return true
		}
	}
	return false
}

// MakesStatements reports whether a query makes statements that delete, to be run
// by whoever reads its result: select 'drop table ' || name from tables.
func MakesStatements(query string) bool {
	lower := strings.ToLower(query)
	return strings.Contains(lower, "'drop ") || strings.Contains(lower, "'truncate ") || strings.Contains(lower, "'delete from ")
}
