package command

// Registries are where packages come from.
type Registries struct {
	// Instead are those that take the place of the usual one, Beside those that are asked as
	// well: the values of the role extra-registry.
	Instead, Beside []string
	// Alone: those beside the usual one are the only ones, as with pip --no-index. It is the
	// role of a switch.
	Alone bool
}

// extraRegistry is the role of registries that are asked as well.
const extraRegistry = "extra-registry"

// Registries are those of an invocation, of which some are asked instead of the usual one.
func (r *Reading) Registries(instead []string) Registries {
	return Registries{Instead: instead, Beside: r.Values(extraRegistry), Alone: r.Surely("no-index")}
}
