# shellcheck shell=bash
# What the other scripts share: messages, the packages a build needs, the Swift that is asked for.
# Sourced, never run. Asks nothing, so it also works without a terminal.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Exit codes, as the command line tool uses them (sysexits.h).
# shellcheck disable=SC2034
EXIT_DATA=65
EXIT_UNAVAILABLE=69

say() { printf '%s\n' "$*" >&2; }

# fail CODE MESSAGE [HINT]: one line, then the next step.
fail() {
  say "error: $2"
  if [ $# -ge 3 ]; then say "Hint: $3"; fi
  exit "$1"
}

have() { command -v "$1" >/dev/null 2>&1; }

# The Swift release the manifest asks for, as in its first line.
wanted_swift() { sed -n '1s|^// swift-tools-version: *||p' "$root/Package.swift"; }

# Goes before each build. SwiftPM hands traits to the compiler in the order of a hashed set: with equal hashes
# a second build finds that nothing has changed, where it would compile everything anew.
equal_hashes=(env SWIFT_DETERMINISTIC_HASHING=1)

# The build that tests, the page, the manual and the examples share: everything, with all traits, not
# optimized. Its products are in this folder.
# shellcheck disable=SC2034
everything_folder=$root/.build/debug

# build_tests OPTION …: builds everything, tests included, as the options say.
build_tests() {
  "${equal_hashes[@]}" swift build --package-path "$root" --build-tests "$@" </dev/null >&2
}

# build_everything: makes the build that is shared, or what has changed of it.
build_everything() { SECTILE_EXAMPLES=1 build_tests --enable-all-traits; }

# optimized_build: prints the command, one word a line, of the other build that is shared: as users build, and as the
# program is installed. What scripts/guard and scripts/growth count is what users get; Documentation/Decisions/0039
# says what the flag of the tests would cost. It needs Swift.
optimized_build() {
  local flag
  printf '%s\n' swift build --package-path "$root" --scratch-path "$root/.build/optimized" \
    --configuration release --disable-default-traits
  flag=$(static_runtime)
  # At a fixed address, a hundred thousand places need not be told at each start where they are.
  if [ -n "$flag" ]; then printf '%s\n' "$flag" -Xlinker -no-pie; fi
}

# The modules of the library products, each behind what it imports. `Sectile` stands for those that
# it brings along.
# shellcheck disable=SC2034
public_modules=(Sectile SectileFeed SectileFeedClient SectileHub SectilePostgres SectileNATS SectileService
  SectilePresenting SectileRemote SectileHTTP SectileServer SectileTestSupport)

# symbol_graphs MODULE FOLDER: writes what is public in a module into a new folder, from the modules
# of the shared build as they are. Returns 1 where there is nothing: it was built without its trait.
symbol_graphs() {
  local built=$everything_folder triple map extract
  [ -e "$built/Modules/$1.swiftmodule" ] || fail "$EXIT_DATA" "$1 is not built" \
    "Leave out --skip-build, or build the tests first."
  mkdir -p "$2"
  triple=$(swiftc -print-target-info | sed -n 's/^ *"triple": *"\([^"]*\)".*/\1/p' | head -n 1)
  extract=(swift symbolgraph-extract -I "$built/Modules" -target "$triple"
    -module-cache-path "$(dirname "$2")/cache" -minimum-access-level public
    -skip-synthesized-members -emit-extension-block-symbols)
  # The modules of C code, which the compiled ones refer to.
  while IFS= read -r map; do extract+=(-Xcc "-fmodule-map-file=$map"); done < <(
    find "$root"/Sources "$root"/.build/checkouts/*/Sources -name module.modulemap
    ls "$built"/*.build/module.modulemap)
  # What `import Sectile` brings stands under that name, as users see it.
  if [ "$1" = Sectile ]; then
    extract+=("-experimental-allowed-reexported-modules=SectileCore,SectileStore,SectileDataSources")
  fi
  "${extract[@]}" -module-name "$1" -output-dir "$2" >&2 ||
    fail "$EXIT_DATA" "the symbol graph of $1 cannot be made" "Look at the messages above."
  ! grep -q '"symbols": *\[\]' "$2/$1.symbols.json"
}

# Prints the flag that links Swift's runtime into a program, where this toolchain has it for that.
static_runtime() {
  local resources
  resources=$(swiftc -print-target-info -static-stdlib 2>/dev/null |
    sed -n 's/.*"runtimeResourcePath": *"\([^"]*\)".*/\1/p')
  if [ -e "$resources/linux/libswiftCore.a" ]; then echo --static-swift-stdlib; fi
}

# Prints the Debian packages that are missing, one per line. Tests for what they bring, not for
# their names, so that a toolchain image with other packages is fine as well.
missing_packages() {
  have git || echo git
  have g++ || have clang++ || echo g++
  have ld || have ld.gold || have ld.lld || echo binutils
  [ -e /usr/include/stdio.h ] || echo libc6-dev
  [ -e /usr/include/sqlite3.h ] || echo libsqlite3-dev
  # What the command line tool stands on: line editing, the screen of `watch --tui`, CSV, JSON, gzip, zstd.
  [ -e /usr/include/histedit.h ] || echo libedit-dev
  [ -e /usr/include/ncursesw/curses.h ] || [ -e /usr/include/curses.h ] || echo libncurses-dev
  [ -e /usr/include/csv.h ] || echo libcsv-dev
  [ -e /usr/include/yajl/yajl_parse.h ] || echo libyajl-dev
  [ -e /usr/include/zlib.h ] || echo zlib1g-dev
  [ -e /usr/include/zstd.h ] || echo libzstd-dev
  # The package manager of a bare toolchain archive links these.
  local tool
  tool=$(command -v swift || true)
  if [ -n "$tool" ] && have ldd; then
    tool=$(dirname "$(readlink -f "$tool")")/swift-package
    if [ -e "$tool" ]; then
      ldd "$tool" 2>/dev/null | sed -n \
        -e 's/^[[:space:]]*libcurl.* => not found.*/libcurl4-openssl-dev/p' \
        -e 's/^[[:space:]]*libxml2.* => not found.*/libxml2-dev/p' \
        -e 's/^[[:space:]]*libncurses.* => not found.*/libncurses-dev/p'
    fi
  fi
}

# Prints what the tests need besides: terminals to type into, SQLite's own shell to compare with, a client of HTTP.
missing_test_packages() {
  have curl || echo curl
  have tmux || echo tmux
  have sqlite3 || echo sqlite3
  # The module for PostgreSQL is built with all others; its tests run where a server is installed.
  [ -e /usr/include/postgresql/libpq-fe.h ] || [ -e /usr/include/libpq-fe.h ] || echo libpq-dev
  # So is the module for NATS.
  [ -e /usr/include/nats/nats.h ] || echo libnats-dev
}

# Prints what the tests with PostgreSQL need: a server, which they start themselves.
missing_postgres_packages() {
  local program
  for program in /usr/lib/postgresql/*/bin/initdb; do
    if [ -x "$program" ]; then return 0; fi
  done
  have initdb || echo postgresql
}

# Prints what the tests with NATS need: its client library, and a server, which they start themselves.
missing_nats_packages() {
  [ -e /usr/include/nats/nats.h ] || echo libnats-dev
  have nats-server || [ -x /usr/sbin/nats-server ] || echo nats-server
}

# Prints what scripts/bench compares the command line tool with, besides.
missing_benchmark_packages() {
  have sqlite3 || echo sqlite3
  have sqldiff || echo sqlite3-tools
}

# Prints what the tests of the page need: Debian's browser, a letter for every sign, Python's environments.
missing_browser_packages() {
  have chromium || echo chromium
  have python3 || echo python3
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || echo fonts-dejavu-core
}

# The release of Playwright that drives the browser, and where it is installed. It comes from PyPI without a
# browser of its own; the browser is Debian's.
playwright_release=1.65.2
browser_environment=$root/.build/browser

# Installs what the tests of the page need, and that is missing.
install_browser() {
  local missing
  mapfile -t missing < <(missing_browser_packages)
  if [ ${#missing[@]} -gt 0 ]; then install_packages "${missing[@]}"; fi
  if "$browser_environment/bin/python" -c "
import importlib.metadata, sys
sys.exit(importlib.metadata.version('playwright') != '$playwright_release')" 2>/dev/null; then return 0; fi
  say "Installing Playwright $playwright_release into .build/browser …"
  rm -rf "$browser_environment"
  if ! { mkdir -p "$root/.build" && python3 -m venv "$browser_environment" &&
    "$browser_environment/bin/pip" --quiet --disable-pip-version-check install \
      "playwright==$playwright_release"; } </dev/null >&2; then
    rm -rf "$browser_environment"
    fail "$EXIT_UNAVAILABLE" "Playwright $playwright_release cannot be installed from PyPI" \
      "Look at the messages above; a network may be missing."
  fi
}

# install_packages [--tests] [PACKAGE …]: installs what is missing, and the named packages, where it
# may, and says the exact command where it may not.
install_packages() {
  local missing run=() has_tests=
  if [ "${1-}" = --tests ]; then
    shift
    has_tests=yes
  fi
  missing=$({
    missing_packages
    if [ -n "$has_tests" ]; then missing_test_packages; fi
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi
  } | sort -u | tr '\n' ' ')
  missing=${missing% }
  if [ -z "$missing" ]; then return 0; fi
  have apt-get || fail "$EXIT_UNAVAILABLE" "missing: $missing (names as in Debian)" \
    "Install what provides them with this system's package manager, then run this again."
  if [ "$(id -u)" -ne 0 ]; then
    if have sudo && sudo -n true 2>/dev/null; then
      run=(sudo -n)
    else
      fail "$EXIT_UNAVAILABLE" "missing packages: $missing" \
        "Run: sudo apt-get update && sudo apt-get install --yes --no-install-recommends $missing"
    fi
  fi
  say "Installing $missing …"
  local apt=("${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2)
  # One line per package holds no spaces, so splitting the list is what is wanted.
  # shellcheck disable=SC2086
  if ! { "${apt[@]}" update && "${apt[@]}" install --yes --no-install-recommends $missing; } \
    </dev/null >&2; then
    fail "$EXIT_UNAVAILABLE" "apt-get could not install: $missing" \
      "Look at its messages above; a network or another apt run may be in the way."
  fi
}

# Ends with the exact commands where Swift is missing or older than the manifest asks for.
require_swift() {
  local wanted found environment
  wanted=$(wanted_swift)
  environment=${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh
  if ! have swift && [ -r "$environment" ]; then
    # Written by swiftly, not by this project.
    # shellcheck disable=SC1090
    . "$environment"
  fi
  if ! have swift; then
    say "error: Swift is not installed (or not on PATH); Sectile needs $wanted or later."
    say "Hint: get it from https://www.swift.org/install/linux, with swiftly:"
    print_swiftly_commands
    exit "$EXIT_UNAVAILABLE"
  fi
  found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
  if [ -z "$found" ]; then
    fail "$EXIT_UNAVAILABLE" "'swift --version' does not answer" \
      "Run it by hand; a library that the toolchain needs may be missing."
  fi
  if [ "$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
    say "error: Swift $found is too old; Sectile needs $wanted or later."
    if have swiftly; then
      say "Hint: swiftly is here, so run:"
      say "    swiftly install --use latest"
    else
      say "Hint: get a newer one from https://www.swift.org/install/linux, with swiftly:"
      print_swiftly_commands
    fi
    exit "$EXIT_UNAVAILABLE"
  fi
}

# The commands of swift.org's own instructions; printed, never run.
print_swiftly_commands() {
  local line
  # The reader's shell expands these.
  # shellcheck disable=SC2016
  for line in \
    'curl -O "https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz"' \
    'tar zxf "swiftly-$(uname -m).tar.gz"' \
    './swiftly init --quiet-shell-followup --assume-yes' \
    '. "${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh" && hash -r'; do
    say "    $line"
  done
}

# For what reads Swift with awk, in front of its program: code(TEXT) returns a line without texts and
# comments, also those over several lines. A file begins with `is_text = 0`.
# shellcheck disable=SC2016,SC2034
swift_code='
  function code(text) {
    if (is_text) {
      if (text ~ /"""/) is_text = 0
      return ""
    }
    if (text ~ /"""/ && gsub(/"""/, "&", text) == 1) {
      is_text = 1
      sub(/"""[^"]*$/, "", text)
    }
    gsub(/#"([^"]|"[^#])*"#/, "", text)
    gsub(/"([^"\\]|\\.)*"/, "", text)
    sub(/\/\/.*/, "", text)
    return text
  }
'
