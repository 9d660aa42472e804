package tools

import "github.com/sluice-project/sluice/internal/schema"

// Why a declared schema cannot be used. These are the errors of failed
// verdicts.
var (
	// ErrSchemaTooLarge: the schema is larger, deeper or has more parts or
	// patterns than is checked.
	ErrSchemaTooLarge = schema.ErrTooLarge
	// ErrSchemaRemote: the schema refers to another document, which is never
	// fetched.
	ErrSchemaRemote = schema.ErrRemote
	// ErrSchemaInvalid: the schema is not supported or not valid.
	ErrSchemaInvalid = schema.ErrInvalid
	// ErrTooMuchWork: checking these arguments against the schema, or any,
	// would take too long.
	ErrTooMuchWork = schema.ErrTooMuchWork
)
