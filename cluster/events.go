package cluster

import (
	"cmp"
	"context"
	"slices"
)

// Warning is one event of type Warning, or several that say the same.
type Warning struct {
	// Kind and Name are of the object that the event is about.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Reason and Message are the reporter's words.
	Reason  string `json:"reason"`
	Message string `json:"message"`
	// Count is how often it happened; Last is when last, RFC 3339, "" when the event does not say.
	Count int64  `json:"count"`
	Last  string `json:"last"`
}

// Warnings reads the warnings about a workload, its pods and the objects
// between, the latest first.
func (c *Client) Warnings(ctx context.Context, found Found) ([]Warning, error) {
	about := map[string]bool{}
	for _, object := range append([]map[string]any{found.Object}, append(found.Pods, found.Between...)...) {
		if metadata, ok := object["metadata"].(map[string]any); ok && text(metadata["uid"]) != "" {
			about[text(metadata["uid"])] = true
		}
	}
	events := Resource{Version: "v1", Kind: "Event", Plural: "events", Namespaced: true}
	objects, err := c.objects(ctx, events, Selection{Namespace: found.Workload.Namespace, Fields: "type=Warning"}, nil)
	warnings := []Warning{}
	for _, event := range objects {
		subject, _ := event["involvedObject"].(map[string]any)
		if !about[text(subject["uid"])] {
			continue
		}
		warnings = append(warnings, warningOf(event, subject))
	}
	slices.SortStableFunc(warnings, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
	})
	return warnings, err
}

// warningOf reads an event in both of its forms: with a count, or with a series.
func warningOf(event, subject map[string]any) Warning {
	w := Warning{
		Kind: text(subject["kind"]), Name: text(subject["name"]),
		Reason: text(event["reason"]), Message: text(event["message"]), Count: 1,
	}
	series, _ := event["series"].(map[string]any)
	metadata, _ := event["metadata"].(map[string]any)
	for _, count := range []any{series["count"], event["count"]} {
		if n, ok := count.(int64); ok && n > 0 {
			w.Count = n
			break
		}
	}
	w.Last = cmp.Or(text(series["lastObservedTime"]), text(event["lastTimestamp"]), text(event["eventTime"]), text(metadata["creationTimestamp"]))
	return w
}
