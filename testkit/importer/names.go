package importer

import (
	"fmt"
	"net/netip"
	"strings"
)

// kind is a kind of value that is replaced, or dropped.
type kind int

const (
	managedFields kind = iota
	appliedCopies
	resourceVersions
	selfLinks
	uids
	times
	nodes
	hosts
	addresses
	hardware
	images
	digests
	mails
	credentials
	kindCount
)

// kindNames are the kinds in the singular and in the plural.
var kindNames = [kindCount][2]string{
	{"managedFields", "managedFields"}, {"copy of the applied object", "copies of the applied object"}, {"resourceVersion", "resourceVersions"},
	{"selfLink", "selfLinks"}, {"UID", "UIDs"}, {"time", "times"}, {"node", "nodes"}, {"host", "hosts"}, {"IP address", "IP addresses"},
	{"MAC address", "MAC addresses"}, {"image", "images"}, {"digest", "digests"}, {"e-mail address", "e-mail addresses"}, {"credential", "credentials"},
}

// naming gives new values to originals of one kind. Values that are already
// replacements keep themselves, so that an imported case imports unchanged.
type naming struct {
	// next is the n-th replacement, n from 1.
	next func(n int) string
	// fixed reports replacements, and values that are the same everywhere.
	fixed func(value string) bool
	given map[string]string
	// used are the replacements that the input holds already.
	used map[string]bool
	n    int
}

func newNaming(next func(n int) string, fixed func(string) bool) *naming {
	return &naming{next: next, fixed: fixed, given: map[string]string{}, used: map[string]bool{}}
}

// of is the replacement of a value. While the input is only looked at, it notes
// what is taken.
func (n *naming) of(value string, looking bool) string {
	if n.fixed(value) {
		n.used[value] = true
		return value
	}
	if looking {
		return value
	}
	if n.given[value] == "" {
		for n.given[value] == "" || n.used[n.given[value]] {
			n.n++
			n.given[value] = n.next(n.n)
		}
	}
	return n.given[value]
}

const uidPrefix = "00000000-0000-4000-8000-"

func newUIDs() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("%s%012x", uidPrefix, n) },
		func(value string) bool { return strings.HasPrefix(value, uidPrefix) })
}

func newNodes() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("node-%d", n) }, func(value string) bool {
		number, found := strings.CutPrefix(value, "node-")
		return found && number != "" && strings.Trim(number, "0123456789") == ""
	})
}

// Names below these domains are reserved (RFC 2606, RFC 6761): nobody's hosts.
var reservedDomains = []string{"example", "test", "invalid", "localhost", "example.com", "example.org", "example.net"}

func newHosts() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("host-%d.example", n) }, func(value string) bool {
		for _, domain := range reservedDomains {
			if value == domain || strings.HasSuffix(value, "."+domain) {
				return true
			}
		}
		return false
	})
}

func newMails() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("user-%d@example.com", n) },
		func(value string) bool { return strings.HasSuffix(value, "@example.com") })
}

func newDigests() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("%064x", n) },
		func(value string) bool { return strings.HasPrefix(value, strings.Repeat("0", 48)) })
}

func newHardware() *naming {
	return newNaming(func(n int) string { return fmt.Sprintf("02:00:00:%02x:%02x:%02x", n>>16&255, n>>8&255, n&255) },
		func(value string) bool {
			return strings.HasPrefix(value, "02:00:00:") || value == "00:00:00:00:00:00" || strings.EqualFold(value, "ff:ff:ff:ff:ff:ff")
		})
}

// documentation are the networks that replace addresses, smallest first:
// RFC 5737, RFC 2544 and RFC 3849 keep them from being anybody's.
var documentation = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("2001:db8::/32")}

// sameEverywhere reports addresses that tell nothing about a cluster.
func sameEverywhere(address netip.Addr) bool {
	address = address.Unmap()
	if address.IsLoopback() || address.IsUnspecified() || address == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return true
	}
	for _, network := range documentation {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

func fixedAddress(value string) bool {
	address, err := netip.ParseAddr(value)
	return err == nil && sameEverywhere(address)
}

func newIPv4() *naming {
	return newNaming(func(n int) string {
		for _, start := range []string{"192.0.2", "198.51.100", "203.0.113"} {
			if n <= 254 {
				return fmt.Sprintf("%s.%d", start, n)
			}
			n -= 254
		}
		return fmt.Sprintf("198.%d.%d.%d", 18+n>>16&1, n>>8&255, n&255)
	}, fixedAddress)
}

func newIPv6() *naming {
	return newNaming(func(n int) string {
		if n>>16 > 0 {
			return fmt.Sprintf("2001:db8::%x:%x", n>>16, n&0xffff)
		}
		return fmt.Sprintf("2001:db8::%x", n)
	}, fixedAddress)
}
