"""Adds the documents of the repository, and a page to begin with, to the site that scripts/documentation makes.

site_pages.py ROOT SITE

README.md, the other documents of the root and all of Documentation become pages of SITE/guides, rendered by cmark-gfm, at
the paths that they have in the repository. Links between them, to articles of DocC and to files beside them go on working;
a link to anything else of the repository, which is not in the site, becomes its text.
"""

import html
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import urllib.parse

ARTICLE = re.compile(r"Sources/(\w+)/\w+\.docc/(?:Articles/)?(\w+)\.md")
# What documents show and offer beside their texts.
BESIDE = (".svg", ".png", ".json", ".1")
STYLE = """:root { color-scheme: light dark }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
pre, code { font: .875rem/1.4 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: .25rem }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .25rem .5rem; border: 1px solid #8886; text-align: left; vertical-align: top }
img { max-width: 100% }
"""


class Pages:
    """The documents of a repository as pages of a site."""

    def __init__(self, root, site):
        self.root, self.site = root, site
        self.documents = {
            path.relative_to(root).as_posix()
            for path in [*root.glob("*.md"), *(root / "Documentation").rglob("*.md")]
        }
        self.titles = {}
        self.broken = []

    def write(self):
        (self.site / "guides").mkdir(parents=True, exist_ok=True)
        for document in sorted(self.documents):
            self.write_page(document)
        for path in (self.root / "Documentation").rglob("*"):
            if path.suffix in BESIDE:
                copy = self.place(path.relative_to(self.root).as_posix())
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
        shutil.copyfile(self.root / "LICENSE", self.place("LICENSE.txt"))
        (self.site / "guides" / "style.css").write_text(STYLE)
        # All pages of DocC have this file; it shows what the path says.
        first, modules = self.site / "index.html", self.site / "documentation"
        if first.exists() and modules.is_dir() and not (modules / "index.html").exists():
            shutil.copyfile(first, modules / "index.html")
        first.write_text(self.landing(), encoding="utf-8")

    def place(self, path):
        return self.site / "guides" / path

    def write_page(self, document):
        text = (self.root / document).read_text(encoding="utf-8")
        body = subprocess.run(
            ["cmark-gfm", "--extension", "table", "--extension", "strikethrough", "--extension", "autolink"],
            input=text, capture_output=True, text=True, encoding="utf-8", check=True).stdout
        body = with_anchors(body)
        body = re.sub(
            r'<a href="([^"]*)">(.*?)</a>', lambda match: self.link(document, match), body, flags=re.DOTALL)
        body = re.sub(r'<img src="([^"]*)"', lambda match: self.image(document, match), body)
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
        self.titles[document] = plain(heading[1]) if heading else document
        up = "../" * document.count("/")
        page = self.place(posixpath.splitext(document)[0] + ".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(
            framed(
                self.titles[document], f"{up}style.css",
                f'<nav><a href="{up}../index.html">All documentation</a></nav>\n<main>\n{body}</main>'),
            encoding="utf-8")

    def link(self, document, match):
        address, text = html.unescape(match[1]), match[2]
        target = self.target(document, address)
        if target is None:
            return text
        return f'<a href="{html.escape(target)}">{text}</a>'

    def image(self, document, match):
        address = html.unescape(match[1])
        return f'<img src="{html.escape(self.target(document, address) or address)}"'

    def target(self, document, address):
        """Where a link of a document leads in the site; None where its target is not in there."""
        parts = urllib.parse.urlsplit(address)
        if parts.scheme or parts.netloc or not parts.path:
            return address
        folder = posixpath.dirname(document)
        path = posixpath.normpath(posixpath.join(folder, urllib.parse.unquote(parts.path)))
        if not (self.root / path).exists():
            self.broken.append(f"{document}: {address}")
            return None
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        if path in self.documents:
            return posixpath.relpath(posixpath.splitext(path)[0] + ".html", folder or ".") + fragment
        if path == "LICENSE":
            return posixpath.relpath("LICENSE.txt", folder or ".")
        if path.startswith("Documentation/") and path.endswith(BESIDE):
            return posixpath.relpath(path, folder or ".")
        article = ARTICLE.fullmatch(path)
        if article is None:
            return None
        module, name = article[1].lower(), article[2].lower()
        place = f"../documentation/{module}" + ("" if name == module else f"/{name}")
        if (self.site / "documentation").is_dir() and not (self.site / place[3:]).is_dir():
            self.broken.append(f"{document}: {address}, which the site does not have")
        # Without the fragment: DocC gives headings other names.
        return posixpath.relpath(place, folder or ".") + "/"

    def landing(self):
        readme = (self.root / "README.md").read_text(encoding="utf-8")
        first = next(part for part in readme.split("\n\n")[1:] if part[0].isalpha())
        modules = sorted(
            path.name for path in (self.site / "data" / "documentation").glob("*.json")
            if path.stem != "documentation")
        names = {path.name.lower(): path.name for path in (self.root / "Sources").iterdir()}
        guides = [
            document for document in sorted(self.documents) if "/Decisions/" not in document
        ] + ["Documentation/Decisions/README.md"]
        lines = [f"<h1>Sectile</h1>\n<p>{html.escape(first)}</p>"]
        lines.append('<h2>Articles and API</h2>\n<p><a href="documentation/">All modules</a></p>\n<ul>')
        for module in modules:
            key = module.removesuffix(".json")
            lines.append(f'<li><a href="documentation/{key}/">{html.escape(names.get(key, key))}</a></li>')
        lines.append("</ul>\n<h2>Guides</h2>\n<ul>")
        for document in guides:
            page = f"guides/{posixpath.splitext(document)[0]}.html"
            lines.append(f'<li><a href="{html.escape(page)}">{html.escape(self.titles[document])}</a></li>')
        lines.append("</ul>")
        return framed("Sectile", "guides/style.css", "<main>\n" + "\n".join(lines) + "\n</main>")


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup)).strip()


def with_anchors(body):
    """Gives headings the names by which links of Markdown know them."""
    taken = {}

    def anchored(match):
        slug = re.sub(r"[^\w\- ]", "", plain(match[2]).lower()).replace(" ", "-")
        number = taken.get(slug, 0)
        taken[slug] = number + 1
        return f'<h{match[1]} id="{slug}{f"-{number}" if number else ""}">{match[2]}</h{match[1]}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", anchored, body, flags=re.DOTALL)


def framed(title, style, body):
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{style}">
{body}
</html>
"""


def main():
    root, site = (pathlib.Path(path) for path in sys.argv[1:])
    pages = Pages(root, site)
    pages.write()
    if pages.broken:
        print("\n".join(pages.broken), file=sys.stderr)
        print("error: links of the pages lead nowhere\nHint: They stand above, with their documents.", file=sys.stderr)
        sys.exit(65)
    print(f"{len(pages.documents)} documents are pages of {site}", file=sys.stderr)


main()
