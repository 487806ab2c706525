/// Catalogs in OPDS, in the forms that its specifications give.
enum OPDSGolden {
  static let acquisitionFeed = """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/"
          xmlns:opds="http://opds-spec.org/2010/catalog">
      <id>urn:uuid:433a5d6a-0b8c-4933-af65-4ca4f02763eb</id>
      <link rel="self" href="/new.xml" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
      <link rel="next" href="/new.xml?page=2" type="application/atom+xml;profile=opds-catalog;kind=acquisition"/>
      <title>Unpopular Publications</title>
      <updated>2026-01-10T10:01:11Z</updated>
      <entry>
        <title>Bob, Son of Bob</title>
        <id>urn:uuid:6409a00b-7bf2-405e-826c-3fdff0fd0734</id>
        <updated>2026-01-10T10:01:11Z</updated>
        <link rel="http://opds-spec.org/image" href="/covers/4561.lrg.png" type="image/png"/>
        <link rel="http://opds-spec.org/image/thumbnail" href="/covers/4561.thmb.gif" type="image/gif"/>
        <link rel="alternate" href="/entries/4571.complete.xml" type="application/atom+xml;type=entry;profile=opds-catalog"/>
        <link rel="http://opds-spec.org/acquisition" href="/content/free/4561.epub" type="application/epub+zip" length="9"/>
        <link rel="http://opds-spec.org/acquisition/open-access" href="/content/free/4561.mobi" type="application/x-mobipocket-ebook"/>
        <link rel="http://opds-spec.org/acquisition/buy" href="/buy/4561.pdf" type="application/pdf"/>
      </entry>
    </feed>

    """

  static let publications = #"""
    {
      "metadata": {"title": "Example listing", "numberOfItems": 2},
      "links": [
        {"rel": "self", "href": "https://books.test/new", "type": "application/opds+json"},
        {"rel": ["next"], "href": "/new?page=2", "type": "application/opds+json"},
        {"rel": "search", "href": "/search{?query}", "templated": true}
      ],
      "publications": [
        {
          "metadata": {"@type": "http://schema.org/Book", "title": "Moby-Dick",
                       "identifier": "urn:isbn:978031600000X", "modified": "2026-02-10T00:00:00Z"},
          "links": [
            {"rel": "self", "href": "https://books.test/moby.json", "type": "application/opds-publication+json"},
            {"rel": "http://opds-spec.org/acquisition/open-access", "href": "https://books.test/moby.epub", "type": "application/epub+zip"}
          ],
          "images": [
            {"href": "https://books.test/cover.jpg", "type": "image/jpeg", "height": 1400, "width": 800},
            {"href": "https://books.test/cover-small.jpg", "type": "image/jpeg", "height": 700, "width": 400}
          ]
        }
      ]
    }

    """#

  static let all = [acquisitionFeed, publications]
}
