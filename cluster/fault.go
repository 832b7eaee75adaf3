package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// Reason sorts faults by what a user can do about them.
type Reason string

const (
	// Unreachable means that no API server answers at the address.
	Unreachable Reason = "unreachable"
	// TimedOut means that no answer came in time.
	TimedOut Reason = "timed out"
	// Unauthorized means that the credentials are not accepted, or no longer.
	Unauthorized Reason = "unauthorized"
	// Forbidden means that the user has no right to read this.
	Forbidden Reason = "forbidden"
	// NotFound means that the object or the kind is not there.
	NotFound Reason = "not found"
	// Expired means that the server no longer has the snapshot of a paged list.
	Expired Reason = "expired"
	// Failed is any other answer than the one asked for.
	Failed Reason = "failed"
)

// Fault is one thing that could not be read.
type Fault struct {
	// What was asked, such as "list jobs.batch in namespace a".
	What   string
	Reason Reason
	// Text is what went wrong, in the server's words where it has any; it holds no credentials.
	Text string
	// cause is kept for errors.Is and errors.As.
	cause error
}

func (f *Fault) Error() string {
	if f.What == "" {
		return f.Text
	}
	return "cannot " + f.What + ": " + f.Text
}

func (f *Fault) Unwrap() error { return f.cause }

// Refused reports whether a fault is about the connection or the credentials,
// so that nothing else will be answered either.
func (f *Fault) Refused() bool {
	return f.Reason == Unreachable || f.Reason == TimedOut || f.Reason == Unauthorized
}

// ReasonOf is the Reason of the Fault in an error, "" when there is none.
func ReasonOf(err error) Reason {
	var fault *Fault
	if errors.As(err, &fault) {
		return fault.Reason
	}
	return ""
}

// errGaveUp ends what was still to be read when a server has stopped answering.
var errGaveUp = errors.New("not asked, since the server has stopped answering")

// fault says in words what an error of client-go means.
func (c *Client) fault(what string, err error) *Fault {
	var known *Fault
	if errors.As(err, &known) {
		return known
	}
	fault := &Fault{What: what, cause: err}
	fault.Reason, fault.Text = c.explain(err)
	fault.Text = c.secrets.hide(fault.Text)
	return fault
}

func (c *Client) explain(err error) (Reason, string) {
	var status apierrors.APIStatus
	answered := errors.As(err, &status)
	switch {
	case errors.Is(err, context.Canceled):
		return Failed, "interrupted"
	case errors.Is(err, errGaveUp):
		return Unreachable, errGaveUp.Error()
	case apierrors.IsUnauthorized(err):
		return Unauthorized, "the cluster does not accept these credentials: " + status.Status().Message
	case apierrors.IsForbidden(err):
		return Forbidden, status.Status().Message
	case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
		return Expired, status.Status().Message
	case apierrors.IsNotFound(err):
		return NotFound, status.Status().Message
	case errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return TimedOut, timedOutText(c.timeout)
	case broken(err):
		return Failed, "the connection broke while the answer was read"
	case answered:
		return Failed, status.Status().Message
	}
	var address *url.Error
	if errors.As(err, &address) {
		return Unreachable, fmt.Sprintf("the cluster at %s cannot be reached: %v", c.host, address.Err)
	}
	return Failed, err.Error()
}

func timedOutText(limit time.Duration) string {
	if limit == 0 {
		return "no answer in time"
	}
	return fmt.Sprintf("no answer within %s", limit)
}

// isTimeout recognizes deadlines of the HTTP client, of the network and of the rate limiter,
// which sees ahead that its turn would come too late.
func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() ||
		strings.Contains(err.Error(), "would exceed context deadline")
}

// transient reports whether the same read may well work when it is tried again:
// the connection broke, or the server stumbled.
func transient(err error) bool {
	switch {
	case apierrors.IsInternalError(err), apierrors.IsServiceUnavailable(err), apierrors.IsTooManyRequests(err):
		return true
	case broken(err):
		return true
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		code := status.Status().Code
		return code == 502 || code == 503 || code == 504
	}
	return false
}

// broken reports whether a connection ended before the answer did. client-go
// words that so without wrapping the cause.
func broken(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err) ||
		strings.Contains(err.Error(), "when reading response body")
}

// secrets are texts that no output may hold.
type secrets []string

func (s secrets) hide(text string) string {
	for _, secret := range s {
		if len(secret) > 3 {
			text = strings.ReplaceAll(text, secret, "(hidden)")
		}
	}
	return text
}
