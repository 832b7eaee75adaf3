package testcluster

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Kind is a custom resource that the cluster is to serve: namespaced, with a
// status subresource, and with any fields whatever.
type Kind struct {
	schema.GroupVersionKind
	Plural     string
	ShortNames []string
	// Unserved installs the CRD with its one version switched off.
	Unserved bool
}

// Resource is what objects of the kind are asked for by.
func (k Kind) Resource() schema.GroupVersionResource {
	return k.GroupVersion().WithResource(k.Plural)
}

// The kinds of some frameworks, under the names that their operators serve.
var (
	RayCluster = kind("ray.io/v1 RayCluster rayclusters")
	JobSet     = kind("jobset.x-k8s.io/v1alpha2 JobSet jobsets")
	PyTorchJob = kind("kubeflow.org/v1 PyTorchJob pytorchjobs")
	// LeaderWorkerSet has a short name, as its operator's CRD has.
	LeaderWorkerSet = kind("leaderworkerset.x-k8s.io/v1 LeaderWorkerSet leaderworkersets", "lws")
)

// kind reads "GROUP/VERSION KIND PLURAL".
func kind(words string, shortNames ...string) Kind {
	var groupVersion, name, plural string
	if _, err := fmt.Sscan(words, &groupVersion, &name, &plural); err != nil {
		panic(err)
	}
	return Kind{
		GroupVersionKind: schema.FromAPIVersionAndKind(groupVersion, name),
		Plural:           plural,
		ShortNames:       shortNames,
	}
}

// CRDs is where CRDs themselves are made.
var CRDs = schema.GroupVersionResource{
	Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions",
}

// Install makes a CRD for each kind and returns once the API server serves
// them (those that are to be served).
func (c *Cluster) Install(ctx context.Context, kinds ...Kind) error {
	config, err := c.Config()
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	asked, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		if _, err := client.Resource(CRDs).Create(ctx, kind.Definition(), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("install the CRD of %s: %w", kind.Kind, err)
		}
	}
	for _, kind := range kinds {
		if kind.Unserved {
			continue
		}
		err := c.programs.Wait(ctx, "the CRD of "+kind.Kind, func(context.Context) error {
			list, err := asked.ServerResourcesForGroupVersion(kind.GroupVersion().String())
			if err != nil {
				return err
			}
			for _, served := range list.APIResources {
				if served.Name == kind.Plural {
					return nil
				}
			}
			return fmt.Errorf("%s is not among the resources of %s", kind.Plural, kind.GroupVersion())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Definition is the kind's CRD.
func (k Kind) Definition() *unstructured.Unstructured {
	shortNames := make([]any, len(k.ShortNames))
	for i, name := range k.ShortNames {
		shortNames[i] = name
	}
	anything := map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	metadata := map[string]any{"name": k.Plural + "." + k.Group}
	// Groups of the Kubernetes project are reserved for those who say so.
	metadata["annotations"] = map[string]any{"api-approved.kubernetes.io": "unapproved, for tests only"}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   metadata,
		"spec": map[string]any{
			"group": k.Group,
			"scope": "Namespaced",
			"names": map[string]any{
				"plural": k.Plural, "kind": k.Kind, "shortNames": shortNames,
			},
			"versions": []any{map[string]any{
				"name": k.Version, "served": !k.Unserved, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type":       "object",
					"properties": map[string]any{"spec": anything, "status": anything},
				}},
				"subresources": map[string]any{"status": map[string]any{}},
			}},
		},
	}}
}
