package printer

// Changed are the rows that look otherwise than when they were shown before,
// which it remembers. Rows that are gone are forgotten when the rows are all
// there are, so that one of the same name is shown again.
func Changed(shown map[string]string, rows []Row, all bool) []Row {
	var changed []Row
	seen := map[string]bool{}
	for _, row := range rows {
		w := row.Workload
		id := w.Namespace + " " + row.typedName()
		seen[id] = true
		looks := string(w.Phase) + " " + number(w.Replicas.Ready) + "/" + number(w.Replicas.Desired) + " " + w.UID
		if shown[id] != looks {
			shown[id] = looks
			changed = append(changed, row)
		}
	}
	for id := range shown {
		if all && !seen[id] {
			delete(shown, id)
		}
	}
	return changed
}
