import CatalogMirror

/// One thing that is fuzzed: takes any bytes, and says what of the product's promises they break.
///
/// The same functions are run by `Tests/run --fuzz`, at random under libFuzzer, and by
/// FuzzCorpusTests over the inputs that are kept.
package struct FuzzTarget: Sendable {
  /// What it is called on a command line, and its folder in the corpus.
  package let name: String
  /// The most bytes of one input.
  package let longest: Int
  /// Throws a ``Violation`` when a promise is broken; a crash is one too.
  package let check: @Sendable ([UInt8]) throws -> Void

  /// All there are.
  package static let all: [FuzzTarget] = [
    FuzzTarget(name: "key", longest: 600) { try KeyTarget.check($0) },
    FuzzTarget(name: "pattern", longest: 200) { try PatternTarget.check($0) },
    FuzzTarget(name: "address", longest: 400) { try AddressTarget.check($0) },
    FuzzTarget(name: "number", longest: 80) { try NumericHostTarget.check($0) },
    FuzzTarget(name: "fields", longest: 400) { try FieldsTarget.check($0) },
    FuzzTarget(name: "json", longest: 2_048) { try JSONTarget.check($0) },
    FuzzTarget(name: "json-written", longest: 2_048) { try WrittenJSONTarget.check($0) },
    FuzzTarget(name: "json-tape", longest: 2_048) { try TapeTarget.check($0) },
    FuzzTarget(name: "payload", longest: 2_048) { try PayloadTarget.check($0) },
    FuzzTarget(name: "dates", longest: 80) { try DateTarget.check($0) },
    FuzzTarget(name: "names", longest: 120) { try NameTarget.check($0) },
    FuzzTarget(name: "schema-file", longest: 1_024) { try SchemaFileTarget.check($0) },
    FuzzTarget(name: "condition", longest: 160) { try ConditionTarget.check($0) },
    FuzzTarget(name: "catalog", longest: 4_096) { try DecoderTarget(.catalog).check($0) },
    FuzzTarget(name: "mapping", longest: 4_096) { try DecoderTarget(.mapping).check($0) },
    FuzzTarget(name: "checksums", longest: 4_096) { try DecoderTarget(.checksums).check($0) },
    FuzzTarget(name: "mapping-text", longest: 200) { try MappingTextTarget.check($0) },
    FuzzTarget(name: "mapped", longest: 4_096) { try DecoderTarget("github-releases").check($0) },
    FuzzTarget(name: "sha256sums", longest: 4_096) { try DecoderTarget(.sha256sums).check($0) },
    FuzzTarget(name: "metalink", longest: 4_096) { try DecoderTarget(.metalink).check($0) },
    FuzzTarget(name: "debian", longest: 4_096) { try DecoderTarget(.debian).check($0) },
    FuzzTarget(name: "debian-packages", longest: 4_096) { try PackagesTarget.check($0) },
    FuzzTarget(name: "nginx-json", longest: 4_096) { try DecoderTarget(.nginxJSON).check($0) },
    FuzzTarget(name: "nginx-html", longest: 4_096) { try DecoderTarget(.nginxHTML).check($0) },
    FuzzTarget(name: "nginx-xml", longest: 4_096) { try DecoderTarget(.nginxXML).check($0) },
    FuzzTarget(name: "nginx-fancyindex", longest: 4_096) {
      try DecoderTarget(.nginxFancyIndex).check($0)
    },
    FuzzTarget(name: "apache", longest: 4_096) { try DecoderTarget(.apache).check($0) },
    FuzzTarget(name: "lighttpd", longest: 9_216) { try DecoderTarget(.lighttpd).check($0) },
    FuzzTarget(name: "caddy-html", longest: 28_672) { try DecoderTarget(.caddyHTML).check($0) },
    FuzzTarget(name: "caddy-json", longest: 4_096) { try DecoderTarget(.caddyJSON).check($0) },
    FuzzTarget(name: "python", longest: 4_096) { try DecoderTarget(.python).check($0) },
    FuzzTarget(name: "any", longest: 4_096) { try DecoderTarget(.listing).check($0) },
    FuzzTarget(name: "s3", longest: 4_096) { try DecoderTarget(.s3).check($0) },
    FuzzTarget(name: "webdav", longest: 4_096) { try DecoderTarget(.webdav).check($0) },
    FuzzTarget(name: "webdav-changes", longest: 4_096) {
      try DecoderTarget(.webdav, asksForChanges: true).check($0)
    },
    FuzzTarget(name: "simple-index", longest: 4_096) { try DecoderTarget(.simpleIndex).check($0) },
    FuzzTarget(name: "rss", longest: 4_096) { try DecoderTarget(.rss).check($0) },
    FuzzTarget(name: "atom", longest: 4_096) { try DecoderTarget(.atom).check($0) },
    FuzzTarget(name: "opds", longest: 4_096) { try DecoderTarget(.opds).check($0) },
    FuzzTarget(name: "resourcesync", longest: 4_096) {
      try DecoderTarget(.resourceSync).check($0)
    },
    FuzzTarget(name: "sitemap", longest: 4_096) { try DecoderTarget(.sitemap).check($0) },
    FuzzTarget(name: "detection", longest: 4_096) { try DecoderTarget(nil).check($0) },
    FuzzTarget(name: "listing", longest: 4_096) { try ListingTarget.check($0) },
    FuzzTarget(name: "published", longest: 1_024) { try PublishedTarget.check($0) },
    FuzzTarget(name: "gzip", longest: 4_096) { try GzipTarget.check($0) },
    FuzzTarget(name: "records", longest: 1_024) { try RecordsTarget.check($0) },
    FuzzTarget(name: "index", longest: 32_768) { try IndexTarget.checkFile($0) },
    FuzzTarget(name: "index-damage", longest: 256) { try IndexTarget.checkDamage($0) },
  ]

  /// The target of a name.
  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
