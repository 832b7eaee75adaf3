package schema

import (
	_ "embed"
	"slices"
)

//go:embed workloadmaps.workloadmap.dev.yaml
var crdManifest []byte

//go:embed workloadmap.schema.json
var jsonSchema []byte

// CRD returns the CustomResourceDefinition manifest of WorkloadMap, as YAML. The
// caller may change the result.
func CRD() []byte { return slices.Clone(crdManifest) }

// JSON returns the JSON Schema (draft 2020-12) of a definition in any dialect.
// The caller may change the result.
func JSON() []byte { return slices.Clone(jsonSchema) }
