package resolver

import "strings"

// wholeDevices are the extended resources whose unit is one accelerator, as
// their vendors' device plugins advertise them.
var wholeDevices = map[string]bool{
	"amd.com/gpu":                 true,
	"aws.amazon.com/neuron":       true,
	"aws.amazon.com/neuroncore":   true,
	"aws.amazon.com/neurondevice": true,
	"cambricon.com/mlu":           true,
	"enflame.com/gcu":             true,
	"furiosa.ai/npu":              true,
	"furiosa.ai/rngd":             true,
	"furiosa.ai/warboy":           true,
	"google.com/tpu":              true,
	"gpu.intel.com/i915":          true,
	"gpu.intel.com/xe":            true,
	"habana.ai/gaudi":             true,
	"hygon.com/dcu":               true,
	"iluvatar.com/gpu":            true,
	"kunlunxin.com/xpu":           true,
	"metax-tech.com/gpu":          true,
	"mthreads.com/gpu":            true,
	"nvidia.com/gpu":              true,
	"nvidia.com/pgpu":             true,
	"qualcomm.com/qaic":           true,
	"rebellions.ai/ATOM":          true,
}

// ascend is the common beginning of Huawei's NPU resources, which carry the
// model in the name: huawei.com/Ascend910, huawei.com/Ascend310P.
const ascend = "huawei.com/Ascend"

// Accelerator reports whether an extended resource counts whole accelerator
// devices, so that its quantity belongs in a GPU total. Slices of a device
// (nvidia.com/mig-1g.5gb is a seventh of an A100), time-shared replicas
// (nvidia.com/gpu.shared) and amounts of device memory (nvidia.com/gpumem)
// are listed among the requests and count nothing here.
func Accelerator(resourceName string) bool {
	if model, ok := strings.CutPrefix(resourceName, ascend); ok {
		// huawei.com/Ascend910-2c is a virtual share, huawei.com/Ascend910-memory an amount.
		return !strings.Contains(model, "-")
	}
	return wholeDevices[resourceName]
}
