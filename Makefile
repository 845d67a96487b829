.DEFAULT_GOAL := help
.PHONY: help test test-library test-trusted test-examples sanitize lint size format coverage soak fuzz albums
.PHONY: bench bench-overhead docs docs-preview snippets readme api-check api-baseline apple-check symbol-graphs

# Every public symbol is documented, and every warning in our own code is an error.
STRICT := -Xswiftc -warnings-as-errors
SOURCES := Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Sources Soak/Package.swift Soak/Sources Fuzz/JSONFuzz.swift

FUZZER := -swift-version 6 -parse-as-library -module-name Fuzz $(shell find Sources -name '*.swift') \
	Tests/URLSessionResultTests/Support/JSONReference.swift Fuzz/JSONFuzz.swift

# Every test has a server, a session and threads of its own: all at once, they starve a small machine.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8

help: ## Lists the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: test-library test-examples ## Runs every test.

test-library: ## Runs the library's tests.
	swift test

test-trusted: ## Runs the library's tests that need a trusted certificate or HTTP/2, with nginx.
	Scripts/test_trusted.sh

test-examples: ## Runs the examples' tests.
	swift test --package-path Examples

# Leaks are left out: libcurl and Foundation have their own, and static tables look like more.
sanitize: ## Runs the library's tests under the thread and the address sanitizer.
	swift test --sanitize=thread --scratch-path .build-thread
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-address

lint: ## Checks the formatting, and that our code compiles without a warning.
	swift format lint --strict --recursive $(SOURCES)
	swift build --build-tests $(STRICT) --scratch-path .build-strict
	swift build --package-path Soak $(STRICT) --scratch-path .build-strict-soak
	WARNINGS_AS_ERRORS=1 swift build --build-tests --package-path Examples --scratch-path .build-strict-examples
	swiftc -typecheck -warnings-as-errors $(FUZZER)

size: ## Prints the number of lines of code in Sources, without comments and blank lines.
	@find Sources -name '*.swift' -exec cat {} + | grep -cvE '^[[:space:]]*(//|$$)'

format: ## Formats the code.
	swift format --in-place --recursive $(SOURCES)

coverage: ## Prints the line coverage of the library and fails below 97 %.
	swift test --enable-code-coverage
	@python3 Scripts/coverage.py "$$(swift test --show-codecov-path)" 97

soak: ## Sends 100,000 requests, a fifth of them to a faulty server, and watches what the process holds.
	swift run --package-path Soak -c release soak

fuzz: ## Holds the JSON decoders against JSONDecoder for a minute, guided by coverage.
	@mkdir -p .build-fuzz/corpus
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/json $(FUZZER)
	.build-fuzz/json -dict=Fuzz/json.dict -max_len=400 -max_total_time=60 -print_final_stats=1 .build-fuzz/corpus

albums: ## Runs the first example.
	swift run --package-path Examples get-albums

CATALOGUE := Sources/URLSessionResult/URLSessionResult.docc
SYMBOL_GRAPHS := .build/symbol-graphs
# Apple's toolchain keeps docc out of the path.
DOCC := $(or $(shell command -v docc),xcrun docc)
DOCC_OPTIONS := $(CATALOGUE) --additional-symbol-graph-dir $(SYMBOL_GRAPHS) --fallback-default-module-kind Library

docs: symbol-graphs ## Builds the documentation; fails on a warning, a symbol without any, or code that is not compiled.
	@python3 Scripts/articles.py check
	@python3 Scripts/interface.py documented $(SYMBOL_GRAPHS)
	$(DOCC) convert $(DOCC_OPTIONS) --output-dir .build/documentation --warnings-as-errors
	@! grep -l '"generated":true' .build/documentation/data/documentation/urlsessionresult.json || \
		{ echo "error: the landing page groups not every symbol: see its last topics"; exit 1; }

docs-preview: symbol-graphs ## Serves the documentation on port 8080 and follows changes of the articles.
	$(DOCC) preview $(DOCC_OPTIONS) --output-dir .build/documentation-preview

snippets: ## Copies the compiled snippets into the articles and the README.
	@python3 Scripts/articles.py update

readme: ## Follows the README word for word, in an empty folder, on the last commit.
	@python3 Scripts/readme.py

api-check: symbol-graphs ## Fails when the public interface is not the recorded one.
	@python3 Scripts/interface.py check $(SYMBOL_GRAPHS) Scripts/interface.txt

api-baseline: symbol-graphs ## Records the public interface.
	@python3 Scripts/interface.py update $(SYMBOL_GRAPHS) Scripts/interface.txt

apple-check: ## Compiles the library against the availability of macOS 12 and iOS 15, on Linux.
	@python3 Scripts/apple_check.py

symbol-graphs:
	@python3 Scripts/symbol_graphs.py $(SYMBOL_GRAPHS)

bench: ## Runs the benchmarks, prints their tables and draws their picture.
	Benchmarks/Scripts/bench.sh

bench-overhead: ## Counts the instructions of a request, by hand and through the library.
	Benchmarks/Scripts/overhead.sh
