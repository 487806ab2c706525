/// Feeds as publishers write them.
enum FeedGolden {
  static let podcast = """
    <?xml version="1.0" encoding="UTF-8"?>
    <?xml-stylesheet type="text/xsl" href="/feed.xsl"?>
    <!-- made by hand -->
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
         xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"
         xmlns:content="http://purl.org/rss/1.0/modules/content/">
      <channel>
        <title>Talks &amp; Walks</title>
        <link>https://talks.test/</link>
        <atom:link rel="self" type="application/rss+xml" href="https://talks.test/feed.xml"/>
        <itunes:image href="https://talks.test/cover.jpg"/>
        <item>
          <title><![CDATA[Two <b>files</b>]]></title>
          <guid isPermaLink="false">ep-2</guid>
          <pubDate>Tue, 3 Mar 2026 07:05:00 +0100</pubDate>
          <itunes:image href="/art/2.jpg"/>
          <content:encoded><![CDATA[<p>Notes</p>]]></content:encoded>
          <enclosure url="https://cdn.test/r/2.mp3?token=a&amp;b=c" type="audio/mpeg" length="1234"/>
          <enclosure url="https://cdn.test/r/2-high.mp3" type="audio/mpeg" length="0"/>
          <enclosure url="2.pdf" type="application/pdf" length="many"/>
        </item>
        <item>
          <title>By its address</title>
          <guid>https://talks.test/?p=1</guid>
          <pubDate>Mon, 02 Mar 2026 07:05:00 GMT</pubDate>
          <media:group>
            <media:content url="https://cdn.test/low.mp4" type="video/mp4" fileSize="10"/>
            <media:content url="https://cdn.test/high.mp4" type="video/mp4" isDefault="true"/>
            <media:thumbnail url="https://cdn.test/1.png"/>
          </media:group>
        </item>
        <item><title>Words only</title><guid>note</guid></item>
      </channel>
    </rss>

    """

  static let atomFeed = """
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0"
          xml:base="https://cast.test/media/">
      <title>Cast</title>
      <id>urn:uuid:60a76c80-d399-11d9-b93C-0003939e0af6</id>
      <updated>2026-03-03T07:05:00Z</updated>
      <link rel="next" href="/feed?page=2"/>
      <entry>
        <title>One</title>
        <id>urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a</id>
        <updated>2026-03-03T07:05:00Z</updated>
        <link rel="alternate" href="https://cast.test/one"/>
        <link rel="enclosure" type="audio/ogg" length="77" href="one.ogg"/>
      </entry>
      <at:deleted-entry ref="tag:cast.test,2026:two" when="2026-03-02T00:00:00Z"/>
    </feed>

    """

  static let rss = [podcast]
  static let atom = [atomFeed]

  /// A feed in RSS of these items, its channel opened by `head`.
  static func rss(_ items: [String], head: String = "") -> String {
    """
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" \
    xmlns:fh="http://purl.org/syndication/history/1.0"><channel><title>T</title>\(head)\
    \(items.joined())</channel></rss>

    """
  }

  /// An item of a podcast.
  static func item(_ name: String, _ day: Int = 1) -> String {
    """
    <item><guid>\(name)</guid><pubDate>Mon, \(day) Jan 2024 00:00:00 GMT</pubDate>\
    <enclosure url="\(name).mp3" type="audio/mpeg" length="5"/></item>
    """
  }
}
