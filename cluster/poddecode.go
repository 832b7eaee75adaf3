package cluster

import (
	"bytes"
	"encoding/binary"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// podDecoder decodes a page of pods while the server makes the next one.
type podDecoder struct {
	shared specs
	busy   sync.WaitGroup
	pods   []*pod
	err    error
}

// take begins to decode a page and gives the token of the next.
func (d *podDecoder) take(answer rest.Result) (next string, err error) {
	body, err := answer.Raw()
	if err != nil {
		return "", err
	}
	next, known := tokenOf(body)
	if !known {
		var page corev1.PodList
		if err := answer.Into(&page); err != nil {
			return "", err
		}
		d.busy.Wait()
		return page.Continue, d.keep(&page)
	}
	// One page at a time, so that no more than two are held.
	d.busy.Wait()
	d.busy.Go(func() {
		var page corev1.PodList
		err := answer.Into(&page)
		if err == nil {
			err = d.keep(&page)
		}
		if err != nil && d.err == nil {
			d.err = err
		}
	})
	return next, nil
}

func (d *podDecoder) keep(page *corev1.PodList) error {
	for i := range page.Items {
		kept, err := d.shared.cut(&page.Items[i])
		if err != nil {
			return err
		}
		d.pods = append(d.pods, kept)
	}
	return nil
}

// restart takes back what was decoded.
func (d *podDecoder) restart() {
	d.busy.Wait()
	d.pods, d.err = nil, nil
}

// finish waits for the last page.
func (d *podDecoder) finish() ([]*pod, error) {
	d.busy.Wait()
	return d.pods, d.err
}

// tokenOf reads the token of the next page from a list in the protobuf encoding
// without decoding its items: the list's metadata is its first field. It is not
// known for other encodings.
func tokenOf(body []byte) (token string, known bool) {
	content, isProtobuf := bytes.CutPrefix(body, []byte("k8s\x00"))
	var envelope runtime.Unknown
	if !isProtobuf || envelope.Unmarshal(content) != nil {
		return "", false
	}
	const firstField = 1<<3 | 2
	if len(envelope.Raw) == 0 || envelope.Raw[0] != firstField {
		return "", false
	}
	size, width := binary.Uvarint(envelope.Raw[1:])
	start := 1 + width
	if width <= 0 || size > uint64(len(envelope.Raw)-start) {
		return "", false
	}
	var about metav1.ListMeta
	if about.Unmarshal(envelope.Raw[start:start+int(size)]) != nil {
		return "", false
	}
	return about.Continue, true
}
