import CatalogMirror
import Console

extension OptionTable<Invocation> {
  /// How small files are published for mirrors that fetch many of them at once.
  static let packing: [Option<Invocation>] = [
    Option(
      "packs", for: [.publish],
      """
      write packs beside the catalog, files that each hold the bytes of many small ones: mirrors \
      fetch those with few requests. Only files that everybody may read; what a server refuses by \
      a rule of its own, it gives out in packs. A catalog that has packs keeps them without it
      """,
      rivals: ["no-packs"],
      .flag { $0.publishing.packs = true }),
    Option(
      "no-packs", for: [.publish], "write no packs, though the catalog has some",
      rivals: ["packs"],
      .flag { $0.publishing.packs = false }),
    Option(
      "keep-packs", for: [.publish],
      "how long packs stay that the catalog names no more, for who reads the old one",
      standard: "1d",
      .value("TIME") { $0.publishing.keepPacks = try Value.duration($1) }),
  ]
}
