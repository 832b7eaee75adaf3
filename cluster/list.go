package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
)

// pageSize is kubectl's: large enough to need few requests, small enough for
// the server to answer each at once.
const pageSize = 500

// maxRestarts bounds how often a list is begun anew after its snapshot expired;
// after that it is asked for in one piece.
const maxRestarts = 2

// Selection narrows a list.
type Selection struct {
	// Namespace is "" for all of them.
	Namespace string
	// Labels and Fields are selectors as kubectl takes them.
	Labels, Fields string
}

func (s Selection) options() metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: s.Labels, FieldSelector: s.Fields, Limit: pageSize}
}

// pages reads a list to its end: fetch reads one page and gives the token of the
// next. When the server no longer has the snapshot that the pages are cut from,
// restart takes back what was kept and the list begins anew, so that no object
// is seen twice or missed. more, unless nil, ends the list early.
func (c *Client) pages(ctx context.Context, what string, options metav1.ListOptions,
	fetch func(context.Context, metav1.ListOptions) (next string, err error), restart func(), more func() bool,
) error {
	for restarts := 0; ; {
		err := c.read(ctx, what, func(ctx context.Context) error {
			next, err := fetch(ctx, options)
			if err == nil {
				options.Continue = next
			}
			return err
		})
		switch {
		case err == nil && options.Continue == "":
			return nil
		case err == nil && more != nil && !more():
			return nil
		case err == nil:
		case ReasonOf(err) == Expired && restarts <= maxRestarts && options.Limit > 0:
			restart()
			options.Continue = ""
			if restarts++; restarts > maxRestarts {
				options.Limit = 0
			}
		default:
			return err
		}
	}
}

// objects are those of a list in JSON form, as whole as the server sends them
// but for managedFields; keep, unless nil, may cut down what is kept of each.
// Beside an error they are those of the pages before it.
func (c *Client) objects(ctx context.Context, r Resource, selection Selection, keep func(map[string]any)) ([]map[string]any, error) {
	var all []map[string]any
	err := c.pages(ctx, "list "+r.String()+inNamespace(selection.Namespace), selection.options(),
		func(ctx context.Context, options metav1.ListOptions) (string, error) {
			page, err := c.in(r, selection.Namespace).List(ctx, options)
			if err != nil {
				return "", err
			}
			for i := range page.Items {
				object := page.Items[i].Object
				complete(object, r)
				if keep != nil {
					keep(object)
				}
				all = append(all, object)
			}
			return page.GetContinue(), nil
		}, func() { all = nil }, nil)
	return all, err
}

// complete gives an object of a list the kind that some servers leave out, and
// takes away what nothing reads.
func complete(object map[string]any, r Resource) {
	if object["kind"] == nil {
		object["kind"] = r.Kind
		object["apiVersion"] = r.apiVersion()
	}
	metadata, _ := object["metadata"].(map[string]any)
	delete(metadata, "managedFields")
}

func (r Resource) apiVersion() string {
	return r.gvr().GroupVersion().String()
}

func (c *Client) in(r Resource, namespace string) dynamic.ResourceInterface {
	if r.Namespaced {
		return c.dynamic.Resource(r.gvr()).Namespace(namespace)
	}
	return c.dynamic.Resource(r.gvr())
}

func (c *Client) metadataIn(r Resource, namespace string) metadata.ResourceInterface {
	if r.Namespaced {
		return c.metadata.Resource(r.gvr()).Namespace(namespace)
	}
	return c.metadata.Resource(r.gvr())
}

// Get reads one whole object in JSON form. A *Fault with reason NotFound says that it is not there.
func (c *Client) Get(ctx context.Context, r Resource, namespace, name string) (map[string]any, error) {
	var found map[string]any
	err := c.read(ctx, "read "+r.String()+" "+name+whereIs(r, namespace), func(ctx context.Context) error {
		object, err := c.in(r, namespace).Get(ctx, name, metav1.GetOptions{})
		if err == nil {
			found = object.Object
			complete(found, r)
		}
		return err
	})
	return found, err
}

func whereIs(r Resource, namespace string) string {
	if !r.Namespaced {
		return ""
	}
	return inNamespace(namespace)
}

// Metadata reads of one object what its owners are.
func (c *Client) Metadata(ctx context.Context, r Resource, namespace, name string) (*metav1.PartialObjectMetadata, error) {
	var found *metav1.PartialObjectMetadata
	err := c.read(ctx, "read "+r.String()+" "+name+whereIs(r, namespace), func(ctx context.Context) error {
		var err error
		found, err = c.metadataIn(r, namespace).Get(ctx, name, metav1.GetOptions{})
		return err
	})
	return found, err
}

// MetadataList reads what the owners of all objects of a kind are, in at most
// maxPages pages; false when there are more.
func (c *Client) MetadataList(ctx context.Context, r Resource, namespace string, maxPages int) (all []metav1.PartialObjectMetadata, complete bool, err error) {
	pagesRead, cut := 0, false
	err = c.pages(ctx, "list "+r.String()+inNamespace(namespace), Selection{Namespace: namespace}.options(),
		func(ctx context.Context, options metav1.ListOptions) (string, error) {
			page, err := c.metadataIn(r, namespace).List(ctx, options)
			if err != nil {
				return "", err
			}
			pagesRead++
			all = append(all, page.Items...)
			return page.Continue, nil
		}, func() { all = nil }, func() bool { cut = pagesRead >= maxPages; return !cut })
	return all, err == nil && !cut, err
}

// isNotFound reports whether the server said that an object is not there.
func isNotFound(err error) bool { return ReasonOf(err) == NotFound || apierrors.IsNotFound(err) }
