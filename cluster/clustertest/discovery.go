package clustertest

import (
	"encoding/json"
	"net/http"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (s *Server) discovery(w http.ResponseWriter, request *http.Request) {
	aggregated := !s.legacy && strings.Contains(request.Header.Get("Accept"), "APIGroupDiscoveryList")
	path := strings.Trim(request.URL.Path, "/")
	switch {
	case path == "version":
		write(w, 200, map[string]any{"major": "1", "minor": "37", "gitVersion": "v1.37.2"})
	case aggregated && (path == "api" || path == "apis"):
		w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		_ = json.NewEncoder(w).Encode(s.aggregated(path == "api"))
	case path == "api":
		write(w, 200, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}})
	case path == "apis":
		write(w, 200, s.groups())
	default:
		s.resources(w, strings.TrimPrefix(strings.TrimPrefix(path, "apis/"), "api/"))
	}
}

func (s *Server) aggregated(core bool) apidiscovery.APIGroupDiscoveryList {
	list := apidiscovery.APIGroupDiscoveryList{TypeMeta: metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"}}
	for _, kind := range s.kinds {
		if (kind.Group == "") != core {
			continue
		}
		group := lastOr(&list.Items, func(g apidiscovery.APIGroupDiscovery) bool { return g.Name == kind.Group },
			apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: kind.Group}})
		version := lastOr(&group.Versions, func(v apidiscovery.APIVersionDiscovery) bool { return v.Version == kind.Version },
			apidiscovery.APIVersionDiscovery{Version: kind.Version, Freshness: apidiscovery.DiscoveryFreshnessCurrent})
		if kind.Stale {
			version.Freshness = apidiscovery.DiscoveryFreshnessStale
			continue
		}
		scope := apidiscovery.ScopeNamespace
		if kind.ClusterScoped {
			scope = apidiscovery.ScopeCluster
		}
		version.Resources = append(version.Resources, apidiscovery.APIResourceDiscovery{
			Resource: kind.Plural, SingularResource: singular(kind), ShortNames: kind.ShortNames, Scope: scope, Verbs: verbs(),
			ResponseKind: &metav1.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind},
		})
	}
	return list
}

// lastOr finds an element, or appends one, and returns its address.
func lastOr[T any](all *[]T, is func(T) bool, fresh T) *T {
	for i := range *all {
		if is((*all)[i]) {
			return &(*all)[i]
		}
	}
	*all = append(*all, fresh)
	return &(*all)[len(*all)-1]
}

func (s *Server) groups() metav1.APIGroupList {
	list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}}
	for _, kind := range s.kinds {
		if kind.Group == "" {
			continue
		}
		version := metav1.GroupVersionForDiscovery{GroupVersion: kind.groupVersion(), Version: kind.Version}
		group := lastOr(&list.Groups, func(g metav1.APIGroup) bool { return g.Name == kind.Group },
			metav1.APIGroup{Name: kind.Group, PreferredVersion: version})
		lastOr(&group.Versions, func(v metav1.GroupVersionForDiscovery) bool { return v == version }, version)
	}
	return list
}

func (s *Server) resources(w http.ResponseWriter, groupVersion string) {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: groupVersion}
	for _, kind := range s.kinds {
		if kind.groupVersion() != groupVersion {
			continue
		}
		if kind.Stale {
			refuse(w, 503, metav1.StatusReasonServiceUnavailable, "the server is currently unable to handle the request")
			return
		}
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: kind.Plural, SingularName: singular(kind), Kind: kind.Kind, Namespaced: !kind.ClusterScoped,
			Verbs: metav1.Verbs(verbs()), ShortNames: kind.ShortNames,
		})
	}
	if list.APIResources == nil {
		refuse(w, 404, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	write(w, 200, list)
}

func verbs() []string {
	return []string{"create", "delete", "get", "list", "patch", "update", "watch"}
}
