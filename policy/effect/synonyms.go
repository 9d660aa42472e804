package effect

// Synonyms are what people write for verbs, by what they write.
func Synonyms() map[string]string {
	return map[string]string{
		"remove": "delete", "rm": "delete", "unlink": "delete", "erase": "delete", "truncate": "delete", "move": "delete",
		"create": "write", "edit": "write", "modify": "write", "append": "write", "update": "write", "overwrite": "write", "change": "write", "copy": "write",
		"open": "read", "cat": "read", "view": "read", "chmod": "mode", "chown": "mode", "symlink": "link", "wipe": "format",
		"exec": "run", "execute": "run", "eval": "run-hidden", "terminate": "kill", "restart": "control", "trace": "control", "attach": "control", "firewall": "cut-off", "agent": "start-agent", "reboot": "shutdown",
		"download": "fetch", "get": "fetch", "upload": "send", "post": "send", "exfiltrate": "send", "network": "connect",
		"forcepush": "force-push", "push-force": "force-push", "reset": "discard", "rebase": "rewrite-history", "no-verify": "skip-checks",
		"deploy": "apply", "release": "publish", "sudo": "grant", "cron": "persist", "schedule": "persist", "disable": "disarm", "export": "set-variable",
	}
}
