package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// How long to wait before a watch that ended is opened anew, and how often
// something may have changed where nothing can be watched.
const (
	watchPause = 500 * time.Millisecond
	pollPause  = 10 * time.Second
)

// Changes tells when something changed that a Query shows, until the context is
// done. Changes that come together are told once. Only metadata is watched; a
// watch that ends goes on where it was, and what it may have missed counts as a
// change.
func (c *Client) Changes(ctx context.Context, query Query) <-chan struct{} {
	changed := make(chan struct{}, 1)
	notify := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	ctx = klog.NewContext(ctx, logr.Discard())
	resources := []Resource{podResource()}
	for _, kind := range query.Types {
		if !slices.ContainsFunc(resources, kind.Resource.sameKind) {
			resources = append(resources, kind.Resource)
		}
	}
	for _, resource := range resources {
		go c.follow(ctx, resource, query.Namespace, notify)
	}
	return changed
}

// follow watches one kind for ever.
func (c *Client) follow(ctx context.Context, r Resource, namespace string, notify func()) {
	version := ""
	for ctx.Err() == nil {
		pause := watchPause
		if version == "" {
			var err error
			if version, err = c.version(ctx, r, namespace); err != nil {
				pause = pollPause
			}
			notify()
		}
		if version != "" {
			watcher, err := c.metadataIn(r, namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: version})
			switch {
			case err == nil:
				version = drain(watcher, version, notify)
			case ReasonOf(c.fault("", err)) == Expired:
				version = ""
			default:
				version, pause = "", pollPause
			}
		}
		sleep(ctx, pause)
	}
}

// version is where a watch of a kind begins: now.
func (c *Client) version(ctx context.Context, r Resource, namespace string) (string, error) {
	version := ""
	err := c.read(ctx, "watch "+r.String()+inNamespace(namespace), func(ctx context.Context) error {
		list, err := c.metadataIn(r, namespace).List(ctx, metav1.ListOptions{Limit: 1})
		if err == nil {
			version = list.ResourceVersion
		}
		return err
	})
	return version, err
}

// drain reads a watch to its end and gives the version to go on from, "" when
// changes may have been missed.
func drain(watcher watch.Interface, version string, notify func()) string {
	defer watcher.Stop()
	for event := range watcher.ResultChan() {
		if event.Type == watch.Error {
			return ""
		}
		if about, err := meta.Accessor(event.Object); err == nil && about.GetResourceVersion() != "" {
			version = about.GetResourceVersion()
		}
		if event.Type != watch.Bookmark {
			notify()
		}
	}
	return version
}
