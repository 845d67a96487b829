.DEFAULT_GOAL := help
.PHONY: help test test-library test-examples sanitize lint format coverage albums

# Every public symbol is documented, and every warning in our own code is an error.
STRICT := -Xswiftc -warnings-as-errors
SOURCES := $(wildcard Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Benchmarks Soak/Package.swift Soak/Sources Fuzz/Package.swift Fuzz/Sources Snippets)

help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: test-library test-examples ## Runs every test.

test-library: ## Runs the library's tests.
	swift test

test-examples: ## Runs the examples' tests.
	swift test --package-path Examples

sanitize: ## Runs the library's tests under the thread and the address sanitizer.
	swift test --sanitize=thread --scratch-path .build-thread
	swift test --sanitize=address --scratch-path .build-address

lint: ## Checks the formatting and that our code compiles without a warning.
	swift format lint --strict --recursive $(SOURCES)
	swift build --build-tests $(STRICT) --scratch-path .build-strict
	swift build --build-tests --package-path Examples --scratch-path .build-strict-examples 2>&1 | tee .build-strict/examples.log
	@! grep -E '$(CURDIR)/.*: (warning|error):' .build-strict/examples.log

format: ## Formats the code.
	swift format --in-place --recursive $(SOURCES)

coverage: ## Prints the line coverage of the library and fails below 97 %.
	swift test --enable-code-coverage
	@python3 Scripts/coverage.py "$$(swift test --show-codecov-path)" 97

albums: ## Runs the first example.
	swift run --package-path Examples get-albums
