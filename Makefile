# Sectile's short commands. `make check` is what continuous integration runs.
#
#   build         build everything, unoptimized
#   test          run the whole suite (scripts/test)
#   test-release  run it optimized, without the @Entity macro
#   lint          format and documentation lint, import direction, forbidden constructs
#   format        rewrite the sources in the house format
#   check         everything of .ci/run: the core stages, then the smokes of the extras
#   check-core    the core stages alone
#   demo          sectile demo on this machine's package database (scripts/demo)
#   manual        write the manual pages of the command line tool (scripts/manual)
#   bench         every goal as a ratio against C and GRDB (scripts/bench)
#   guard         instructions of small fixed cases against their limits (scripts/guard)
#   growth        how costs grow, against the exponents they may have (scripts/growth)
#   fuzz          inputs that follow the branches of what reads them (scripts/fuzz)
#   sanitize      the suites under AddressSanitizer and ThreadSanitizer (scripts/sanitize)
#   reliability   kills, faults, power cuts and storms, in two minutes (scripts/reliability)

.PHONY: build test test-release lint format check check-core demo manual bench guard growth fuzz sanitize reliability

build:
	swift build --build-tests

test:
	scripts/test

test-release:
	bash .ci/run release

lint:
	bash .ci/run lint

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples \
	  Benchmarks/Package.swift Benchmarks/Sources Reliability/Package.swift Reliability/Sources \
	  Fuzzing/Package.swift Fuzzing/Sources/SectileFuzz

check:
	bash .ci/run

check-core:
	bash .ci/run core

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
