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
      SHA256SumsFormat(),
      MappingFormat(),
    ] + JSONPreset.formats)
}
