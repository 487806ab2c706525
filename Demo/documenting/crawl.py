"""crawl.py FOLDER [BASE]: goes through the site that docc made in FOLDER, from its first page.

Every page that is there is reached, every link within the site leads to a page and to a heading of
it, every article and module begins with a sentence, and a newcomer is led from the first page to each
use in two clicks. What doesn't hold is printed, with status 1.
"""

import json
import pathlib
import re
import sys

FIRST = "/documentation/onewaysynchronizer"
USES = {
    "the mirror": "mirrorafolder",
    "records": "tablesfromjson",
    "documents": "documentsoffline",
    "the engine": "writeaprocessor",
}


class Site:
    def __init__(self, folder, base):
        self.folder, self.base = folder, base.strip("/")
        self.pages = {}

    def page(self, path):
        """What docc's own script shows at an address, or nothing."""
        if path not in self.pages:
            data = self.folder / "data" / (path.strip("/") + ".json")
            shown = self.folder / path.strip("/") / "index.html"
            there = data.is_file() and shown.is_file()
            self.pages[path] = json.loads(data.read_text()) if there else None
        return self.pages[path]

    def all(self):
        data = self.folder / "data"
        return {"/" + str(file.relative_to(data))[:-5] for file in data.glob("documentation/**/*.json")}


def text(inline):
    return "".join(part.get("text") or part.get("code") or "…" for part in inline or [])


def links(page):
    """The addresses within the site, and the files, that a page names."""
    for reference in page.get("references", {}).values():
        if reference.get("type") in ("topic", "section", "link") or "kind" in reference:
            yield reference.get("url", "")
        for variant in reference.get("variants", []) if reference.get("type") == "image" else []:
            yield variant["url"]


def anchors(page):
    def walk(value):
        if isinstance(value, dict):
            if value.get("type") == "heading" and "anchor" in value:
                yield value["anchor"].lower()
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    return set(walk(page.get("primaryContentSections", []))) | {
        section.get("anchor", "").lower() for section in page.get("topicSections", [])
    }


def is_written(path, page):
    """An article or a module; not a list that docc makes of what a type has from a protocol."""
    roles = ("article", "collection", "collectionGroup")
    return page["metadata"].get("role") in roles and not path.endswith("-implementations")


def crawl(site):
    """Pages by the least number of clicks, and what is wrong."""
    clicks, left, wrong, outside = {FIRST: 0}, [FIRST], [], set()
    for path in left:
        page = site.page(path)
        for link in links(page):
            if not link.startswith("/"):
                if re.match(r"https?://", link):
                    outside.add(link)
                elif link:
                    wrong.append(f"{path}: a link to {link}")
                continue
            to, _, heading = link.partition("#")
            if not to.startswith("/documentation/"):
                if not (site.folder / to.removeprefix("/" + site.base).strip("/")).is_file():
                    wrong.append(f"{path}: no file {to}")
            elif site.page(to) is None:
                wrong.append(f"{path}: no page {to}")
            else:
                if heading and heading.lower() not in anchors(site.page(to)):
                    wrong.append(f"{path}: no heading {link}")
                if to not in clicks:
                    clicks[to] = clicks[path] + 1
                    left.append(to)
    return clicks, wrong, outside


def main():
    site = Site(pathlib.Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
    if site.page(FIRST) is None:
        sys.exit(f"{sys.argv[1]} has no first page")
    clicks, wrong, outside = crawl(site)
    for path in sorted(site.all() - set(clicks)):
        wrong.append(f"{path}: no way leads here")
    articles = [path for path in clicks if is_written(path, site.page(path))]
    for path in articles:
        begins = text(site.page(path).get("abstract"))
        if not begins.startswith("For who "):
            wrong.append(f"{path}: doesn't say whom it is for: {begins!r}")
    for use, name in USES.items():
        if clicks.get(f"{FIRST}/{name}", 9) > 2:
            wrong.append(f"{use}: more than two clicks away")
    print(f"{len(clicks)} pages, {len(articles)} of them articles and modules; {len(outside)} links lead outside.")
    # What leads nowhere is found first; a page that is missing may leave many without a way.
    for sentence in list(dict.fromkeys(wrong))[:40]:
        print(sentence)
    sys.exit(1 if wrong else 0)


main()
