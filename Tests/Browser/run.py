"""Runs the tests of the page: python run.py [TEST …], names as unittest has them (test_page, test_fold.FoldTests)."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import Browser  # noqa: E402


def main(names):
    loader = unittest.TestLoader()
    if names:
        tests = loader.loadTestsFromNames(names)
    else:
        tests = loader.discover(os.path.dirname(os.path.abspath(__file__)))
    try:
        result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(tests)
    finally:
        Browser.close()
    # A test may fail in several of its parts.
    failed = {case.id().split(" ")[0] for case, _ in result.failures + result.errors}
    failed |= {case.id() for case in result.unexpectedSuccesses}
    print(f"{result.testsRun - len(failed) - len(result.skipped)} passed, {len(failed)} failed", flush=True)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
