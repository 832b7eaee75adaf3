// Package index keeps what a Kubernetes kind looks like, in the least space and
// without any prose: its fields, their types, enum values, defaults, which are
// required, nullable or keys of a list. Nothing else of a CRD is kept.
//
//	raycluster, err := index.Find(v1alpha1.GroupVersionKind{Group: "ray.io", Version: "v1", Kind: "RayCluster"})
//	if err != nil {
//		return err
//	}
//	spec, exists, _ := raycluster.Root().Field("spec")
//
// # Core types
//
// Most of a workload CRD is pod specs. The types that Kubernetes itself has
// (PodTemplateSpec, PodSpec, Container, ObjectMeta, Condition, ...) are kept once,
// in a Library. Where a CRD has one of them, its index refers to it by name;
// where it has most of one (operators are built against older releases, and cut
// and extend pod specs) the index refers to it and lists the differences. An index
// therefore means something only together with its library: it records the
// library's id and is refused with another one.
//
// The library describes the types as CRD generators write them: without enums of
// pod fields and without defaults that only the API server fills. The indexes of
// the core kinds themselves (Pod, Deployment, Job, ...) add both.
//
// # The file format
//
// An index is a JSON object:
//
//	{"format": "workloadmap.dev/index/1",
//	 "kind": {"group": "ray.io", "version": "v1", "kind": "RayCluster"},
//	 "core": "the id of the library",
//	 "root": NODE,
//	 "defs": {"NAME": NODE, ...}}
//
// A NODE is a type expression, or an object when there is more to say:
//
//	t  type expression; "object" when absent
//	f  fields by name; next to a reference, those added or changed
//	g  next to a reference, the names of fields that are gone
//	l  next to a reference, the names of fields that are left, instead of g
//	r  names of required fields; next to a reference, absent means the same ones
//	i  what a "list" holds, or what the values of a "map" are
//	k  fields that identify an element of a list
//	e  enum values
//	d  default value
//	n  true when null is allowed
//	o  true when fields that are not listed are kept
//
// A type expression is string, integer, int32, int64, number, boolean,
// int-or-string, quantity, date-time, date, duration, byte, any, object, list, map,
// the name of a core type, or # and the name of a definition of the same file; []
// in front makes a list of it, {} a map from strings to it.
//
// # Where indexes are stored
//
// Each index is a file in data/, named by the kind's slug, so that a review shows
// what changed in a framework. The binary embeds indexes.zip, made from data/ by
// "make generate" and compared by "make verify": go:embed cannot compress, and a
// zip file has a directory, so that loading one index inflates only that one. A
// release of Go that packs better makes other bytes of the same files, and "make
// generate" necessary.
package index
