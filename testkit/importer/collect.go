package importer

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// start is the time at which every imported workload is created.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// nodeFields hold the name of a node; hostFields that of a host, when it has a dot.
var (
	nodeFields = []string{"nodeName", "nominatedNodeName", "kubernetes.io/hostname"}
	hostFields = []string{"host", "hosts", "hostname", "hostnames", "hostIP", "externalName", "fqdn", "domain", "address", "server", "endpoint"}
	// domainFields hold names with the domain of an API before a slash, or the domain itself.
	domainFields = []string{"apiVersion", "apiGroup", "group", "finalizers", "key", "topologyKey", "resourceName", "type", "conditionType",
		"controllerName", "schedulerName", "managedBy"}
)

var (
	hostForm  = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$`)
	hostOfURL = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@\s"']*@)?([A-Za-z0-9._-]+)`)
	// imageForm is a reference that names its registry, so that it cannot be
	// anything else.
	imageForm = regexp.MustCompile(`^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(\.[A-Za-z0-9-]+|:[0-9]+)(/[A-Za-z0-9._-]+)+(:[A-Za-z0-9._-]+|@sha256:[0-9a-f]{64})+$`)
)

// collect notes the names that objects give to nodes, hosts and images.
func (s *scrubber) collect(key string, value any) {
	switch value := value.(type) {
	case string:
		s.collectText(key, value)
	case []any:
		for _, item := range value {
			s.collect(key, item)
		}
	case map[string]any:
		if name, ok := value["name"].(string); ok {
			s.objectNames[name] = true
		}
		selector, _ := value["key"].(string)
		names, _ := value["values"].([]any)
		if selector == "kubernetes.io/hostname" || selector == "metadata.name" {
			for _, name := range names {
				s.collect("nodeName", name)
			}
		}
		for field, item := range value {
			if domain, _, found := strings.Cut(field, "/"); found && isHost(domain) {
				s.domains[domain] = true
			}
			s.collect(field, item)
		}
	}
}

func (s *scrubber) collectText(key, text string) {
	switch {
	case slices.Contains(nodeFields, key):
		if text != "" && !isAddress(text) {
			s.nodeNames[text] = true
		}
	case slices.Contains(domainFields, key):
		if domain, _, _ := strings.Cut(text, "/"); isHost(domain) {
			s.domains[domain] = true
		}
	case slices.Contains(hostFields, key):
		name, _, _ := strings.Cut(text, ":")
		s.collectHost(name)
	case isImageField(key) || isImage(text):
		s.collectImage(text)
	case isUIDField(key) && !uuidForm.MatchString(text) && len(text) >= 8:
		s.plainUIDs[text] = true
	}
	if strings.Contains(text, "://") {
		for _, match := range hostOfURL.FindAllStringSubmatch(text, -1) {
			s.collectHost(strings.TrimRight(match[1], ".-"))
		}
	}
	for _, compact := range uuidForm.FindAllString(text, -1) {
		s.compactUIDs[strings.ReplaceAll(strings.ToLower(compact), "-", "")] = strings.ToLower(compact)
	}
}

func (s *scrubber) collectHost(name string) {
	if !isAddress(name) && isHost(name) && !inCluster(name) {
		s.hostNames[name] = true
	}
}

func (s *scrubber) collectImage(text string) {
	path, found := imagePath(text)
	if !found {
		return
	}
	s.imageNames[text] = true
	registry, _, nested := strings.Cut(path, "/")
	name, _, _ := strings.Cut(registry, ":")
	if nested {
		s.collectHost(name)
	}
}

// inCluster reports names that the cluster's own DNS answers: they consist of
// names of objects.
func inCluster(host string) bool {
	labels := strings.Split(host, ".")
	return host == "localhost" || host == "cluster.local" || slices.Contains(labels, "svc") || strings.HasSuffix(host, ".cluster.local")
}

// longestHost and longestImage are how long a name in the DNS and a reference to
// an image may be; longer texts are neither, and cost time to look at.
const (
	longestHost  = 253
	longestImage = 1024
)

func isHost(text string) bool { return len(text) <= longestHost && hostForm.MatchString(text) }

func isImage(text string) bool { return len(text) <= longestImage && imageForm.MatchString(text) }

func isImageField(key string) bool {
	return key == "image" || key == "imageID" || key == "containerImage" || strings.HasSuffix(key, "Image")
}

func isUIDField(key string) bool {
	return key == "uid" || strings.HasSuffix(key, "UID") || strings.HasSuffix(key, "Uid") ||
		strings.HasSuffix(key, "-uid") || strings.HasSuffix(key, ".uid") || strings.HasSuffix(key, "/uid") || strings.HasSuffix(key, "_uid")
}

// imagePath is an image reference without scheme, and false for what is none.
func imagePath(text string) (path string, ok bool) {
	if _, rest, found := strings.Cut(text, "://"); found {
		text = rest
	}
	return text, text != "" && !strings.ContainsAny(text, " {}$,\"'\n")
}

// distance is what is added to all times, so that the root is created at start.
// Without the root's creation it is that of the first object created, without
// any the earliest time.
func (s *scrubber) distance(frames []*frame) time.Duration {
	var created, earliest time.Time
	note := func(into *time.Time, at time.Time) {
		if into.IsZero() || at.Before(*into) {
			*into = at
		}
	}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			eachTime(value, func(_, _ int, at time.Time, _ string) { note(&earliest, at) })
		case []any:
			for _, item := range value {
				walk(item)
			}
		case map[string]any:
			for _, item := range value {
				walk(item)
			}
		}
	}
	for i, f := range frames {
		for j, object := range append([]map[string]any{f.root}, f.others...) {
			metadata, _ := object["metadata"].(map[string]any)
			text, _ := metadata["creationTimestamp"].(string)
			at, err := time.Parse(time.RFC3339Nano, text)
			if err == nil && i == 0 && j == 0 {
				return start.Sub(at)
			}
			if err == nil {
				note(&created, at)
			}
			walk(object)
		}
	}
	switch {
	case !created.IsZero():
		return start.Sub(created)
	case !earliest.IsZero():
		return start.Sub(earliest)
	}
	return 0
}
