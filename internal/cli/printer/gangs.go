package printer

import (
	"fmt"
	"io"
	"strings"

	"github.com/workloadmap/wm/resolver"
)

// gangLines tells the gangs of a workload in one line for each kind of gang:
// those that differ only in their key are counted.
func gangLines(out io.Writer, gangs []resolver.Gang) {
	var order []string
	counts := map[string]int{}
	for _, gang := range gangs {
		text := fmt.Sprintf("at least %s (%s)", plural(gang.MinMember, "pod"), members(gang.Members))
		key := gang.Name + "\x00" + text
		if counts[key] == 0 {
			order = append(order, key)
		}
		counts[key]++
	}
	for _, key := range order {
		name, text, _ := strings.Cut(key, "\x00")
		if n := counts[key]; n > 1 {
			line(out, "%d gangs %s: %s each", n, name, text)
		} else {
			line(out, "gang %s: %s", name, text)
		}
	}
}

func members(members []resolver.GangMember) string {
	parts := make([]string, len(members))
	for i, member := range members {
		name := member.Component
		if member.Instance != "" {
			name += "/" + member.Instance
		}
		parts[i] = name + " " + number(member.Min)
	}
	return strings.Join(parts, ", ")
}

func plural(n *int64, noun string) string {
	if n != nil && *n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// Gangs writes one row for each gang of each workload, and its pods below.
func Gangs(out io.Writer, workloads []*resolver.Workload) error {
	t := &table{words: true}
	t.add("WORKLOAD", "GANG", "KEY", "MIN", "MEMBERS")
	for _, w := range workloads {
		for _, gang := range w.Gangs {
			t.add(w.Kind+" "+w.Name, gang.Name, keyText(gang.Key), number(gang.MinMember), members(gang.Members))
			for _, pod := range gang.Pods {
				t.add("  · " + pod)
			}
		}
	}
	return t.write(out)
}

// KAIGroups writes one row for each role as KAI's generic grouper sees it.
func KAIGroups(out io.Writer, groups []resolver.KAIGroup) error {
	t := &table{words: true}
	t.add("ROLE", "POD GROUP", "MIN AVAILABLE", "FAULT")
	for _, group := range groups {
		role := group.Component
		if group.Instance != "" {
			role += "/" + group.Instance
		}
		if role == "" {
			role = "(whole workload)"
		}
		t.add(role, group.Group, fmt.Sprint(group.MinAvailable), group.Fault)
	}
	return t.write(out)
}

// keyText writes a gang's key with ? for parts that only a pod can tell.
func keyText(key []*string) string {
	parts := make([]string, len(key))
	for i, part := range key {
		parts[i] = "?"
		if part != nil {
			parts[i] = *part
		}
	}
	return strings.Join(parts, ",")
}
