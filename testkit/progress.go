package testkit

import "sync"

// Progress is told how far a run is: done of total steps, a step being one case.
// Done only grows. Calls come one after the other, though not from one goroutine.
type Progress func(done, total int)

// Steps counts the steps of a run for a Progress.
type Steps struct {
	progress Progress
	total    int

	lock sync.Mutex
	done int
}

// NewSteps starts at none done; progress may be nil.
func NewSteps(progress Progress, total int) *Steps { return &Steps{progress: progress, total: total} }

// Done tells of one more step. It is safe for concurrent use.
func (s *Steps) Done() {
	if s.progress == nil {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.done++
	s.progress(s.done, s.total)
}
