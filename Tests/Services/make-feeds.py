"""Writes feeds and a catalog into the folder that it is given, as libraries of others make them.

podcast-1.xml to podcast-6.xml: the same podcast of 300 episodes after each 50 more, of which it shows
the last 50; atom.xml: a feed in Atom; opds.xml: a catalog of two books.
"""

import datetime
import pathlib
import sys

from feedgen.feed import FeedGenerator
from opds import AcquisitionLink, Entry, Link, OPDSCatalog, ThumbnailLink

folder = pathlib.Path(sys.argv[1])
start = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)


def feed():
    made = FeedGenerator()
    made.id("https://mirror.test/pub/")
    made.title("Talks & Walks")
    made.link(href="https://mirror.test/pub/", rel="alternate")
    made.description("Made for a test")
    return made


def episode(made, number):
    entry = made.add_entry()
    entry.id(f"https://mirror.test/pub/?p={number}")
    entry.title(f"Episode {number} <live>")
    entry.published(start + datetime.timedelta(days=number))
    entry.updated(start + datetime.timedelta(days=number))
    entry.link(href=f"https://mirror.test/pub/?p={number}")
    return entry


for run in range(1, 7):
    podcast = feed()
    podcast.load_extension("podcast")
    for number in range((run - 1) * 50 + 1, run * 50 + 1):
        entry = episode(podcast, number)
        entry.enclosure(f"https://mirror.test/pub/{number}.mp3", "0", "audio/mpeg")
        entry.podcast.itunes_image(f"https://mirror.test/pub/{number}.jpg")
    podcast.rss_file(str(folder / f"podcast-{run}.xml"), pretty=True)

atom = feed()
atom.load_extension("media")
for number in (1, 2):
    # Its links bear no relation in Atom, whatever they are given.
    file = {"url": f"https://mirror.test/pub/{number}.mp3", "type": "audio/mpeg"}
    episode(atom, number).media.content(file, group=None)
atom.atom_file(str(folder / "atom.xml"))

catalog = OPDSCatalog("Books", "urn:books", start)
catalog.links.append(Link("opds.xml", "application/atom+xml;profile=opds-catalog", Link.Rel.SELF))
for number in (1, 2):
    book = Entry(f"Book {number}", f"urn:isbn:{number}", start)
    book.links.append(AcquisitionLink(f"{number}.epub", "application/epub+zip"))
    book.links.append(ThumbnailLink(f"{number}.jpg", "image/jpeg"))
    catalog.entries.append(book)
(folder / "opds.xml").write_bytes(catalog.write())
