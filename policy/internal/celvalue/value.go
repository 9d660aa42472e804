package celvalue

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Adapter converts Go values to CEL values: those of encoding/json with
// json.Number, those of YAML, and the lists and maps of calls.
type Adapter struct{}

// NativeToValue implements types.Adapter.
func (a Adapter) NativeToValue(value any) ref.Val {
	switch v := value.(type) {
	case ref.Val:
		return v
	case nil:
		return types.NullValue
	case string:
		return types.String(v)
	case bool:
		return types.Bool(v)
	case json.Number:
		return number(v)
	case []any:
		return types.NewDynamicList(a, v)
	case []string:
		return types.NewStringList(a, v)
	case map[string]any:
		return types.NewStringInterfaceMap(a, v)
	case map[string]string:
		return types.NewStringStringMap(a, v)
	default:
		return types.DefaultTypeAdapter.NativeToValue(value)
	}
}

// number is an int if the digits are one, else a double. What does not fit into
// a double is an error, so that nothing is compared with infinity.
func number(n json.Number) ref.Val {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return types.Int(i)
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return types.NewErr("the number %.40q is too large", string(n))
	}
	return types.Double(f)
}

// errNoValue is returned for an expression that is not a plain value.
var errNoValue = errors.New("the result is not a plain value: use strings, numbers, booleans, lists and maps")

// Plain converts a CEL value to what encoding/json can write. Times become RFC
// 3339 text.
func Plain(value ref.Val) (any, error) {
	switch v := value.(type) {
	case types.String:
		return string(v), nil
	case types.Bool:
		return bool(v), nil
	case types.Int:
		return int64(v), nil
	case types.Uint:
		return uint64(v), nil
	case types.Double:
		return float64(v), nil
	case types.Null:
		return nil, nil //nolint:nilnil // null is a value
	case types.Timestamp:
		return v.Format(time.RFC3339Nano), nil
	case types.Duration:
		return v.String(), nil
	case traits.Mapper:
		view := make(map[string]any)
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			name, ok := key.(types.String)
			if !ok {
				return nil, fmt.Errorf("a key of the result is a %s: use strings", key.Type().TypeName())
			}
			element, err := Plain(v.Get(key))
			if err != nil {
				return nil, err
			}
			view[string(name)] = element
		}
		return view, nil
	case traits.Lister:
		view := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			element, err := Plain(it.Next())
			if err != nil {
				return nil, err
			}
			view = append(view, element)
		}
		return view, nil
	default:
		return nil, errNoValue
	}
}
