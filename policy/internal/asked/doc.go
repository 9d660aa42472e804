// Package asked is what a model was asked, as policies see it: the texts of the
// messages, the tools that are declared, and which tool a result is of.
package asked
