"""sectile.js folds the recorded streams of feeds, which the client for Python and the schema are tested with as well."""

import os
import sys

from support import BrowserCase

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Clients", "python"))

from sectile_feed import EventParser  # noqa: E402
from streams import CONTENTS, counts, fold_script, names, recorded  # noqa: E402


class StreamTests(BrowserCase):
    def test_each_stream_leads_to_its_contents(self):
        self.database("empty.db").execute("CREATE TABLE empty (id INTEGER PRIMARY KEY)")
        page = self.page(self.serve(name="empty.db").origin + "/example.html?table=empty")
        messages = {name: [vars(each) for each in EventParser().feed(recorded(name))] for name in names()}
        script = "async streams => {" + fold_script() + """
          const sectile = await import("/sectile.js")
          return streams.map(messages => fold(sectile, messages))
        }"""
        unknown = [{**each, "data": each["data"].replace('"format":2', '"format":3', 1)} for each in messages["changes"]]
        *folded, refused = page.evaluate(script, [messages[name] for name in names()] + [unknown])
        for name, result in zip(names(), folded):
            self.assertEqual(result["told"], [[kind, *counts(contents)] for kind, contents in CONTENTS[name]], name)
            self.assertEqual((result["misfits"], result["reopened"]), (0, 1 if name == "slow" else 0), name)
            self.assertEqual(result["position"], messages[name][-1]["id"], name)
        self.assertEqual(refused["errors"], [["unknownFormat", "the server writes format 3; this page reads 1 and 2"]])
        self.assertEqual((refused["told"], refused["state"]), ([["failed", 0, []]], "refused"))
        page.close()
