package settings

import "github.com/spf13/pflag"

// Flags registers the flags that all commands with a gateway have: --config and
// those of most keys. The flags have no defaults, so that Load can distinguish flags
// that were given from those that were not.
func Flags(fs *pflag.FlagSet) {
	registerConfig(fs)
	register(fs, usedByAll)
}

// DataFlags registers --config and --data, for commands that only need the data
// directory.
func DataFlags(fs *pflag.FlagSet) {
	registerConfig(fs)
	for _, k := range newCatalog() {
		if k.path == "data" {
			fs.String(k.flag, "", k.doc+" (variable "+k.variable+")")
		}
	}
}

func registerConfig(fs *pflag.FlagSet) {
	fs.String(configFlag, "", "configuration file (variable "+configVariable+"; default config.yaml in the user's configuration directory for sluice)")
}

// ServeFlags registers the flags of gateways that other machines may reach:
// --insecure, --tls-cert and --tls-key.
func ServeFlags(fs *pflag.FlagSet) { register(fs, usedToServe) }

// SessionFlags registers the flags of what policies are told about the client.
func SessionFlags(fs *pflag.FlagSet) { register(fs, usedForSessions) }

func register(fs *pflag.FlagSet, by use) {
	for _, k := range newCatalog() {
		if k.flag == "" || k.use != by {
			continue
		}
		doc := k.doc + " (variable " + k.variable
		if k.fallback != "" && k.fallback != "false" {
			doc += "; default " + k.fallback
		}
		doc += ")"
		switch {
		case k.many:
			fs.StringArrayP(k.flag, k.short, nil, doc)
		case k.fallback == "false":
			fs.BoolP(k.flag, k.short, false, doc)
		default:
			fs.StringP(k.flag, k.short, "", doc)
		}
	}
}
