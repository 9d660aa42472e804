// Package celvalue converts values between Go and CEL: arguments of calls and
// parameters of policies on the way in, what encoding/json can write on the way out.
package celvalue
