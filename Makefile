# Sectile's short commands. `make check` is what continuous integration runs.
#
#   build         build everything with all traits, unoptimized, as the tests need it
#   test          run the whole suite (scripts/test)
#   test-release  run the engine's suites optimized, without the @Entity macro
#   lint          format and documentation lint, import direction, forbidden constructs, links
#   format        rewrite the sources in the house format
#   check         everything of .ci/run: the core stages, then the smokes of the extras
#   check-core    the core stages alone
#   install       build the command line tool and install it with its manual pages and completions:
#                 PREFIX (/usr/local), and DESTDIR before it for packages (scripts/install is all in one)
#   uninstall     remove what install has installed, from the same PREFIX
#   program       build what install installs (scripts/program)
#   demo          sectile demo on this machine's package database (scripts/demo)
#   documentation make the site of the articles and the comments (scripts/documentation)
#   public-api    write the listing of what is public (scripts/public-api)
#   manual        write the manual pages of the command line tool (scripts/manual)
#   bench         every goal as a ratio against C and GRDB (scripts/bench)
#   guard         instructions of small fixed cases against their limits (scripts/guard)
#   growth        how costs grow, against the exponents they may have (scripts/growth)
#   fuzz          inputs that follow the branches of what reads them (scripts/fuzz)
#   sanitize      the suites under AddressSanitizer and ThreadSanitizer (scripts/sanitize)
#   reliability   kills, faults, power cuts and storms, in two minutes (scripts/reliability)

.PHONY: build test test-release lint format check check-core install uninstall program demo documentation public-api manual bench guard growth fuzz sanitize reliability

PREFIX = /usr/local
DESTDIR =
INSTALL = install
# Where programs, manual pages and completions are looked for below a prefix.
installed = $(DESTDIR)$(PREFIX)
manuals = $(installed)/share/man/man1
bash_completions = $(installed)/share/bash-completion/completions
zsh_completions = $(installed)/share/zsh/site-functions
fish_completions = $(installed)/share/fish/vendor_completions.d

build:
	bash -c '. scripts/lib.sh && build_everything'

test:
	scripts/test

test-release:
	bash .ci/run release

lint:
	bash .ci/run lint

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples \
	  Benchmarks/Package.swift Benchmarks/Sources Reliability/Sources \
	  Fuzzing/Package.swift Fuzzing/Sources/SectileFuzz

check:
	bash .ci/run

check-core:
	bash .ci/run core

program:
	@scripts/program

# The program is asked for its completions, so they are those of what is installed.
install: program
	$(INSTALL) -d "$(installed)/bin" "$(manuals)" "$(bash_completions)" "$(zsh_completions)" \
	  "$(fish_completions)"
	$(INSTALL) -m 755 "$$(scripts/program --path)" "$(installed)/bin/sectile"
	rm -f "$(manuals)"/sectile.1 "$(manuals)"/sectile-*.1
	$(INSTALL) -m 644 Documentation/man/*.1 "$(manuals)"
	"$(installed)/bin/sectile" --generate-completion-script bash >"$(bash_completions)/sectile"
	"$(installed)/bin/sectile" --generate-completion-script zsh >"$(zsh_completions)/_sectile"
	"$(installed)/bin/sectile" --generate-completion-script fish >"$(fish_completions)/sectile.fish"

uninstall:
	rm -f "$(installed)/bin/sectile" "$(manuals)"/sectile.1 "$(manuals)"/sectile-*.1 \
	  "$(bash_completions)/sectile" "$(zsh_completions)/_sectile" "$(fish_completions)/sectile.fish"

demo:
	scripts/demo

documentation:
	scripts/documentation

public-api:
	scripts/public-api

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
