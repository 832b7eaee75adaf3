package cluster

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// Client reads one cluster. It is safe for concurrent use.
type Client struct {
	// Namespace is the one that commands mean when they name none.
	Namespace string

	discovery  *discovery.DiscoveryClient
	dynamic    dynamic.Interface
	metadata   metadata.Interface
	core       rest.Interface
	parameters runtime.ParameterCodec

	host    string
	timeout time.Duration
	secrets secrets
	// slots bounds the requests that run at a time.
	slots chan struct{}
	// unanswered counts the reads without an answer since the last answer.
	unanswered atomic.Int32

	served struct {
		once      sync.Once
		resources *Resources
		err       error
	}
}

// Attempts of one read, and when reading is given up altogether.
const (
	attempts      = 3
	firstPause    = 100 * time.Millisecond
	maxUnanswered = parallelRequests
)

// read runs one request in a slot, within the time limit, and again when its
// failure looks transient. Other answers than the wanted one are a *Fault.
func (c *Client) read(ctx context.Context, what string, request func(context.Context) error) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return c.fault(what, ctx.Err())
	}
	if c.unanswered.Load() >= maxUnanswered {
		return c.fault(what, errGaveUp)
	}
	// client-go tells its log about retries and throttling, which nobody asked for.
	ctx = klog.NewContext(ctx, logr.Discard())
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	pause := firstPause
	for attempt := 1; ; attempt++ {
		err := request(ctx)
		if err == nil {
			c.unanswered.Store(0)
			return nil
		}
		if !transient(err) || attempt == attempts || !sleep(ctx, pause) {
			fault := c.fault(what, err)
			c.note(fault)
			return fault
		}
		pause *= 2
	}
}

// note keeps count of silence: any answer, also a refusal, is a sign of life.
func (c *Client) note(fault *Fault) {
	if fault.Reason == TimedOut || fault.Reason == Unreachable {
		c.unanswered.Add(1)
		return
	}
	c.unanswered.Store(0)
}

func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// inNamespace is the end of a sentence about a namespace.
func inNamespace(namespace string) string {
	if namespace == "" {
		return " in all namespaces"
	}
	return fmt.Sprintf(" in namespace %s", namespace)
}
