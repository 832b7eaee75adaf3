package importer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// scrubber replaces what tells which cluster the objects are from. It looks at
// everything first: a host that one field names may stand in any text.
type scrubber struct {
	uids, nodes, hosts, mails, digests, hardware, v4, v6 *naming
	// plainUIDs are UIDs that do not look like one, nodeNames what nodes are
	// called, hostNames hosts with a dot, imageNames full image names.
	plainUIDs, nodeNames, hostNames, imageNames map[string]bool
	// objectNames are names of objects and containers, which a node's name must
	// not replace elsewhere.
	objectNames map[string]bool
	// domains belong to API groups and keys of labels.
	domains map[string]bool
	// compactUIDs maps UIDs without dashes to those with, shortNodes the first
	// labels of nodes' names to the whole; seenV4 are the input's addresses.
	compactUIDs, shortNodes map[string]string
	seenV4                  map[string]bool
	// shift is added to all times.
	shift time.Duration
	// looking is set while replacements that the input holds are collected.
	looking bool
	tally
}

func newScrubber() *scrubber {
	s := &scrubber{uids: newUIDs(), nodes: newNodes(), hosts: newHosts(), mails: newMails(), digests: newDigests(), hardware: newHardware(),
		v4: newIPv4(), v6: newIPv6(), plainUIDs: map[string]bool{}, nodeNames: map[string]bool{}, hostNames: map[string]bool{},
		imageNames: map[string]bool{}, objectNames: map[string]bool{}, domains: map[string]bool{}, compactUIDs: map[string]string{}, seenV4: map[string]bool{}}
	return s
}

// mostRounds bounds how often what was scrubbed is looked at again.
const mostRounds = 5

// scrub replaces the objects of the frames by scrubbed copies, until there is
// nothing left to replace: without what stood around it a text can be a host.
func scrub(frames []*frame) ([]Count, error) {
	var total tally
	for range mostRounds {
		s := newScrubber()
		if err := s.scrub(frames); err != nil {
			return nil, err
		}
		if s.empty() {
			break
		}
		total.add(&s.tally)
	}
	return total.counts(), nil
}

// scrub is one round.
func (s *scrubber) scrub(frames []*frame) error {
	all := func(visit func(object map[string]any) (map[string]any, error)) error {
		for _, f := range frames {
			root, err := visit(f.root)
			if err != nil {
				return err
			}
			others := make([]map[string]any, len(f.others))
			for i, other := range f.others {
				if others[i], err = visit(other); err != nil {
					return err
				}
			}
			if !s.looking {
				f.root, f.others = root, others
			}
		}
		return nil
	}
	s.looking = true
	err := all(func(object map[string]any) (map[string]any, error) {
		s.collect("", object)
		return nil, nil
	})
	if err != nil {
		return err
	}
	s.shift = s.distance(frames)
	if err := all(s.object); err != nil {
		return err
	}
	s.looking = false
	return all(s.object)
}

// replaced counts a replacement and returns it.
func (s *scrubber) replaced(k kind, before, after string) string {
	return s.spelled(k, before, before, after)
}

// spelled counts a replacement of a value that is written in another way.
func (s *scrubber) spelled(k kind, value, before, after string) string {
	if before != after && !s.looking {
		s.count(k, value)
	}
	return after
}

func (s *scrubber) dropped(k kind) {
	if !s.looking {
		s.count(k, fmt.Sprint(s.places[k]))
	}
}

func (s *scrubber) object(object map[string]any) (map[string]any, error) {
	// The object's own UID comes first, so that the root has the first number.
	if metadata, ok := object["metadata"].(map[string]any); ok {
		if uid, _ := metadata["uid"].(string); uid != "" {
			s.uids.of(strings.ToLower(uid), s.looking)
		}
	}
	scrubbed, err := s.mapping("", object)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", title(object), err)
	}
	return scrubbed, nil
}

// value scrubs a value that stands under a key; items of a list stand under the
// key of the list.
func (s *scrubber) value(key string, value any) (any, error) {
	switch value := value.(type) {
	case string:
		return s.field(key, value), nil
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			if text, ok := item.(string); ok && i > 0 && namesCredential(value[i-1]) {
				items[i] = s.credential(text)
				continue
			}
			var err error
			if items[i], err = s.value(key, item); err != nil {
				return nil, err
			}
		}
		return items, nil
	case map[string]any:
		return s.mapping(key, value)
	}
	return value, nil
}

var errKeysCollide = errors.New("two keys would become the same")

func (s *scrubber) mapping(under string, object map[string]any) (map[string]any, error) {
	scrubbed := make(map[string]any, len(object))
	secret := isCredential(object["name"])
	for _, key := range slices.Sorted(maps.Keys(object)) {
		value := object[key]
		if s.drops(under, key, value) {
			continue
		}
		renamed := s.key(key)
		if _, taken := scrubbed[renamed]; taken {
			return nil, fmt.Errorf("%s: %w", key, errKeysCollide)
		}
		if text, ok := value.(string); ok && (key == "value" && secret || isCredential(key)) {
			scrubbed[renamed] = s.credential(text)
			continue
		}
		var err error
		if scrubbed[renamed], err = s.value(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	return scrubbed, nil
}

// drops reports fields that only tell how the object came to the API server.
func (s *scrubber) drops(under, key string, value any) bool {
	text, isText := value.(string)
	k := kind(-1)
	switch {
	case under == "metadata" && key == "managedFields":
		k = managedFields
	case under == "annotations" && strings.Contains(key, "last-applied"):
		k = appliedCopies
	case key == "resourceVersion" && isText && strings.Trim(text, "0123456789") == "":
		k = resourceVersions
	case under == "metadata" && key == "selfLink":
		k = selfLinks
	default:
		return false
	}
	s.dropped(k)
	return true
}

// key scrubs the name of a field. The domain before a label's slash is an API's.
func (s *scrubber) key(key string) string {
	if prefix, name, found := strings.Cut(key, "/"); found {
		return prefix + "/" + s.identifiers(name)
	}
	return s.identifiers(key)
}
