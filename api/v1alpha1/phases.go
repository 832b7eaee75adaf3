package v1alpha1

import "strings"

// Phase is the shared status word of a workload.
type Phase string

// The phases. Undefined is what remains when no mapping matches; a definition
// cannot map anything to it.
const (
	PhaseInitializing Phase = "Initializing"
	PhaseRunning      Phase = "Running"
	PhaseCompleted    Phase = "Completed"
	PhaseFailed       Phase = "Failed"
	PhaseDegraded     Phase = "Degraded"
	PhaseSuspended    Phase = "Suspended"
	PhaseSuspending   Phase = "Suspending"
	PhaseResuming     Phase = "Resuming"
	PhaseUndefined    Phase = "Undefined"
)

// Key is the name of the phase in statusMappings: "initializing" for
// Initializing. Undefined has no key and yields "".
func (p Phase) Key() string {
	if p == PhaseUndefined {
		return ""
	}
	return strings.ToLower(string(p))
}

// Phases lists the phases that a definition can map, in the order in which
// [StatusMappings] declares them.
func Phases() []Phase {
	return []Phase{
		PhaseInitializing, PhaseRunning, PhaseCompleted, PhaseFailed,
		PhaseDegraded, PhaseSuspended, PhaseSuspending, PhaseResuming,
	}
}

// MatchPhases lists the phases that a definition can map, in the order in which
// all matching phases of a workload are reported. The order is that of Karta.
func MatchPhases() []Phase {
	return []Phase{
		PhaseResuming, PhaseSuspending, PhaseSuspended, PhaseRunning,
		PhaseFailed, PhaseCompleted, PhaseInitializing, PhaseDegraded,
	}
}

// HeadlinePhases lists every phase, the one that says most about a workload
// first. The headline of a workload is the first of them that matched.
func HeadlinePhases() []Phase {
	return []Phase{
		PhaseFailed, PhaseCompleted, PhaseSuspending, PhaseResuming, PhaseSuspended,
		PhaseDegraded, PhaseRunning, PhaseInitializing, PhaseUndefined,
	}
}

// For returns the matchers of a phase, nil when there are none. The slice is the
// definition's own.
func (m StatusMappings) For(phase Phase) []StatusMatcher {
	switch phase {
	case PhaseInitializing:
		return m.Initializing
	case PhaseRunning:
		return m.Running
	case PhaseCompleted:
		return m.Completed
	case PhaseFailed:
		return m.Failed
	case PhaseDegraded:
		return m.Degraded
	case PhaseSuspended:
		return m.Suspended
	case PhaseSuspending:
		return m.Suspending
	case PhaseResuming:
		return m.Resuming
	default:
		return nil
	}
}
