"""Names and words that fit, below the caret of the field for a SELECT; and what is said where there is nothing to see."""

from support import BrowserCase

HOSTILE = '<img src=x onerror="alert(1)">\u202eevil'


class CompletionTests(BrowserCase):
    def setUp(self):
        super().setUp()
        self.connection = self.database()
        self.connection.execute("CREATE TABLE package (id INTEGER PRIMARY KEY, name TEXT, section TEXT, \"in stock\" INTEGER)")
        self.connection.execute("CREATE TABLE packer (id INTEGER PRIMARY KEY, nickname TEXT)")
        quoted = HOSTILE.replace('"', '""')
        self.connection.execute(f'CREATE TABLE "{quoted}" (id INTEGER PRIMARY KEY)')
        self.server = self.serve()

    def open(self, query="?sql=SELECT+1+AS+one"):
        page = self.page(f"{self.server.origin}/{query}")
        self.settle(page)
        return page

    def write(self, page, text):
        page.fill("#sql", "")
        page.locator("#sql").press_sequentially(text)

    def offered(self, page):
        return page.locator(".completions:visible .completion-title").all_inner_texts()

    def test_names_of_the_schema_are_offered(self):
        page = self.open()
        self.write(page, "SELECT * FROM pa")
        self.assertEqual(self.offered(page), ["package", "packer"])
        active = page.get_attribute("#sql", "aria-activedescendant")
        self.assertEqual(page.get_attribute(f"#{active}", "aria-selected"), "true")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        self.assertEqual(page.input_value("#sql"), "SELECT * FROM packer")
        self.assertEqual(self.offered(page), [])
        self.assertEqual(page.evaluate("document.activeElement.id"), "sql")
        # What was put in can be taken back.
        page.keyboard.press("Control+z")
        self.assertEqual(page.input_value("#sql"), "SELECT * FROM pa")
        # Columns of the tables that are named, in marks where they need them; those of others are not offered.
        self.write(page, "SELECT p.i FROM package AS p")
        page.evaluate("document.getElementById('sql').setSelectionRange(10, 10)")
        page.keyboard.press("Control+Space")
        self.assertEqual(self.offered(page), ["id", "in stock"])
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        self.assertEqual(page.input_value("#sql"), 'SELECT p."in stock" FROM package AS p')
        page.keyboard.press("Control+Enter")
        self.until(lambda: page.evaluate("sectile.state.sql") == 'SELECT p."in stock" FROM package AS p', "it is run")

    def test_words_and_functions_and_what_is_left_alone(self):
        page = self.open()
        self.write(page, "sel")
        self.assertEqual(self.offered(page), ["select"])
        page.keyboard.press("Enter")
        self.assertEqual(page.input_value("#sql"), "select ")
        page.locator("#sql").press_sequentially("group_c")
        page.keyboard.press("Tab")
        self.assertEqual(page.input_value("#sql"), "select group_concat(")
        # Within texts and comments there is nothing to offer; a word that is written goes on with a new line.
        for text in ["SELECT 'pac", "SELECT 1 -- pac", "SELECT 12", "SELECT * FROM package"]:
            self.write(page, text)
            self.assertEqual(self.offered(page), [], text)
        page.keyboard.press("Enter")
        self.assertEqual(page.input_value("#sql"), "SELECT * FROM package\n")
        # Escape closes the list alone; then it leaves the field.
        self.write(page, "SELECT * FROM pa")
        self.assertEqual(len(self.offered(page)), 2)
        page.keyboard.press("Escape")
        self.assertEqual(self.offered(page), [])
        self.assertEqual(page.evaluate("document.activeElement.id"), "sql")
        page.keyboard.press("Escape")
        self.assertEqual(page.evaluate("document.activeElement.id"), "grid")

    def test_the_list_is_at_the_caret_and_names_are_text(self):
        page = self.open()
        self.write(page, "SELECT *\nFROM img")
        shown = self.offered(page)
        self.assertTrue(len(shown) == 1 and "<img src=x" in shown[0], shown)
        self.assertEqual(page.locator(".completions img").count(), 0)
        field, box = page.locator("#sql").bounding_box(), page.locator(".completions").bounding_box()
        self.assertGreater(box["x"], field["x"] + 20)
        self.assertLess(box["x"], field["x"] + 120)
        self.assertGreater(box["y"], field["y"] + 30)
        page.locator(".completions li").click()
        self.assertEqual(page.input_value("#sql"), 'SELECT *\nFROM "' + HOSTILE.replace('"', '""') + '"')
        self.assertEqual(page.evaluate("document.activeElement.id"), "sql")

    def test_where_there_is_nothing_it_is_said_what_to_do(self):
        page = self.open("?table=package&where=id+%3C+0&search=x")
        self.until(lambda: "No rows." in page.inner_text("#grid"), lambda: page.inner_text("#grid"))
        self.connection.execute("INSERT INTO package VALUES (1, 'one', 's', 1)")
        page.get_by_role("button", name="Remove conditions").click()
        self.until(lambda: page.locator(".row").count() == 1, "the row")
        self.assertNotIn("where", page.url)
        self.assertEqual(page.input_value("#where") + page.input_value("#search"), "")
        self.connection.execute("DELETE FROM package")
        self.until(lambda: "as soon as a program inserts them" in page.inner_text("#grid"), lambda: page.inner_text("#grid"))
        for name in ["package", "packer", HOSTILE]:
            self.connection.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
        self.until(lambda: "CREATE TABLE" in page.inner_text("#tables"), lambda: page.inner_text("#tables"))
        self.assertIn("sqlite3 app.db", page.inner_text("#tables"))
