/// Sitemaps and documents of ResourceSync, in the forms that their specifications give.
enum SitemapGolden {
  static let digest = String(repeating: "1a", count: 32)
  private static let names = """
    xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" \
    xmlns:rs="http://www.openarchives.org/rs/terms/"
    """

  static let sitemap = """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <url><loc>https://h/</loc><lastmod>2026-01-01</lastmod><priority>0.8</priority></url>
      <url><loc>https://h/a%20b.html</loc><lastmod>2026-01-01T18:23:17+00:00</lastmod></url>
      <url><loc>https://h/list?id=1&amp;x=2</loc></url>
    </urlset>

    """

  static let index = """
    <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      <sitemap><loc>https://h/one.xml.gz</loc><lastmod>2026-01-01</lastmod></sitemap>
      <sitemap><loc>https://h/two.xml</loc></sitemap>
    </sitemapindex>

    """

  /// A document of this capability with these places, in a `urlset` or an index.
  static func document(
    _ capability: String, _ times: String = "", _ places: [String], isIndex: Bool = false
  ) -> String {
    let root = isIndex ? "sitemapindex" : "urlset"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <\(root) \(names)>
        <rs:ln rel="up" href="https://h/capabilitylist.xml"/>
        <rs:md capability="\(capability)" \(times)/>
        \(places.joined(separator: "\n  "))
      </\(root)>

      """
  }

  static func place(_ url: String, _ metadata: String = "", isIndex: Bool = false) -> String {
    let tag = isIndex ? "sitemap" : "url"
    return "<\(tag)><loc>\(url)</loc><rs:md \(metadata)/></\(tag)>"
  }

  static let resources = document(
    "resourcelist", #"at="2026-01-03T09:00:00Z""#,
    [
      """
      <url><loc>https://h/res1</loc><lastmod>2026-01-02T13:00:00Z</lastmod>
      <rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6 sha-256:\(digest)" length="8876" type="text/html"/>
      <rs:ln rel="duplicate" pri="1" href="https://copy.h/res1"/></url>
      """,
      "<url><loc>https://h/d/res2</loc><rs:md hash=\"md5:15\" length=\"14\"/></url>",
    ])

  static let capabilities = document(
    "capabilitylist", "",
    [
      place("https://h/resourcelist.xml", #"capability="resourcelist""#),
      place("https://h/changelist.xml", #"capability="changelist""#),
      place("https://h/dump.xml", #"capability="resourcedump""#),
    ])

  static let resourceSync = [resources, capabilities]
  static let sitemaps = [sitemap, index]
}
