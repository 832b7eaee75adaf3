package importer

// tally counts what was replaced: the values of each kind, and how often.
type tally struct {
	values [kindCount]map[string]bool
	places [kindCount]int
}

func (t *tally) count(k kind, value string) {
	if t.values[k] == nil {
		t.values[k] = map[string]bool{}
	}
	t.values[k][value] = true
	t.places[k]++
}

func (t *tally) add(other *tally) {
	for k := range kindCount {
		t.places[k] += other.places[k]
		for value := range other.values[k] {
			if t.values[k] == nil {
				t.values[k] = map[string]bool{}
			}
			t.values[k][value] = true
		}
	}
}

func (t *tally) empty() bool { return t.places == [kindCount]int{} }

func (t *tally) counts() []Count {
	var counts []Count
	for k, places := range t.places {
		if places == 0 {
			continue
		}
		count := Count{What: kindNames[k][1], Values: len(t.values[k]), Places: places}
		if count.Values == 1 {
			count.What = kindNames[k][0]
		}
		counts = append(counts, count)
	}
	return counts
}
