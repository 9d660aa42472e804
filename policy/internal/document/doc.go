// Package document asks what documents in JSON and YAML say: whether they have a member at a
// path, with what value. Conditions are written as the descriptions of programs have them.
package document
