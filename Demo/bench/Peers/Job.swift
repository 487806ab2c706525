import Foundation

/// What is to be copied, and where it is served: from this the command lines follow.
struct Job {
  let set: DataSet
  /// `http://127.0.0.1:PORT/SET/`
  var url: String
  /// Where lists of URLs are kept.
  let lists: URL
  /// The digests by path, as the catalog has them.
  var digests: [String: String] = [:]
  /// Transfers at once.
  var width = 32
  var mirror = "mirror"
  /// The most descriptors that `mirror` may have open; unlimited by default.
  var descriptors: Int?
  var rsyncURL = ""
  /// The certificate that clients are to trust, where it's served over TLS.
  var certificate: String?

  /// The same, over TLS.
  func secured(by certificate: Certificate) -> Job {
    var job = self
    job.url = url.replacingOccurrences(of: "http://", with: "https://")
    job.certificate = certificate.file.path
    return job
  }

  /// The option that names the certificate to trust, where there is one.
  func trust(_ option: String) -> [String] { certificate.map { [option, $0] } ?? [] }

  /// Writes a list and returns its path.
  func list(_ suffix: String, _ lines: (DataSet.File) -> String) -> String {
    let file = lists.appending(path: "\(set.name).\(suffix)")
    let text = set.everything.map(lines).joined()
    // An unwritten list shows: the contender fails, and with it the run.
    try? text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}

extension Job {
  /// `mirror`, from the catalog.
  func ours(_ options: String...) -> Command { ours(from: "catalog.ndjson", options) }

  /// `mirror`, from the directory listing.
  func oursFromListing(_ options: String...) -> Command { ours(from: "", options) }

  func ours(from path: String, _ options: [String]) -> Command {
    let command = Command(
      mirror, ["sync", url + path, "copy", "--quiet"] + trust("--ca-file") + options)
    guard let descriptors else { return command }
    // Without another try, a connection that got no descriptor shows: its item fails.
    return Command(command.program, command.arguments + ["--retries", "0"])
      .limited(toDescriptors: descriptors)
  }
}
