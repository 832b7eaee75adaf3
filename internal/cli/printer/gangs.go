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
		line := fmt.Sprintf("at least %s (%s)", plural(gang.MinMember, "pod"), members(gang.Members))
		key := gang.Name + "\x00" + line
		if counts[key] == 0 {
			order = append(order, key)
		}
		counts[key]++
	}
	for _, key := range order {
		name, line, _ := strings.Cut(key, "\x00")
		if n := counts[key]; n > 1 {
			fmt.Fprintf(out, "%d gangs %s: %s each\n", n, name, line)
		} else {
			fmt.Fprintf(out, "gang %s: %s\n", name, line)
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
