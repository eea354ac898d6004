# What takes more than one of the scripts: scripts/ holds the others, and .ci/run what continuous
# integration runs.
#
#   build      build everything with all traits, unoptimized, as the tests need it
#   format     rewrite the sources in the house format
#   install    build the command line tool (scripts/program) and install it with its manual pages and
#              completions: PREFIX (/usr/local), and DESTDIR before it for packages (scripts/install
#              is all in one)
#   uninstall  remove what install has installed, from the same PREFIX

.PHONY: build format install uninstall

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

format:
	swift format --in-place --recursive Package.swift Sources Tests Examples \
	  Benchmarks/Package.swift Benchmarks/Sources Reliability/Sources \
	  Fuzzing/Package.swift Fuzzing/Sources/SectileFuzz

# The program is asked for its completions, so they are those of what is installed.
install:
	@scripts/program
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
