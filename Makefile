# Sectile's short commands. `make check` is what continuous integration runs.
#
#   build         build everything, unoptimized
#   test          run the whole suite (scripts/test)
#   test-release  run it optimized, without the @Entity macro
#   lint          format and documentation lint, import direction, forbidden constructs
#   format        rewrite the sources in the house format
#   check         everything of .ci/run
#   demo          sectile demo on this machine's package database (scripts/demo)
#   manual        write the manual pages of the command line tool (scripts/manual)
#   bench         every goal as a ratio against C and GRDB (scripts/bench)
#   guard         instructions of small fixed cases against their limits (scripts/guard)
#   growth        how costs grow, against the exponents they may have (scripts/growth)
#   fuzz          inputs that follow the branches of what reads them (scripts/fuzz)
#   sanitize      the suites under AddressSanitizer and ThreadSanitizer (scripts/sanitize)
#   reliability   kills, faults, power cuts and storms, in two minutes (scripts/reliability)

.PHONY: build test test-release lint format check demo manual bench guard growth fuzz sanitize reliability

build:
	swift build --build-tests

test:
	scripts/test

test-release:
	scripts/test -c release -Xswiftc -enable-testing --disable-default-traits

lint:
	swift format lint --strict --recursive Package.swift Sources Tests Examples \
	  Benchmarks/Package.swift Benchmarks/Sources Reliability/Package.swift Reliability/Sources \
	  Fuzzing/Package.swift Fuzzing/Sources/SectileFuzz
	scripts/check-imports
	scripts/check-sources
	scripts/count-public-types --most 110

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples \
	  Benchmarks/Package.swift Benchmarks/Sources Reliability/Package.swift Reliability/Sources \
	  Fuzzing/Package.swift Fuzzing/Sources/SectileFuzz

check:
	bash .ci/run

demo:
	scripts/demo

manual:
	scripts/manual

bench:
	scripts/bench

guard:
	scripts/guard

growth:
	scripts/growth

fuzz:
	scripts/fuzz

sanitize:
	scripts/sanitize address
	scripts/sanitize thread

reliability:
	scripts/reliability --quick
