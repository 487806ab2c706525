private import CSyncXML

#if canImport(CSyncLZMA)
  private import CSyncLZMA
#endif

/// The libraries that catalogs are read with.
public enum MirrorLibraries {
  /// Each by its name and the version that the program runs with, as `libxml2 2.9.14`.
  public static let ofCatalogs: [String] = {
    let xml = "libxml2 \(version(String(cString: csync_xml_version())))"
    #if canImport(CSyncLZMA)
      return [xml, "liblzma \(String(cString: lzma_version_string()))"]
    #else
      return [xml]
    #endif
  }()

  /// `2.9.14` for `20914-GITv2.9.14`; what isn't such a number stays as it is.
  static func version(_ number: String) -> String {
    guard let all = Int(number.prefix { $0.isASCII && $0.isNumber }), all >= 10000 else {
      return number
    }
    return "\(all / 10000).\(all / 100 % 100).\(all % 100)"
  }
}
