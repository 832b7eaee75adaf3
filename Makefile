# Targets for people and for .ci/run. Needs Go, git and make; tools are built from
# tools/go.mod on first use.

# Where generated files are written. "make verify" points it at a temporary folder.
OUT := .

GENERATED := \
	api/v1alpha1/zz_generated.deepcopy.go \
	schema/workloadmaps.workloadmap.dev.yaml \
	schema/workloadmap.schema.json \
	schema/index/indexes.zip \
	docs/reference/fields.md \
	docs/catalog.md

.PHONY: build test demo lint generate verify bench clean

build:
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o bin/wm ./cmd/wm

test:
	go test ./...

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
	go run ./generators/cmd/rules -folder $(OUT)/docs/rules
	go run ./generators/cmd/index -from schema/index/data -to $(OUT)/schema/index
	go run ./cmd/wm catalog matrix -o markdown --cases fixtures > $(OUT)/docs/catalog.md

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

bin/staticcheck: tools/go.mod tools/go.sum
	cd tools && CGO_ENABLED=0 go build -o ../bin/staticcheck honnef.co/go/tools/cmd/staticcheck
