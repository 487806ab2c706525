extension CatalogFormats {
  /// All formats of this package, the most particular first.
  package static let standard = CatalogFormats(
    [
      NginxHTMLFormat(),
      NginxJSONFormat(),
      SimpleIndexFormat(),
      OPDSFormat(),
      OwnFormat(),
      RSSFormat(),
      AtomFormat(),
      ResourceSyncFormat(),
      SitemapFormat(),
      SHA256SumsFormat(),
      MappingFormat(),
    ] + JSONPreset.formats)
}
