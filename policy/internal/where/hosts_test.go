package where_test

import (
	"fmt"
	"testing"

	"github.com/sluice-project/sluice/policy/internal/where"
)

// An address is the same host in every form in which programs take it.
func TestNumericAddressesAreDotted(t *testing.T) {
	t.Parallel()

	for _, ip := range [][4]uint32{{169, 254, 169, 254}, {127, 0, 0, 1}, {10, 0, 0, 7}, {8, 8, 4, 4}} {
		want := fmt.Sprintf("%d.%d.%d.%d", ip[0], ip[1], ip[2], ip[3])
		last2, last3 := ip[2]<<8|ip[3], ip[1]<<16|ip[2]<<8|ip[3]
		whole := ip[0]<<24 | last3
		hosts := []string{want, want + ".", fmt.Sprintf("[::ffff:%s]", want), fmt.Sprintf("[0:0:0:0:0:FFFF:%x:%x]", ip[0]<<8|ip[1], last2), fmt.Sprintf("\uff11%s", want[1:])}
		if want[0] != '1' {
			hosts = hosts[:len(hosts)-1]
		}
		for _, form := range []string{"%d", "0x%x", "0X%X", "0%o", "0x000%x", "000%o"} {
			f := func(n uint32) string { return fmt.Sprintf(form, n) }
			hosts = append(hosts, f(whole), f(ip[0])+"."+f(last3), f(ip[0])+"."+f(ip[1])+"."+f(last2), f(ip[0])+"."+f(ip[1])+"."+f(ip[2])+"."+f(ip[3]),
				fmt.Sprintf("%d.%s.%d.%s", ip[0], f(ip[1]), ip[2], f(ip[3])))
		}
		for _, host := range hosts {
			for _, address := range []string{"http://%s/", "https://%s:8443/x", "http://u@%s/", "git@%s:o/r", "ftp://%s"} {
				if address == "git@%s:o/r" && host[0] == '[' {
					continue
				}
				raw := fmt.Sprintf(address, host)
				if got, known := where.Host(raw); got != want || !known {
					t.Errorf("%s: %q %v, want %s", raw, got, known, want)
				}
			}
		}
	}
	for raw, want := range map[string]string{
		"http://256.1.1.1/": "256.1.1.1", "http://1.2.3.4.5/": "1.2.3.4.5", "http://4294967296/": "4294967296", "http://08.0.0.1/": "08.0.0.1", "http://0x1g/": "0x1g",
		"http://1.2.3.4.example.com/": "1.2.3.4.example.com", "http://1e3/": "1e3", "http://a.0x7f/": "a.0x7f", "http://[2001:DB8:0::1]/": "2001:db8::1", "http://1..2/": "1..2",
	} {
		if got, _ := where.Host(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

// What nobody takes for an address has no host; what somebody may take for one, and another
// for another one, is not known.
func TestWhatIsNoAddressHasNoHost(t *testing.T) {
	t.Parallel()

	for _, tc := range []struct {
		text, want string
		known      bool
	}{
		{"changes in db/a.sql", "", true}, {"table users", "", true}, {":8000", "", true}, {"ns a, and b", "", true},
		{"evil.example/a b", "evil.example", true}, {" evil.example", "", false}, {"a b@evil.example", "", false}, {"@:x", "", false}, {"a b:80", "", false},
	} {
		if got, known := where.Host(tc.text); got != tc.want || known != tc.known {
			t.Errorf("%q: %q %v, want %q %v", tc.text, got, known, tc.want, tc.known)
		}
	}
	if got, known := where.PartlyHost("changes in $F", false); got != "" || !known {
		t.Errorf("%q %v", got, known)
	}
}
