package rule

import (
	"slices"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"

	"github.com/sluice-project/sluice/policy/internal/advice"
	"github.com/sluice-project/sluice/policy/internal/celvalue"
)

const (
	// mostCost is the cost at which an evaluation fails. A unit is a step of
	// the evaluation, or ten bytes of text that a function reads; a million
	// take well under a second.
	mostCost = 1_000_000
	// mostSource is the longest expression in characters.
	mostSource = 32 << 10
	// mostNesting is how deep comprehensions may be nested.
	mostNesting = 4
	// mostRegexp is the most instructions that a regular expression may have.
	mostRegexp = 2_000
)

// environment is the CEL environment of all expressions. It is immutable, so it
// is made once.
var environment = sync.OnceValues(newEnvironment)

// namedTypes are the types that a condition can ask for: type(call.args.to) == list.
var namedTypes = []*types.Type{
	types.BoolType, types.BytesType, types.DoubleType, types.DurationType, types.IntType, types.ListType, types.MapType,
	types.NullType, types.StringType, types.TimestampType, types.TypeType, types.UintType,
}

func newEnvironment() (*cel.Env, error) {
	registry := types.NewEmptyRegistry()
	for _, t := range namedTypes {
		if err := registry.RegisterType(t); err != nil {
			return nil, err
		}
	}
	options := []cel.EnvOption{
		cel.CustomTypeAdapter(celvalue.Adapter{}),
		cel.CustomTypeProvider(provider{registry}),
		cel.ParserExpressionSizeLimit(mostSource),
		cel.ParserErrorRecoveryLimit(4),
		cel.RegexProgramSizeLimit(mostRegexp),
		cel.DefaultUTCTimeZone(true),
		ext.Strings(ext.StringsVersion(4), ext.StringsMaxPrecision(100)),
		cel.ASTValidators(
			cel.ValidateRegexLiterals(),
			cel.ValidateDurationLiterals(),
			cel.ValidateTimestampLiterals(),
			cel.ValidateComprehensionNestingLimit(mostNesting),
		),
	}
	for _, v := range advice.Variables {
		options = append(options, cel.Variable(v.Name, v.Type))
	}
	env, err := cel.NewEnv(slices.Concat(options, ownFunctions())...)
	if err != nil {
		return nil, err
	}
	// An environment is completed lazily when it meets the first unknown name.
	// It is shared, so that must happen now and not concurrently.
	_, _ = env.Compile("nothing.of.this")
	return env, nil
}
