import CatalogMirror
import CatalogPublishing
import Console

/// The command line that mirrors what was diagnosed.
struct DoctorCommandLine {
  private let diagnosis: SourceDiagnosis
  @Apart private var options: MirrorOptions

  init(_ diagnosis: SourceDiagnosis, of options: MirrorOptions) {
    (self.diagnosis, self.options) = (diagnosis, options)
  }

  var text: String {
    let isUsable = diagnosis.list.map { !$0.isUseless } ?? !diagnosis.candidates.isEmpty
    guard isUsable else { return "" }
    let address = isPlain ? Self.quoted(options.catalog) : "CATALOG"
    return
      (["mirror sync", address, "FOLDER"] + (format.map { ["--format", $0] } ?? [])
      + chosen).joined(separator: " ")
  }

  /// The command lines for a folder of files, which has to have a catalog first; empty for
  /// anything else.
  var publishing: [String] {
    guard let path = diagnosis.folder else { return [] }
    let slash = options.catalog.hasSuffix("/") ? "" : "/"
    let catalog = options.catalog + slash + CatalogWriter.Options().fileName
    return [
      "mirror publish \(Self.quoted(path))", "mirror sync \(Self.quoted(catalog)) FOLDER",
    ]
  }

  /// What in the line isn't to be typed as it stands, and why.
  var explanation: [String] {
    isPlain
      ? []
      : [
        """
        CATALOG is the address that you gave; it isn't shown in full, since what follows a '?' or \
        stands before an '@' looks like a secret.
        """
      ]
  }

  private var isPlain: Bool { URLReference(options.catalog)?.mayHoldSecret == false }

  private var format: String? {
    guard let list = diagnosis.list else { return diagnosis.candidates.first?.format }
    if options.mapping != nil { return nil }
    if let format = options.format { return format }
    if list.suites.contains(diagnosis.address) { return "debian" }
    return list.offersJSON == true ? list.format : nil
  }

  /// What was chosen beside the format, and decides what is there.
  private var chosen: [String] {
    let bucket = options.access.bucket
    let mapping = diagnosis.list == nil ? nil : options.mapping
    let values: [(String, String?)] =
      [
        ("map", mapping?.text), ("key-template", options.keyTemplate?.text),
        ("endpoint", bucket.endpoint), ("region", bucket.region),
        ("profile", bucket.profile), ("keyring", options.keyring),
      ] + options.repository.architectures.sorted().map { ("architecture", $0) }
      + options.repository.components.sorted().map { ("component", $0) }
    let keys = options.verifyKeys.map { ("verify-key", $0 as String?) }
    return (values + keys).flatMap { name, value in
      value.map { ["--\(name)", Self.quoted($0)] } ?? []
    } + (bucket.isAnonymous ? ["--anonymous"] : [])
      + (options.allowsExpired ? ["--allow-expired"] : [])
  }

  /// As a shell reads it.
  private static func quoted(_ word: String) -> String {
    let isSafe = word.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
        || "-._~/:@%+,".utf8.contains(byte)
    }
    return isSafe ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
