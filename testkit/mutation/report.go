package mutation

import (
	"errors"
	"fmt"
)

// Report is the result of a run.
type Report struct {
	// Definitions are those that read at least one case, sorted by name.
	Definitions []Definition `json:"definitions"`
	// Failing are the cases that fail without any mistake, sorted. They prove
	// nothing and are left out.
	Failing []string `json:"failing"`
}

// Definition is what the cases prove of one definition.
type Definition struct {
	Name string `json:"name"`
	// File is where the definition was read from.
	File string `json:"file"`
	// Cases is how many cases were replayed, and pass.
	Cases int `json:"cases"`
	// Total counts the mutants, Equivalent those of them that are marked.
	Total      int `json:"total"`
	Equivalent int `json:"equivalent"`
	// Killed counts the mutants that a case catches, ByExpect those of them that
	// fail an expectation and ByGolden those that only change the approved view.
	Killed   int `json:"killed"`
	ByExpect int `json:"byExpect"`
	ByGolden int `json:"byGolden"`
	// Percent is Score.
	Percent float64 `json:"score"`
	// Survivors are the mutants that no case catches, in the order of Mutants.
	Survivors []Mutant `json:"survivors"`
	// Caught are the killed ones, with what killed them.
	Caught []Mutant `json:"-"`
}

// Score is the share of the mutants that are killed, in percent; equivalent ones
// are not counted. A definition without mutants has 100.
func (d *Definition) Score() float64 {
	if counted := d.Total - d.Equivalent; counted > 0 {
		return 100 * float64(d.Killed) / float64(counted)
	}
	return 100
}

// count sorts the mutants by their fate.
func (d *Definition) count(mutants []*Mutant, marked marks) error {
	var faults []error
	for _, m := range mutants {
		d.Total++
		mark, equivalent := marked[m.ID]
		switch {
		case equivalent && m.KilledBy != "":
			faults = append(faults, fmt.Errorf("%s: %s is not equivalent: case %s catches it", mark.where, m.ID, m.KilledBy))
		case equivalent:
			d.Equivalent++
		case m.KilledBy == "":
			d.Survivors = append(d.Survivors, *m)
		default:
			d.Killed++
			d.Caught = append(d.Caught, *m)
			if m.ByGolden {
				d.ByGolden++
			} else {
				d.ByExpect++
			}
		}
	}
	d.Percent = d.Score()
	return errors.Join(faults...)
}
