package where

import (
	"net/netip"
	"strconv"
	"strings"
)

// canonical is the name of a host in its usual form. Addresses have several: curl, and what
// else asks the C library, read 0xA9FEA9FE, 2852039166, 0251.0376.0251.0376, 169.254.43518
// and [::ffff:169.254.169.254] as 169.254.169.254.
func canonical(name string) string {
	name = strings.TrimSuffix(strings.Map(narrow, strings.ToLower(name)), ".")
	if address, ok := numeric(name); ok {
		return address.String()
	}
	if strings.Contains(name, ":") {
		if address, err := netip.ParseAddr(name); err == nil {
			return address.Unmap().String()
		}
	}
	return name
}

// narrow is a character as names of hosts have it, of which there are wide ones.
func narrow(r rune) rune {
	switch {
	case r >= '\uff01' && r <= '\uff5e':
		return r - '\uff01' + '!'
	case r == '\u3002' || r == '\uff61':
		return '.'
	default:
		return r
	}
}

// numeric reads an IPv4 address as inet_aton does: up to four numbers, each decimal, octal
// with a leading 0 or hexadecimal with a leading 0x, the last of which fills what is left.
func numeric(name string) (netip.Addr, bool) {
	if name == "" || name[0] < '0' || name[0] > '9' {
		return netip.Addr{}, false
	}
	parts := strings.Split(name, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var bytes [4]byte
	for i, part := range parts {
		n, ok := number(part)
		last := i == len(parts)-1
		if !ok || !last && n > 0xff || last && n >= 1<<(8*(4-i)) {
			return netip.Addr{}, false
		}
		if !last {
			bytes[i] = byte(n)
			continue
		}
		for at := len(bytes) - 1; at >= i; at-- {
			bytes[at] = byte(n)
			n >>= 8
		}
	}
	return netip.AddrFrom4(bytes), true
}

func number(text string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(text, "0x"):
		base, text = 16, text[2:]
	case len(text) > 1 && text[0] == '0':
		base, text = 8, text[1:]
	}
	if text == "" {
		return 0, base == 16 // of 0x some make 0
	}
	if text[0] == '+' || text[0] == '-' || strings.Contains(text, "_") {
		return 0, false
	}
	n, err := strconv.ParseUint(text, base, 64)
	return n, err == nil
}

// Numeric is the usual form of a numeric address that is written in another one, empty for
// all else.
func Numeric(name string) string {
	if usual := canonical(name); !strings.EqualFold(usual, name) && strings.Trim(usual, "0123456789.") == "" && usual != "" {
		return usual
	}
	return ""
}
