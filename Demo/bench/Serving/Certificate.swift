import Foundation

/// A server's certificate for 127.0.0.1, which its clients are told to trust.
struct Certificate {
  let file: URL
  let key: URL

  /// Makes one in `folder`, good for a month.
  init(in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    (file, key) = (folder.appending(path: "certificate.pem"), folder.appending(path: "key.pem"))
    try Tools.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
        "30", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
        key.path, "-out", file.path,
      ])
  }
}
