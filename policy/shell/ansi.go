package shell

import "github.com/sluice-project/sluice/policy/internal/scan"

// ansi reads the escapes of $'...', echo -e and printf.
func ansi(s string) string { return scan.Unescape(s) }
