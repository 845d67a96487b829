.DEFAULT_GOAL := help
.PHONY: help test test-library test-recipes test-trusted test-libcurl test-optimized test-examples mistakes certificates sanitize sanitize-threads sanitize-addresses lint size format coverage soak soak-requests soak-calls soak-sessions albums
.PHONY: mutate first-week fuzz fuzz-sources fuzz-json fuzz-elements fuzz-lines fuzz-events fuzz-requests
.PHONY: bench bench-decoding bench-elements bench-memory bench-overhead bench-waiting bench-calls weight weight-programs weight-apple docs docs-build docs-pages docs-preview snippets workarounds readme readme-coverage api-check api-baseline apple-check apple-run symbol-graphs whole-catalogue

# Every warning in our own code is an error.
STRICT := -Xswiftc -warnings-as-errors
SOURCES := Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Sources Benchmarks/Weight Benchmarks/Calls Soak/Package.swift Soak/Sources Fuzz

# The fuzzers compile what they need as one module.
FUZZ_SOURCES := .build-fuzz/Sources
FUZZ_MODULE := -swift-version 6 -parse-as-library -package-name Fuzz -module-name Fuzz
FUZZ_SUPPORT := Tests/TestsWithoutServer/Support
STREAM_SOURCES := $(addprefix $(FUZZ_SOURCES)/,SystemCalls.swift LineSplitter.swift)

JSON_SOURCES := $(shell find Sources/URLSessionResultJSON -name '*.swift') \
	$(addprefix $(FUZZ_SUPPORT)/,JSONModels.swift JSONReference.swift SharedJSONDecoder+Parts.swift) \
	Tests/TestSupport/JSONOutcome.swift
FUZZER := $(FUZZ_MODULE) $(JSON_SOURCES) Fuzz/JSONFuzz.swift
ELEMENT_FUZZER := $(FUZZ_MODULE) $(JSON_SOURCES) $(FUZZ_SUPPORT)/JSONElementsReference.swift Fuzz/ElementsFuzz.swift
LINE_FUZZER := $(FUZZ_MODULE) $(STREAM_SOURCES) $(FUZZ_SUPPORT)/LineReference.swift Fuzz/LineFuzz.swift
EVENT_FUZZER := $(FUZZ_MODULE) $(STREAM_SOURCES) \
	$(addprefix $(FUZZ_SOURCES)/,ServerSentEvent.swift EventParser.swift) \
	$(addprefix $(FUZZ_SUPPORT)/,LineReference.swift EventReference.swift) Fuzz/EventFuzz.swift
REQUEST_FUZZER := $(FUZZ_MODULE) $(FUZZ_SOURCES)/*.swift $(shell find Sources/URLSessionResultJSON -name '*.swift') \
	Fuzz/RequestFuzz.swift

help: ### Lists the targets.
	@echo 'For every change:'
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'For some changes, as docs/Maintaining.md says:'
	@awk -F ':.* ### ' '/^[a-z-]+:.* ### / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A group of targets: `make test KIND=library` is `make test-library`.
kind = $(if $(KIND),$(addprefix $(1)-,$(KIND)),$(2))

test: $(call kind,test,test-library test-recipes test-examples) ## Runs the tests. KIND: library recipes examples trusted libcurl optimized

test-library: # Runs the library's tests, with thousands of lines of output.
	swift test

test-trusted: # Runs the tests that need a trusted certificate or HTTP/2.
	Scripts/test_trusted.sh

# The tests that a trusted authority disables.
UNTRUSTING := RemainingLimitsTests/authority|TLSTests/unknownAuthority

OPTIMIZED := -c release -Xswiftc -enable-testing

# As users ship it.
test-optimized: # Runs all tests, optimized.
	Scripts/test_trusted.sh $(OPTIMIZED)
	swift test $(OPTIMIZED) --skip-build --filter '$(UNTRUSTING)'

# CI runs them on the libcurl of the system, too, and not optimized.
test-libcurl: # Runs all tests, optimized, on the libcurl of Debian's backports.
	LD_LIBRARY_PATH=$$(Scripts/newer_libcurl.sh) && export LD_LIBRARY_PATH && $(MAKE) test-optimized

test-recipes: # Runs the tests of the recipe that needs another package.
	swift test --package-path Tests/HTTPTypes

# As `make lint` builds them.
test-examples: # Runs the examples' tests.
	WARNINGS_AS_ERRORS=1 swift test --package-path Examples --scratch-path .build-strict-examples

mistakes: ### Compares what the compiler says about common mistakes.
	@swift build --target URLSessionResultClient
	swiftc -typecheck -swift-version 6 -parse-as-library -I "$$(swift build --show-bin-path)/Modules" \
		-Xfrontend -verify -Xfrontend -verify-ignore-unrelated Tests/Mistakes/Mistakes.swift
	@echo "The mistakes are refused as expected, with the messages that Tests/Mistakes/Mistakes.swift names."

certificates: # Makes the certificates of the loopback server again.
	Scripts/certificates.sh

# Leaks are left out: libcurl and Foundation have their own, and static tables look like more.
#
# The thread sanitizer runs without the late cancellations. It does not see that a continuation hands a value over when it
# is resumed before the task suspends (Swift 6.3), and reports that as a race, in about one of 10,000 transfers. It runs
# without the long comparisons with JSONDecoder, too. Other tests decode on all cores.
#
# The address sanitizer runs the tests of the code that has pointers: parsers, streams and files.
#
# `CachedLoadTests/invalidated` ends a task while the session looks for it, over and over. `invalidateAndCancel()` reads the tasks beside
# the work queue, which crashed once in a run under the thread sanitizer.
#
# `SeparateSessionsTests/descriptors` does not end under the thread sanitizer, for a reason that is not known yet.
#
# `WorkaroundTests` concern URLSession alone. `PolicySchedulesTests` and `TransferScheduleTests` have one
# thread.
#
# The tests without a server take no turns, and under a sanitizer they would starve the others. So they run before them.
THREAD_SANITIZER = TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread_sanitizer.txt \
	swift test --sanitize=thread $(STRICT) --scratch-path .build-thread
ADDRESS_SANITIZER = ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-address

sanitize: $(call kind,sanitize,sanitize-threads sanitize-addresses) ### Runs the library's tests under two sanitizers. KIND: threads addresses

sanitize-threads: # Runs them under the thread sanitizer.
	$(THREAD_SANITIZER) --filter '^TestsWithoutServer' --skip 'JSONDifferentialTests|JSONElementSplitterTests|TransferScheduleTests'
	$(THREAD_SANITIZER) --skip '^TestsWithoutServer|LateCancellationTests|WorkaroundTests|PolicySchedulesTests|SeparateSessionsTests/descriptors|CachedLoadTests/invalidated'

sanitize-addresses: # Runs those with pointers under the address sanitizer.
	$(ADDRESS_SANITIZER) --filter '^TestsWithoutServer' --skip TransferScheduleTests
	$(ADDRESS_SANITIZER) --skip '^TestsWithoutServer' --filter 'Response|Download|Upload|Stream|BodyBuffer|ShrinkingFile'

lint: ## Checks the formatting, and that there are no warnings.
	swift format lint --strict --recursive $(SOURCES)
	@python3 Scripts/workflow_check.py
	@! grep -rl '@Test' Tests/TestsWithServer | xargs grep -L '\.inTurn' | grep . || \
		{ echo "error: these tests do not take turns: give their suites the trait .inTurn"; exit 1; }
	@# As `make sanitize` needs it, so that CI builds it once.
	swift build --build-tests --sanitize=thread $(STRICT) --scratch-path .build-thread
	swift build --package-path Soak $(STRICT) --scratch-path .build-strict-soak
	WARNINGS_AS_ERRORS=1 swift build --build-tests --package-path Examples --scratch-path .build-strict-examples
	@$(MAKE) --no-print-directory fuzz-sources
	swiftc -typecheck -warnings-as-errors $(FUZZER)
	swiftc -typecheck -warnings-as-errors $(ELEMENT_FUZZER)
	swiftc -typecheck -warnings-as-errors $(LINE_FUZZER)
	swiftc -typecheck -warnings-as-errors $(EVENT_FUZZER)
	swiftc -typecheck -warnings-as-errors $(REQUEST_FUZZER)
	@echo "The formatting is right, and our code compiles without warnings."

first-week: # Counts the lines of an app's first tasks; fails above their limits.
	@for week in 'FirstWeek 42 99' 'SecondWeek 54 6'; do \
		set -- $$week; \
		awk -v most="$$2" -v mostEach="$$3" '/\/\/ task: / { sub(/.*task: /, ""); name = $$0; count = 0; next } \
			/\/\/ end/ { printf "%-22s %3d\n", name, count; total += count; name = ""; isLong += count > mostEach; next } \
			name { count++ } \
			END { printf "%-22s %3d\n\n", "all", total; if (isLong || total > most) { print "error: too long"; exit 1 } }' \
			"Tests/ClientOnMainActor/$$1.swift" || exit 1; \
	done

size: # Prints the lines of code of each target.
	@for target in $$(ls Sources); do \
		printf '%-26s %5d\n' $$target \
			$$(find Sources/$$target -name '*.swift' -exec cat {} + | grep -cvE '^[[:space:]]*(//|$$)'); \
	done

format: ## Formats the code.
	swift format --in-place --recursive $(SOURCES)

# The late cancellations run in processes of their own.
COVERAGE := --enable-code-coverage --skip LateCancellationTests

coverage: ### Prints the library's line coverage; fails below 97.5 %.
	Scripts/test_trusted.sh $(COVERAGE)
	@python3 Scripts/coverage.py "$$(swift test --show-codecov-path)" 97.5

# CI runs the library's tests once without optimization: `make readme` runs them, because the README says to try them. So that run
# has coverage, TLS and HTTP/2, too. The second one has the tests that it leaves out.
readme-coverage: # Runs `make readme`, and prints the coverage of its tests.
	TEST_OPTIONS='$(COVERAGE)' Scripts/test_trusted.sh -- $(MAKE) readme
	@python3 Scripts/coverage.py "$$(swift test --show-codecov-path)" 97.5
	LLVM_PROFILE_FILE=/dev/null swift test --skip-build --filter 'LateCancellationTests|$(UNTRUSTING)'

soak: $(call kind,soak,soak-calls soak-requests) ### Runs requests for long. KIND: requests calls sessions

soak-requests: # Sends 100,000 requests and cancels 20,000 of each form.
	swift run --package-path Soak -c release soak

# The library is loaded before the C library, so it is none of the package's targets.
FAILING_CALLS := Soak/.build/failing_calls.so

soak-calls: # Lets each call of the system fail once, on Linux.
	swift build --package-path Soak
	$(CC) -Wall -Wextra -Werror -shared -fPIC -o $(FAILING_CALLS) Soak/FailingCalls/failing_calls.c
	Soak/.build/debug/soak fail-calls $(CURDIR)/$(FAILING_CALLS)

# On the libcurl of the system, or on another one: LD_LIBRARY_PATH=$(Scripts/newer_libcurl.sh) make soak-sessions
soak-sessions: # Counts the crashes of dropped sessions over TLS, with nginx.
	swift build --package-path Soak -c release
	Scripts/test_trusted.sh -- Soak/.build/release/soak drop-sessions

# Swift's own reports of a crash would keep libFuzzer from writing down its input.
fuzz-json fuzz-elements fuzz-lines fuzz-events fuzz-requests: export SWIFT_BACKTRACE = enable=no

fuzz: $(call kind,fuzz,fuzz-json fuzz-elements fuzz-lines fuzz-events fuzz-requests) ### Runs the fuzz tests, a minute each. KIND: json elements lines events requests

# Copies the library and the transport without the imports of each other.
fuzz-sources:
	@rm -rf $(FUZZ_SOURCES) && mkdir -p $(FUZZ_SOURCES)
	@find Sources/URLSessionResult Sources/URLSessionResultClient Sources/URLSessionResultTransport -name '*.swift' -exec cp {} $(FUZZ_SOURCES) \;
	@sed -E -i.original '/^((@_exported|internal|package) )?import URLSessionResult/d' $(FUZZ_SOURCES)/*.swift && rm $(FUZZ_SOURCES)/*.original

fuzz-json: # Compares the JSON decoders with JSONDecoder for a minute.
	@mkdir -p .build-fuzz/corpus
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/json $(FUZZER)
	.build-fuzz/json -dict=Fuzz/json.dict -max_len=1100 -max_total_time=60 -print_final_stats=1 .build-fuzz/corpus Fuzz/json-seeds

fuzz-elements: # Compares elements in pieces with JSONDecoder for a minute.
	@mkdir -p .build-fuzz/elements-corpus
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/elements $(ELEMENT_FUZZER)
	.build-fuzz/elements -dict=Fuzz/json.dict -max_len=400 -max_total_time=60 -print_final_stats=1 \
		.build-fuzz/elements-corpus

fuzz-lines: # Compares the lines of streams for a minute.
	@mkdir -p .build-fuzz/lines-corpus
	@$(MAKE) --no-print-directory fuzz-sources
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/lines $(LINE_FUZZER)
	.build-fuzz/lines -max_len=200 -max_total_time=60 -print_final_stats=1 .build-fuzz/lines-corpus

fuzz-events: # Compares the events of streams for a minute.
	@mkdir -p .build-fuzz/events-corpus
	@$(MAKE) --no-print-directory fuzz-sources
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/events $(EVENT_FUZZER)
	.build-fuzz/events -dict=Fuzz/events.dict -max_len=200 -max_total_time=60 -print_final_stats=1 \
		.build-fuzz/events-corpus

fuzz-requests: # Makes requests and reads headers of made-up texts for a minute.
	@mkdir -p .build-fuzz/requests-corpus
	@$(MAKE) --no-print-directory fuzz-sources
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/requests $(REQUEST_FUZZER)
	.build-fuzz/requests -dict=Fuzz/requests.dict -max_len=100 -max_total_time=60 -print_final_stats=1 \
		.build-fuzz/requests-corpus

# SEED=7 draws others. ARGUMENTS='--rooms cookies' takes those of one room.
SEED := 5

mutate: ### Changes the pure code 300 times; 95 % must be noticed.
	python3 Scripts/mutate.py --seed $(SEED) $(ARGUMENTS)

albums: # Runs the example get-albums.
	swift run --package-path Examples get-albums

CATALOGUE := Sources/URLSessionResult/URLSessionResult.docc
CLIENT_CATALOGUE := Sources/URLSessionResultClient/URLSessionResultClient.docc
# Both, so that the pages of each link those of the other. Their links are those of Markdown, which work in a clone.
WHOLE_CATALOGUE := .build/URLSessionResult.docc
ALL_SYMBOL_GRAPHS := .build/symbols
SYMBOL_GRAPHS := $(ALL_SYMBOL_GRAPHS)/URLSessionResult
CLIENT_SYMBOL_GRAPHS := $(ALL_SYMBOL_GRAPHS)/URLSessionResultClient
TESTING_SYMBOL_GRAPHS := $(ALL_SYMBOL_GRAPHS)/URLSessionResultTesting
# Apple's toolchain keeps docc out of the path.
DOCC := $(or $(shell command -v docc),xcrun docc)
DOCC_OPTIONS := $(WHOLE_CATALOGUE) --additional-symbol-graph-dir $(ALL_SYMBOL_GRAPHS) --fallback-default-module-kind Library

docs: $(call kind,docs,docs-build) ### Builds the documentation and compiles its code. KIND: build pages preview

docs-build: symbol-graphs whole-catalogue
	@python3 Scripts/workarounds.py check
	@python3 Scripts/articles.py check
	@python3 Scripts/articles.py compile
	@python3 Scripts/interface.py documented $(SYMBOL_GRAPHS)
	@python3 Scripts/interface.py documented $(CLIENT_SYMBOL_GRAPHS)
	@python3 Scripts/interface.py documented $(TESTING_SYMBOL_GRAPHS)
	$(DOCC) convert $(DOCC_OPTIONS) --output-dir .build/documentation --warnings-as-errors
	$(DOCC) convert --additional-symbol-graph-dir $(TESTING_SYMBOL_GRAPHS) --fallback-display-name URLSessionResultTesting \
		--fallback-bundle-identifier URLSessionResultTesting --output-dir .build/documentation-of-testing --warnings-as-errors
	@cp $(CATALOGUE)/theme-settings.json .build/documentation-of-testing
	@! grep -l '"generated":true' .build/documentation/data/documentation/urlsessionresult.json || \
		{ echo "error: the landing page does not group every symbol: see its last topics"; exit 1; }
	@python3 Scripts/links.py .build/documentation
	@echo "DocC had no warnings, every public symbol has documentation, all code compiles, and no link is dead."
	@echo "The pages are in .build/documentation. To read them, run \`make docs-preview\`."

docs-pages: docs-build # Measures the pages in a browser.
	@python3 Scripts/pages.py .build/documentation .build/documentation-of-testing

docs-preview: symbol-graphs whole-catalogue # Serves the documentation on port 8080.
	$(DOCC) preview $(DOCC_OPTIONS) --output-dir .build/documentation-preview

whole-catalogue:
	@rm -rf $(WHOLE_CATALOGUE) && mkdir -p $(WHOLE_CATALOGUE)/Client
	@cp -R $(CATALOGUE)/. $(WHOLE_CATALOGUE) && cp -R $(CLIENT_CATALOGUE)/. $(WHOLE_CATALOGUE)/Client
	@python3 Scripts/doc_links.py $(WHOLE_CATALOGUE)

snippets: ### Copies the tested snippets into the articles and the README.
	@python3 Scripts/articles.py update

workarounds: ### Prints what the library corrects on Linux.
	@python3 Scripts/workarounds.py print

readme: ### Runs the README's commands and programs; checks links.
	@python3 Scripts/links.py
	@python3 Scripts/readme.py

api-check: symbol-graphs ### Fails if the public interface is not the recorded one.
	@python3 Scripts/interface.py check $(SYMBOL_GRAPHS) Scripts/interface.txt
	@python3 Scripts/interface.py check $(CLIENT_SYMBOL_GRAPHS) Scripts/interface-of-client.txt
	@python3 Scripts/interface.py check $(TESTING_SYMBOL_GRAPHS) Scripts/interface-of-testing.txt

api-baseline: symbol-graphs ### Records the public interface.
	@python3 Scripts/interface.py update $(SYMBOL_GRAPHS) Scripts/interface.txt
	@python3 Scripts/interface.py update $(CLIENT_SYMBOL_GRAPHS) Scripts/interface-of-client.txt
	@python3 Scripts/interface.py update $(TESTING_SYMBOL_GRAPHS) Scripts/interface-of-testing.txt

apple-check: ### Compiles Sources for macOS 12, iOS 15, tvOS 15 and watchOS 8, on Linux.
	@python3 Scripts/apple_check.py

apple-run: ### Runs Apple's branch on Linux, against a model of URLSession.
	@python3 Scripts/apple_run.py

symbol-graphs:
	@python3 Scripts/symbol_graphs.py URLSessionResult $(SYMBOL_GRAPHS)
	@python3 Scripts/symbol_graphs.py URLSessionResultClient $(CLIENT_SYMBOL_GRAPHS)
	@python3 Scripts/symbol_graphs.py URLSessionResultTesting $(TESTING_SYMBOL_GRAPHS)

bench: $(call kind,bench,bench-decoding) ### Runs the benchmarks. KIND: decoding elements memory overhead waiting calls

bench-decoding: # Compares decoders and requests, and draws the pictures.
	Benchmarks/Scripts/bench.sh

bench-elements: # Measures the elements of a stream against jsonArray.
	swift build --package-path Benchmarks -c release --product Elements
	@python3 Benchmarks/Scripts/elements.py "$$(swift build --package-path Benchmarks -c release --show-bin-path)/Elements"

# On another libcurl: LD_LIBRARY_PATH=$(Scripts/newer_libcurl.sh) make bench-memory
bench-memory: # Measures the memory of uploads, downloads and streams.
	swift build --package-path Benchmarks -c release --product Memory
	@python3 Benchmarks/Scripts/memory.py "$$(swift build --package-path Benchmarks -c release --show-bin-path)/Memory"

bench-calls: # Counts how often the steps of a request go from file to file.
	@python3 Benchmarks/Scripts/calls.py --files

bench-overhead: # Counts the instructions of a request.
	Benchmarks/Scripts/overhead.sh

# On another libcurl: LD_LIBRARY_PATH=$(Scripts/newer_libcurl.sh) make bench-waiting
bench-waiting: # Measures the processor time of requests that wait.
	swift build --package-path Benchmarks -c release --product Waiting
	@Scripts/test_trusted.sh -- python3 Benchmarks/Scripts/waiting.py \
		"$$(swift build --package-path Benchmarks -c release --show-bin-path)/Waiting"

weight: $(call kind,weight,weight-programs) ### Weighs three programs; fails above their ceilings. KIND: programs apple

weight-programs: # Weighs them on Linux.
	@python3 Benchmarks/Scripts/weight.py

weight-apple: # Weighs Apple's branch of two, against a model of URLSession.
	@python3 Benchmarks/Scripts/apple_weight.py
