# Targets for people and for .ci/run. Needs Go, git and make; tools are built from
# tools/go.mod on first use.

# Where generated files are written. "make verify" points it at a temporary folder.
OUT := .

GENERATED := \
	api/v1alpha1/zz_generated.deepcopy.go \
	lint/rules/zz_generated.registry.go \
	schema/workloadmaps.workloadmap.dev.yaml \
	schema/workloadmap.schema.json \
	schema/config.schema.json \
	schema/index/indexes.zip \
	docs/reference/fields.md \
	docs/catalog.md

.PHONY: build test test-cluster demo lint generate new-rule verify bench clean

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o bin/wm ./cmd/wm

test:
	go test ./...

# Runs wm against a real control plane on the loopback interface. The first build
# of that takes half an hour on two cores, later ones a minute; both binaries are
# built with the flags of the tests, which then share the compiled packages.
# Packages are named because cmd/kubeall, which has no tests, would be vetted with
# all of Kubernetes. TESTCLUSTER_EACH=50 makes the fleet of ./scale a small one.
test-cluster: build bin/kubeall
	cd testcluster && CGO_ENABLED=0 TESTCLUSTER_KUBEALL=$(CURDIR)/bin/kubeall TESTCLUSTER_WM=$(CURDIR)/bin/wm \
		go test -trimpath -count=1 -p 1 -timeout 40m -v ./process ./proxy . ./live ./scale

# What wm is for, on files of this repository. The linted definition is broken
# on purpose, so 1 is the right exit code.
demo: build
	@bin/wm describe -f docs/examples/raycluster.yaml
	@echo
	@bin/wm lint docs/examples/broken-definition.yaml; test $$? = 1
	@echo
	@bin/wm test

lint: build bin/staticcheck
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then echo "not formatted, run gofmt -w:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	bin/staticcheck ./...
	bin/wm lint catalog

generate: bin/controller-gen
	@mkdir -p $(OUT)/api/v1alpha1 $(OUT)/schema $(OUT)/docs/reference
	bin/controller-gen object paths=./api/v1alpha1 output:object:dir=$(OUT)/api/v1alpha1
	bin/controller-gen crd paths=./api/v1alpha1 output:crd:stdout > $(OUT)/schema/workloadmaps.workloadmap.dev.yaml
	go run ./generators/cmd/format \
		-crd $(OUT)/schema/workloadmaps.workloadmap.dev.yaml \
		-schema $(OUT)/schema/workloadmap.schema.json \
		-reference $(OUT)/docs/reference/fields.md
	go run ./generators/cmd/registry -rules lint/rules -to $(OUT)/lint/rules/zz_generated.registry.go
	go run ./generators/cmd/rules -folder $(OUT)/docs/rules -config-schema $(OUT)/schema/config.schema.json
	go run ./generators/cmd/index -from schema/index/data -to $(OUT)/schema/index
	go run ./cmd/wm catalog matrix -o markdown --cases fixtures > $(OUT)/docs/catalog.md

# Starts a lint rule: make new-rule ID=WM299 NAME=what-it-finds. Its tests fail
# until it is filled in.
new-rule:
	@go run ./generators/cmd/registry -rules lint/rules -to lint/rules/zz_generated.registry.go -new "$(ID)" -name "$(NAME)"

# Generates into a temporary folder and compares, so that it works with
# uncommitted files and changes nothing.
verify:
	@fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && \
	$(MAKE) --no-print-directory generate OUT="$$fresh" >/dev/null && \
	stale=0; for file in $(GENERATED); do \
		cmp -s "$$fresh/$$file" "$$file" || { stale=1; echo "$$file is stale" >&2; \
			diff -u "$$file" "$$fresh/$$file" 2>&1 | head -20 >&2; }; \
	done; \
	diff -r docs/rules "$$fresh/docs/rules" >&2 || stale=1; \
	diff -r schema/index/data "$$fresh/schema/index/data" >&2 || stale=1; \
	if [ $$stale = 1 ]; then echo 'generated files are stale: run "make generate"' >&2; exit 1; fi; \
	echo "generated files are up to date"

bench:
	go test -run '^$$' -bench . -benchmem ./...

clean:
	rm -rf bin

bin/controller-gen: tools/go.mod tools/go.sum
	cd tools && CGO_ENABLED=0 go build -o ../bin/controller-gen sigs.k8s.io/controller-tools/cmd/controller-gen

# The servers report the version of the modules that they are built from.
KUBERNETES := -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=36 \
	-X k8s.io/component-base/version.gitVersion=v1.36.3 -X k8s.io/component-base/version.gitTreeState=clean

bin/kubeall: testcluster/go.mod testcluster/go.sum testcluster/cmd/kubeall/main.go
	cd testcluster && CGO_ENABLED=0 go build -trimpath -ldflags '-s -w $(KUBERNETES)' -o ../bin/kubeall ./cmd/kubeall

bin/staticcheck: tools/go.mod tools/go.sum
	cd tools && CGO_ENABLED=0 go build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
