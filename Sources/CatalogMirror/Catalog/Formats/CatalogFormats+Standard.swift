extension CatalogFormats {
  /// All formats of this package, the most particular first.
  package static let standard = CatalogFormats(
    [
      NginxHTMLFormat(),
      NginxFancyIndexFormat(),
      ApacheFormat(),
      LighttpdFormat(),
      CaddyHTMLFormat(),
      PythonFormat(),
      CaddyJSONFormat(),
      NginxJSONFormat(),
      NginxXMLFormat(),
      SimpleIndexFormat(),
      OPDSFormat(),
      OwnFormat(),
      RSSFormat(),
      AtomFormat(),
      ResourceSyncFormat(),
      SitemapFormat(),
      MetalinkFormat(),
      DebianFormat(),
      ChecksumsFormat(),
      ChecksumsFormat(only: .sha256),
      MappingFormat(),
      AnyListingFormat(),
      S3Format(),
      WebDAVFormat(),
    ] + JSONPreset.formats)
}
