.DEFAULT_GOAL := help
# Every target is listed, one of a kind by its group.
.PHONY: help test lint format coverage sanitize mutate fuzz soak mistakes docs snippets workarounds readme api-check api-baseline \
	apple-check apple-run bench weight

# Every warning in our own code is an error.
STRICT := -Xswiftc -warnings-as-errors
SOURCES := Package.swift Sources Tests Examples/Package.swift Examples/Sources Examples/Tests \
	Benchmarks/Package.swift Benchmarks/Benchmarks Benchmarks/Sources Benchmarks/Weight Benchmarks/Calls Soak/Package.swift Soak/Sources Fuzz

# The fuzzers import the modules of the package, and have files of its tests.
FUZZ_OPTIONS := -swift-version 6 -parse-as-library
REFERENCES := Tests/TestsWithoutServer/Support
JSON_REFERENCE := $(addprefix $(REFERENCES)/,JSONModels.swift JSONReference.swift SharedJSONDecoder+Parts.swift)
FUZZERS := json elements lines events requests
FILES_OF_json := Fuzz/JSONFuzz.swift $(JSON_REFERENCE)
FILES_OF_elements := Fuzz/ElementsFuzz.swift $(JSON_REFERENCE) $(REFERENCES)/JSONElementsReference.swift
FILES_OF_lines := Fuzz/LineFuzz.swift $(REFERENCES)/LineReference.swift
FILES_OF_events := Fuzz/EventFuzz.swift $(REFERENCES)/EventReference.swift $(REFERENCES)/LineReference.swift
FILES_OF_requests := Fuzz/RequestFuzz.swift

help: ### Lists the targets.
	@echo 'For every change:'
	@awk -F ':.* ## ' '/^[a-z-]+:.* ## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'For some changes, as docs/Maintaining.md says:'
	@awk -F ':.* ### ' '/^[a-z-]+:.* ### / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A group of targets: `make test KIND=library` is `make test-library`. Without a kind, those of the last argument run.
kind = $(if $(KIND),$(addprefix $(1)-,$(KIND)),$(addprefix $(1)-,$(2)))

test: $(call kind,test,library recipes examples) ## Runs the tests. KIND: library recipes examples trusted libcurl optimized static

test-library: # Runs the library's tests, with thousands of lines of output.
	swift test

test-trusted: # Runs the tests that need a trusted certificate or HTTP/2.
	Scripts/test_trusted.sh

# The tests that a trusted authority disables.
UNTRUSTING := TLSTests/unknownAuthority

OPTIMIZED := -c release -Xswiftc -enable-testing

# As users ship it.
test-optimized: # Runs all tests, optimized.
	Scripts/test_trusted.sh $(OPTIMIZED)
	swift test $(OPTIMIZED) --skip-build --filter '$(UNTRUSTING)'

# CI runs them on the libcurl of the system, too, and not optimized.
test-libcurl: # Runs all tests, optimized, on the libcurl of Debian's backports.
	LD_LIBRARY_PATH=$$(Scripts/newer_libcurl.sh) && export LD_LIBRARY_PATH && $(MAKE) test-optimized

test-static: # Checks the promises in a program that has Foundation in it.
	Scripts/test_static.sh $(STRICT)

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

# Leaks are left out: libcurl and Foundation have their own, and static tables look like more.
#
# The thread sanitizer runs without the late cancellations. It does not see that a continuation hands a value over when it
# is resumed before the task suspends (Swift 6.3), and reports that as a race, in about one of 10,000 transfers. It runs
# without the long comparisons with JSONDecoder, too. Other tests decode on all cores.
#
# The address sanitizer runs the tests of the code that has pointers: parsers, streams and files. It keeps memory that was released, which
# `AlarmClockTests/memory` takes for a leak.
#
# `CachedLoadTests/invalidated` ends a task while the session looks for it, over and over. `invalidateAndCancel()` reads the tasks beside
# the work queue, which crashed once in a run under the thread sanitizer.
#
# `WorkaroundTests` concern URLSession alone. `BusyWaitTests` measure processor time. `JoinedCallsTests`, `PolicySchedulesTests` and
# `TransferScheduleTests` have one thread. `FaultMatrixTests`, `CookieTests` and `SentCookiesTests` send hundreds of requests as others do.
#
# `CancelledCrowdTests` have a thousand requests at once, and keep the loop from those of others for a second there.
#
# `ChildProcessTests` make a thousand processes, and a child that was made by `fork` alone starts no thread under the thread sanitizer.
#
# The tests without a server take no turns, and under a sanitizer they would starve the others. So they run before them.
#
# Its reports come last, where they are found.
THREAD_REPORTS = .build-thread/report
THREAD_SANITIZER = TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread_sanitizer.txt:log_path=$(CURDIR)/$(THREAD_REPORTS) \
	swift test --sanitize=thread $(STRICT) --scratch-path .build-thread
ADDRESS_SANITIZER = ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build-address

sanitize: $(call kind,sanitize,threads addresses) ### Runs the library's tests under two sanitizers. KIND: threads addresses

sanitize-threads: # Runs them under the thread sanitizer.
	@rm -f $(THREAD_REPORTS).*
	$(THREAD_SANITIZER) --filter '^TestsWithoutServer' --skip 'JSONDifferentialTests|JSONElementSplitterTests|TransferScheduleTests|PolicySchedulesTests|JoinedCallsTests' || \
		{ cat $(THREAD_REPORTS).* 2> /dev/null; exit 1; }
	$(THREAD_SANITIZER) --skip '^TestsWithoutServer|CachedLoadTests/invalidated|(LateCancellation|Workaround|BusyWait|CancelledCrowd|ChildProcess|FaultMatrix|Cookie|SentCookies)Tests/' || \
		{ cat $(THREAD_REPORTS).* 2> /dev/null; exit 1; }

# Those that are skipped run into their limits there.
sanitize-addresses: # Runs those with pointers under the address sanitizer.
	$(ADDRESS_SANITIZER) --filter '^TestsWithoutServer' --skip 'TransferScheduleTests|AlarmClockTests/memory'
	$(ADDRESS_SANITIZER) --skip '^TestsWithoutServer|CutResponseTests|CancelledCrowdTests/beforeConnection' --filter 'Response|Download|Upload|Stream|BodyBuffer|ShrinkingFile|Cancel|Waiting|KeptConnection|SeparateSessions|SilentNameServer|ReleasedElsewhere|Metrics|Redirect|Challenge|Trailers|LongHead|EventLoop'

lint: ## Checks the formatting, and that there are no warnings.
	swift format lint --strict --recursive $(SOURCES)
	@python3 Tools/workflow_check.py
	@python3 Tools/task_lengths.py
	@! grep -rl '@Test' Tests/TestsWithServer | xargs grep -L '\.inTurn' | grep . || \
		{ echo "error: these tests do not take turns: give their suites the trait .inTurn"; exit 1; }
	@# As `make sanitize` needs it, so that CI builds it once.
	swift build --build-tests --sanitize=thread $(STRICT) --scratch-path .build-thread
	swift build --package-path Soak $(STRICT) --scratch-path .build-strict-soak
	WARNINGS_AS_ERRORS=1 swift build --build-tests --package-path Examples --scratch-path .build-strict-examples
	$(foreach fuzzer,$(FUZZERS),swiftc -typecheck -warnings-as-errors $(FUZZ_OPTIONS) -I .build-thread/debug/Modules $(FILES_OF_$(fuzzer)) &&) true
	@echo "The formatting is right, and our code compiles without warnings."

format: ## Formats the code.
	swift format --in-place --recursive $(SOURCES)

# The late cancellations run in processes of their own.
COVERAGE := --enable-code-coverage --skip LateCancellationTests

coverage: $(call kind,coverage,library) ### Prints the library's line coverage; fails below 97.5 %. KIND: library readme

coverage-library: # Runs the library's tests for it.
	Scripts/test_trusted.sh $(COVERAGE)
	@python3 Tools/coverage.py "$$(swift test --show-codecov-path)" 97.5

# CI runs the library's tests once without optimization: `make readme` runs them, because the README says to try them. So that run
# has coverage, TLS and HTTP/2, too.
coverage-readme: # Runs `make readme` for it, and then the tests that it leaves out.
	TEST_OPTIONS='$(COVERAGE)' Scripts/test_trusted.sh -- $(MAKE) readme
	@python3 Tools/coverage.py "$$(swift test --show-codecov-path)" 97.5
	LLVM_PROFILE_FILE=/dev/null swift test --skip-build --filter 'LateCancellationTests|$(UNTRUSTING)'

soak: $(call kind,soak,calls requests) ### Runs requests for long. KIND: requests calls sessions

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

fuzz: $(call kind,fuzz,$(FUZZERS)) ### Runs the fuzz tests, a minute each. KIND: json elements lines events requests

OPTIONS_OF_json := -dict=Fuzz/json.dict -max_len=1100
OPTIONS_OF_elements := -dict=Fuzz/json.dict -max_len=400
OPTIONS_OF_lines := -max_len=200
OPTIONS_OF_events := -dict=Fuzz/events.dict -max_len=200
OPTIONS_OF_requests := -dict=Fuzz/requests.dict -max_len=100

# Swift's own reports of a crash would keep libFuzzer from writing down its input.
$(addprefix fuzz-,$(FUZZERS)): fuzz-%: # Runs one of them. Its file says what it compares.
	swift build -c release -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing --scratch-path .build-fuzz
	swiftc -O -g -sanitize=fuzzer -o .build-fuzz/$* $(FUZZ_OPTIONS) -I .build-fuzz/release/Modules $(FILES_OF_$*) \
		.build-fuzz/release/*.build/*.o
	@mkdir -p .build-fuzz/$*-corpus
	SWIFT_BACKTRACE=enable=no .build-fuzz/$* $(OPTIONS_OF_$*) -max_total_time=60 -print_final_stats=1 \
		.build-fuzz/$*-corpus $(wildcard Fuzz/$*-seeds)

# SEED=7 draws others. ARGUMENTS='--rooms cookies' takes those of one room.
SEED := 5

mutate: ### Changes the pure code 300 times; 95 % must be noticed.
	python3 Tools/mutate.py --seed $(SEED) $(ARGUMENTS)

WHOLE_CATALOGUE := .build/URLSessionResult.docc
SYMBOL_GRAPHS := .build/symbols
# Apple's toolchain keeps docc out of the path.
DOCC := $(or $(shell command -v docc),xcrun docc)
DOCC_OPTIONS := $(WHOLE_CATALOGUE) --additional-symbol-graph-dir $(SYMBOL_GRAPHS) --fallback-default-module-kind Library

docs: $(call kind,docs,build) ### Builds the documentation and compiles its code. KIND: build pages preview

docs-build: # Builds the pages and checks them.
	@python3 Tools/symbol_graphs.py $(SYMBOL_GRAPHS)
	@python3 Tools/doc_links.py $(WHOLE_CATALOGUE)
	@python3 Tools/workarounds.py check
	@python3 Tools/articles.py check
	@python3 Tools/articles.py compile
	@python3 Tools/interface.py documented $(SYMBOL_GRAPHS)
	$(DOCC) convert $(DOCC_OPTIONS) --output-dir .build/documentation --warnings-as-errors
	$(DOCC) convert --additional-symbol-graph-dir $(SYMBOL_GRAPHS)/URLSessionResultTesting --fallback-display-name URLSessionResultTesting \
		--fallback-bundle-identifier URLSessionResultTesting --output-dir .build/documentation-of-testing --warnings-as-errors
	@cp Sources/URLSessionResult/URLSessionResult.docc/theme-settings.json .build/documentation-of-testing
	@! grep -l '"generated":true' .build/documentation/data/documentation/urlsessionresult.json || \
		{ echo "error: the landing page does not group every symbol: see its last topics"; exit 1; }
	@python3 Tools/links.py .build/documentation
	@echo "DocC had no warnings, every public symbol has documentation, all code compiles, and no link is dead."
	@echo "The pages are in .build/documentation. To read them, run \`make docs-preview\`."

docs-pages: docs-build # Measures the pages in a browser.
	@python3 Tools/pages.py .build/documentation .build/documentation-of-testing

docs-preview: # Serves the documentation on port 8080.
	@python3 Tools/symbol_graphs.py $(SYMBOL_GRAPHS)
	@python3 Tools/doc_links.py $(WHOLE_CATALOGUE)
	$(DOCC) preview $(DOCC_OPTIONS) --output-dir .build/documentation-preview

snippets: ### Copies the tested snippets into the articles and the README.
	@python3 Tools/articles.py update

workarounds: ### Prints what the library corrects on Linux.
	@python3 Tools/workarounds.py print

readme: ### Runs the README's commands and programs; checks links.
	@python3 Tools/links.py
	@python3 Tools/readme.py

api-check: ### Fails if the public interface is not the recorded one.
	@python3 Tools/symbol_graphs.py $(SYMBOL_GRAPHS)
	@python3 Tools/interface.py check $(SYMBOL_GRAPHS)

api-baseline: ### Records the public interface in API.
	@python3 Tools/symbol_graphs.py $(SYMBOL_GRAPHS)
	@python3 Tools/interface.py update $(SYMBOL_GRAPHS)

apple-check: ### Compiles Sources for macOS 12, iOS 15, tvOS 15 and watchOS 8, on Linux.
	@python3 Tools/apple_check.py

apple-run: ### Runs the code in #if canImport(Darwin) on Linux, against a model.
	@python3 Tools/apple_run.py

bench: $(call kind,bench,decoding) ### Runs the benchmarks. KIND: decoding elements memory overhead waiting calls

bench-decoding: # Compares decoders and requests, with nginx, and draws the pictures.
	Scripts/test_trusted.sh -- Benchmarks/Scripts/bench.sh

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

weight: $(call kind,weight,programs) ### Weighs three programs; fails above their ceilings. KIND: programs apple

weight-programs: # Weighs them on Linux.
	@python3 Benchmarks/Scripts/weight.py

weight-apple: # Weighs Apple's branch of two, against a model of URLSession.
	@python3 Benchmarks/Scripts/apple_weight.py
