extension CatalogFormats {
  /// All formats of this package, the most particular first.
  package static let standard = CatalogFormats(
    [
      ServerListing.nginx,
      ServerListing.nginxFancyIndex,
      ServerListing.apache,
      ServerListing.lighttpd,
      ServerListing.caddy,
      ServerListing.python,
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
