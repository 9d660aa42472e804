// Package gateway is the HTTP host of the engine: agents and SDKs use it in the
// place of a provider and behave as before, except that no tool call reaches
// them unjudged.
package gateway
