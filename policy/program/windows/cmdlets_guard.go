package windows

import (
	"strings"

	"github.com/sluice-project/sluice/policy/effect"
)

// guardCmdlets change what protects the machine, or who may do what on it.
func guardCmdlets() map[string]cmdlet {
	return map[string]cmdlet{
		"uninstall-windowsfeature": withoutDefender, "remove-windowsfeature": withoutDefender, "disable-windowsoptionalfeature": withoutDefender, "remove-mppreference": disarmsIf("virus scanner", "attacksurface"), "remove-mpthreat": nothingDone,
		"disable-bitlocker": disarms("disk encryption"), "suspend-bitlocker": disarms("disk encryption"), "disable-bitlockerautounlock": nothingDone, "disable-tpmautoprovisioning": disarms("disk encryption"),
		"new-netfirewallrule": newFirewallRule, "set-netfirewallrule": newFirewallRule, "enable-psremoting": grants("remote sessions"), "enable-wsmancredssp": grants("remote sessions"), "set-wsmanquickconfig": grants("remote sessions"),
		"enable-localuser": grantsNamed("user"), "set-localuser": func(r *reader, c *call) value {
			if _, ok := c.get("password"); ok {
				r.does(effect.Grant, "user "+c.param(0, "name").text)
			}
			return value{}
		},
		"new-aduser": grantsNamed("user"), "set-adaccountpassword": grantsNamed("user"), "enable-adaccount": grantsNamed("user"), "new-azroleassignment": grantsNamed("role"), "new-mgrolemanagementdirectoryroleassignment": grantsNamed("role"), "register-iamuserpolicy": grantsNamed("role"), "register-iamrolepolicy": grantsNamed("role"),
	}
}

func nothingDone(*reader, *call) value { return value{} }

func grants(what string) cmdlet {
	return func(r *reader, _ *call) value {
		r.does(effect.Grant, what)
		return value{}
	}
}

func grantsNamed(what string) cmdlet {
	return func(r *reader, c *call) value {
		r.does(effect.Grant, strings.TrimSpace(what+" "+strings.Join(c.named().paths(), " ")))
		return value{}
	}
}

func withoutDefender(r *reader, c *call) value {
	for _, name := range c.param(0, "name", "featurename").paths() {
		if strings.Contains(strings.ToLower(name), "defender") {
			r.does(effect.Disarm, "virus scanner")
		}
	}
	return value{}
}

// newFirewallRule opens the machine if it lets somebody in.
func newFirewallRule(r *reader, c *call) value {
	action, _ := c.get("action")
	direction, given := c.get("direction")
	if strings.EqualFold(action.text, "allow") && (!given || strings.EqualFold(direction.text, "inbound")) {
		r.does(effect.Grant, "firewall rule")
	}
	return value{}
}

// unguards notes a key of the registry that protected the machine and is gone.
func (r *reader) unguards(key string) {
	name := folded(key)
	for _, part := range guards {
		if strings.Contains(name, part) {
			r.does(effect.Disarm, "registry "+key)
			return
		}
	}
}

// folded is a key of the registry in small letters, without what a shell may
// have taken away that was in between.
func folded(key string) string {
	return keySigns.Replace(strings.ToLower(key))
}

var keySigns = strings.NewReplacer(`\`, "", "/", "", " ", "", ":", "")
