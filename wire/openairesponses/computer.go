package openairesponses

import (
	"bytes"

	"github.com/sluice-project/sluice/internal/jsonscan"
)

// A computer call has one action, or in newer versions of the tool a batch of actions.
const (
	memberAction  = "action"
	memberActions = "actions"
)

// isTwoActions reports whether an item has a batch of actions that is not its only body:
// clients prefer either.
func (v *itemView) isTwoActions() bool {
	return v.actions.present() && !isEmptyList(v.actions.raw) && (v.typ != itemComputer || v.action.present())
}

// isEmptyList reports whether JSON is a list without elements, however it is spaced.
func isEmptyList(raw []byte) bool {
	return len(raw) >= 2 && raw[0] == '[' && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}

// computerBody is what a computer call does. Arguments are an object, so a batch of
// actions is judged together with the name of its member.
func (v *itemView) computerBody() []byte {
	if !v.actions.present() || v.action.present() {
		return orItem(&v.action, v.raw)
	}
	body := make([]byte, 0, len(`{"actions":}`)+len(v.actions.raw))
	body = append(body, `{"actions":`...)
	return append(append(body, v.actions.raw...), '}')
}

// callBody returns the member of an item of a type that holds a call's arguments, and
// its JSON value. Arguments that are themselves an item of that type, with its id, because
// it had no body when it was judged, take the place of the whole item: the member is empty
// then.
func callBody(typ, arguments string) (member string, body []byte) {
	member, isJSON := bodyMember(typ)
	if !isJSON {
		return member, jsonscan.AppendString(nil, arguments)
	}
	body = []byte(arguments)
	if raw, _, ok := jsonscan.Get(body, "type"); ok {
		is, isText := jsonscan.Unquote(nil, raw)
		if _, _, has := jsonscan.Get(body, "id"); has && isText && string(is) == typ {
			return "", body
		}
	}
	if typ == itemComputer {
		if batch, _, ok := jsonscan.Get(body, memberActions); ok {
			return memberActions, batch
		}
	}
	return member, body
}

// hasOther reports whether an item has another body than the given member, which would
// stay in it.
func (v *itemView) hasOther(member string) bool {
	return member == memberAction && v.actions.present() || member == memberActions && v.action.present()
}
