// Package policy decides what may pass of a model's answer.
package policy
