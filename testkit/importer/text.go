package importer

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	uuidForm     = regexp.MustCompile(`[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`)
	hexForm      = regexp.MustCompile(`[0-9a-f]{32,}`)
	tokenForm    = regexp.MustCompile(`[A-Za-z0-9._-]+`)
	imageToken   = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9._:/@-]*`)
	mailForm     = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`)
	ipv4Form     = regexp.MustCompile(`\d{1,3}(\.\d{1,3}){3}`)
	dashedForm   = regexp.MustCompile(`\d{1,3}(-\d{1,3}){3}`)
	ipv6Form     = regexp.MustCompile(`[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*`)
	hardwareForm = regexp.MustCompile(`[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}`)
	timeForm     = regexp.MustCompile(`\d{4}-\d{2}-\d{2}([T ])\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}|[+-]\d{4}| [+-]\d{4})?`)
	// privateHost are names that only a cluster's or company's own DNS answers.
	privateHost = regexp.MustCompile(`^([A-Za-z0-9-]+\.)+(internal|corp|lan|intranet|local)$`)
)

// field scrubs a text that stands under a key.
func (s *scrubber) field(key, text string) string {
	switch {
	case key == "apiVersion" || key == "kind" || key == "apiGroup" || key == "group":
		return text
	case strings.Contains(strings.ToLower(key), "version") && ipv4Form.MatchString(text) && !strings.ContainsAny(text, " /:"):
		return text
	case isUIDField(key) && text != "" && !uuidForm.MatchString(text):
		return s.replaced(uids, text, s.uids.of(text, s.looking))
	case slices.Contains(nodeFields, key) && s.nodeNames[text]:
		return s.replaced(nodes, text, s.nodes.of(text, s.looking))
	case isImageField(key) || isImage(text) || key == "repository" && strings.Contains(text, "/") && !strings.Contains(text, "://"):
		if short, ok := s.image(text); ok {
			return short
		}
	}
	return s.text(text)
}

// text scrubs a text of any kind.
func (s *scrubber) text(text string) string {
	text = s.credentialsIn(text)
	text = each(imageToken, text, func(token, before, _ string) string {
		name := strings.TrimRight(token, ".:")
		known := s.imageNames[name] && strings.Contains(name, "/")
		if !known && (strings.HasSuffix(before, "/") || strings.HasSuffix(before, "@") || !s.namesRegistry(name)) {
			return token
		}
		short, _ := s.image(name)
		return short + token[len(name):]
	})
	text = eachWith("@", mailForm, text, func(mail, before, _ string) string {
		if strings.HasSuffix(before, "//") {
			return mail
		}
		return s.replaced(mails, mail, s.mails.of(mail, s.looking))
	})
	return s.identifiers(text)
}

// namesRegistry reports a word that can only be an image or another path below
// a host: labels and API versions have one slash and no colon.
func (s *scrubber) namesRegistry(word string) bool {
	registry, path, found := strings.Cut(word, "/")
	host, _, port := strings.Cut(registry, ":")
	return found && isHost(host) && !s.domains[host] && !inCluster(host) && !isAddress(host) &&
		(port || strings.ContainsAny(path, "/:"))
}

// identifiers scrubs what may stand in keys too.
func (s *scrubber) identifiers(text string) string {
	text = s.timesIn(text)
	text = each(uuidForm, text, func(uid, _, _ string) string {
		lower := strings.ToLower(uid)
		return s.spelled(uids, lower, uid, s.uids.of(lower, s.looking))
	})
	text = each(hexForm, text, s.hex)
	text = each(tokenForm, text, s.token)
	return s.addressesIn(text)
}

// eachWith is each for a form that cannot do without a sign: most texts lack it.
func eachWith(sign string, form *regexp.Regexp, text string, replace func(match, before, after string) string) string {
	if !strings.Contains(text, sign) {
		return text
	}
	return each(form, text, replace)
}

// each replaces the matches in a text; the function is told what stands around.
func each(form *regexp.Regexp, text string, replace func(match, before, after string) string) string {
	places := form.FindAllStringIndex(text, -1)
	if places == nil {
		return text
	}
	var b strings.Builder
	end := 0
	for _, place := range places {
		b.WriteString(text[end:place[0]])
		b.WriteString(replace(text[place[0]:place[1]], text[:place[0]], text[place[1]:]))
		end = place[1]
	}
	b.WriteString(text[end:])
	return b.String()
}

func (s *scrubber) hex(hex, _, _ string) string {
	switch uid := s.compactUIDs[hex]; {
	case uid != "":
		return s.spelled(uids, uid, hex, strings.ReplaceAll(s.uids.of(uid, s.looking), "-", ""))
	case len(hex) == 64:
		return s.replaced(digests, hex, s.digests.of(hex, s.looking))
	}
	return hex
}

// image takes registry and repository off a reference, and reports false for a
// text that is none.
func (s *scrubber) image(text string) (short string, ok bool) {
	path, ok := imagePath(text)
	if !ok {
		return text, false
	}
	short = text[:len(text)-len(path)] + each(hexForm, path[strings.LastIndexByte(path, '/')+1:], s.hex)
	return s.replaced(images, text, short), true
}

// token scrubs a name of a node or host, alone or with something before or
// behind it.
func (s *scrubber) token(token, before, after string) string {
	name := strings.TrimRight(token, ".-_")
	tail := token[len(name):]
	switch {
	case s.plainUIDs[name]:
		return s.replaced(uids, name, s.uids.of(name, s.looking)) + tail
	case s.nodeNames[name] && (strings.Contains(name, ".") || !s.objectNames[name] && strings.ContainsAny(name, "-0123456789")):
		return s.replaced(nodes, name, s.nodes.of(name, s.looking)) + tail
	case s.domains[name]:
		return token
	case s.hostNames[name]:
		return s.replaced(hosts, name, s.hosts.of(name, s.looking)) + tail
	case inCluster(name):
		return s.ownDomain(name) + tail
	case !strings.Contains(name, "."):
		if full := s.longNames()[name]; full != "" && !s.objectNames[name] {
			return s.spelled(nodes, full, name, s.nodes.of(full, s.looking)) + tail
		}
		return token
	case isHost(name) && privateHost.MatchString(name):
		return s.replaced(hosts, name, s.hosts.of(name, s.looking)) + tail
	}
	// A label before a known name: a subdomain, or a static pod of a node.
	for i := range len(name) {
		rest := name[i+1:]
		if len(rest) <= longestHost && (name[i] == '.' || name[i] == '-') && strings.Contains(rest, ".") && (s.nodeNames[rest] || s.hostNames[rest]) {
			return name[:i+1] + s.token(rest, before, after) + tail
		}
	}
	return token
}

// longNames maps the first label of nodes' names to the whole name.
func (s *scrubber) longNames() map[string]string {
	if s.shortNodes == nil {
		s.shortNodes = map[string]string{}
		for name := range s.nodeNames {
			short, _, dotted := strings.Cut(name, ".")
			if other := s.shortNodes[short]; dotted && strings.ContainsAny(short, "0123456789") && (other == "" || name < other) {
				s.shortNodes[short] = name
			}
		}
	}
	return s.shortNodes
}

// ownDomain gives a name inside the cluster the usual domain.
func (s *scrubber) ownDomain(name string) string {
	inside, domain, found := strings.Cut(name, ".svc.")
	if !found || domain == "cluster.local" || !isHost(domain) {
		return name
	}
	s.replaced(hosts, domain, "cluster.local")
	return inside + ".svc.cluster.local"
}

// eachTime visits the times in a text: where they are and their layout.
func eachTime(text string, visit func(from, to int, at time.Time, layout string)) {
	for _, m := range timeForm.FindAllStringSubmatchIndex(text, -1) {
		layout := "2006-01-02" + text[m[2]:m[3]] + "15:04:05"
		if m[4] >= 0 {
			layout += "." + strings.Repeat("0", m[5]-m[4]-1)
		}
		if m[6] >= 0 {
			switch zone := text[m[6]:m[7]]; {
			case zone == "Z":
				layout += "Z07:00"
			case zone[0] == ' ':
				layout += " -0700"
			case strings.Contains(zone, ":"):
				layout += "-07:00"
			default:
				layout += "-0700"
			}
		}
		at, err := time.Parse(layout, text[m[0]:m[1]])
		// The zero time and the first second of Unix time are not times of anything.
		if err != nil || at.Year() < 2000 || isDigit(last(text[:m[0]])) || isDigit(first(text[m[1]:])) {
			continue
		}
		visit(m[0], m[1], at, layout)
	}
}

func (s *scrubber) timesIn(text string) string {
	if s.shift == 0 {
		return text
	}
	var b strings.Builder
	end := 0
	eachTime(text, func(from, to int, at time.Time, layout string) {
		b.WriteString(text[end:from])
		b.WriteString(s.replaced(times, text[from:to], at.Add(s.shift).Format(layout)))
		end = to
	})
	b.WriteString(text[end:])
	return b.String()
}

func (s *scrubber) addressesIn(text string) string {
	text = each(ipv4Form, text, func(match, before, after string) string {
		address, err := netip.ParseAddr(match)
		if err != nil || isWord(last(before)) || last(before) == '.' || isWord(first(after)) || first(after) == '.' && len(after) > 1 && isDigit(after[1]) {
			return match
		}
		if s.looking && !sameEverywhere(address) {
			s.seenV4[match] = true
		}
		return s.replaced(addresses, match, s.v4.of(match, s.looking))
	})
	text = each(dashedForm, text, func(match, before, after string) string {
		dotted := strings.ReplaceAll(match, "-", ".")
		known := s.seenV4[dotted] || strings.HasSuffix(before, "ip-")
		if _, err := netip.ParseAddr(dotted); err != nil || !known || isDigit(last(before)) || isWord(first(after)) {
			return match
		}
		return s.spelled(addresses, dotted, match, strings.ReplaceAll(s.v4.of(dotted, s.looking), ".", "-"))
	})
	text = eachWith(":", hardwareForm, text, func(match, before, after string) string {
		if isWord(last(before)) || last(before) == ':' || isWord(first(after)) || first(after) == ':' {
			return match
		}
		lower := strings.ToLower(match)
		return s.spelled(hardware, lower, match, s.hardware.of(lower, s.looking))
	})
	return eachWith(":", ipv6Form, text, s.ipv6)
}

func (s *scrubber) ipv6(match, before, after string) string {
	if isWord(last(before)) || isWord(first(after)) || !strings.ContainsAny(match, "0123456789") {
		return match
	}
	for _, candidate := range []string{match, strings.TrimRight(match, ".:")} {
		address, err := netip.ParseAddr(candidate)
		if err != nil || address.Is4() {
			continue
		}
		if address.Is4In6() {
			return match // the IPv4 address in it is replaced already
		}
		return s.spelled(addresses, address.String(), candidate, s.v6.of(address.String(), s.looking)) + match[len(candidate):]
	}
	return match
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func first(text string) byte {
	if text == "" {
		return 0
	}
	return text[0]
}

func last(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
