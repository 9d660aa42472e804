package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sluice-project/sluice/internal/schema"
	"github.com/sluice-project/sluice/llm"
)

// argumentSchema is a schema that arguments are validated against.
type argumentSchema struct{ compiled *schema.Schema }

// compileSchema compiles a schema. The error says why it cannot be used.
func compileSchema(raw json.RawMessage) (*argumentSchema, error) {
	compiled, err := schema.Compile(raw)
	if err != nil {
		return nil, fmt.Errorf("arguments cannot be validated against its schema: %w", err)
	}
	return &argumentSchema{compiled}, nil
}

// check validates arguments against the schema. The error is for the model: it says
// which property is wrong, what was expected and what was found.
func (s *argumentSchema) check(raw json.RawMessage) error {
	arguments, err := llm.ParseArguments(string(raw))
	if err != nil {
		return err
	}
	wrong, err := s.compiled.Check(arguments)
	switch {
	case err != nil:
		return fmt.Errorf("the arguments are too long or too deep: %w", err)
	case wrong != nil:
		return errors.New(wrong.ExplainWithValue("the arguments"))
	default:
		return nil
	}
}
