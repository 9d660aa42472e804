package gateway

import (
	"fmt"
	"strings"
)

// Roles are what a key may be used for, a set.
type Roles uint8

// The roles.
const (
	// RoleSend: to send requests to models.
	RoleSend Roles = 1 << iota
	// RoleRead: to read metrics, the status and live events.
	RoleRead
	// RoleApprove: to decide where a policy asks. Nothing uses it yet.
	RoleApprove
	// RoleAdmin: all admin routes, including what RoleRead and RoleApprove
	// allow, but no requests to models.
	RoleAdmin
)

var roleNames = [...]string{"send", "read", "approve", "admin"}

// RoleNames are the names of all roles.
func RoleNames() []string { return roleNames[:] }

// ParseRoles reads the names of roles. None means RoleSend.
func ParseRoles(names ...string) (Roles, error) {
	var roles Roles
next:
	for _, name := range names {
		for i, known := range roleNames {
			if name == known {
				roles |= 1 << i
				continue next
			}
		}
		return 0, fmt.Errorf("there is no role %q: use send, read, approve or admin", name)
	}
	if roles == 0 {
		roles = RoleSend
	}
	return roles, nil
}

// Names are the names of the roles in the set.
func (r Roles) Names() []string {
	var names []string
	for i, name := range roleNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String formats the roles for people.
func (r Roles) String() string { return strings.Join(r.Names(), ", ") }

// may reports whether a key with these roles may be used for what a role allows. A
// key without roles may send.
func (r Roles) may(role Roles) bool {
	switch {
	case r == 0:
		return role == RoleSend
	case r&RoleAdmin != 0 && role != RoleSend:
		return true
	}
	return r&role != 0
}
