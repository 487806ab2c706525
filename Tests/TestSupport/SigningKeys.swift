package import Foundation

/// A pair of keys that signs catalogs, as openssl makes it.
package struct SigningKeys {
  package let privateFile: URL
  package let publicFile: URL

  /// Makes one in a folder, under a name of its own there.
  package init(_ name: String, in folder: URL) throws {
    privateFile = folder.appending(path: "\(name).pem")
    publicFile = folder.appending(path: "\(name).pub.pem")
    try Self.run(["genpkey", "-algorithm", "ed25519", "-out", privateFile.path], in: folder)
    try Self.run(
      ["pkey", "-in", privateFile.path, "-pubout", "-out", publicFile.path], in: folder)
  }

  /// Runs openssl in a folder.
  package static func run(_ arguments: [String], in folder: URL) throws {
    let child = try ChildProcess(
      try Programs.find("openssl"), arguments, environment: [:], directory: folder,
      records: folder)
    guard try child.end(within: .seconds(30)) == .exited(0) else {
      throw Programs.Missing(name: "openssl", detail: child.said)
    }
  }
}

extension SigningKeys {
  /// Writes a catalog that openssl alone signs, from the text of its lines and of its header's
  /// members but for the last two.
  package func sign(_ lines: String, after members: String, to catalog: URL) throws {
    let folder = privateFile.deletingLastPathComponent()
    let names = ["input", "digest", "message", "signature", "key"]
    let files = names.map { folder.appending(path: "signing-\($0)") }
    func run(_ arguments: String...) throws { try Self.run(arguments, in: folder) }
    func digest(_ bytes: Data) throws -> Data {
      try bytes.write(to: files[0])
      try run("dgst", "-sha256", "-binary", "-out", files[1].path, files[0].path)
      return try Data(contentsOf: files[1])
    }
    func hexadecimal(_ bytes: Data) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let start = members + ",\"body\":\"\(hexadecimal(try digest(Data(lines.utf8))))\""
    try (Data("owsync catalog 1\n".utf8) + digest(Data(start.utf8))).write(to: files[2])
    try run(
      "pkeyutl", "-sign", "-inkey", privateFile.path, "-rawin", "-in", files[2].path, "-out",
      files[3].path)
    try run("pkey", "-pubin", "-in", publicFile.path, "-outform", "DER", "-out", files[4].path)
    let id = hexadecimal(try digest(try Data(contentsOf: files[4]).suffix(32))).prefix(16)
    let signature = try Data(contentsOf: files[3]).base64EncodedString()
    let signatures = "[{\"key\":\"\(id)\",\"ed25519\":\"\(signature)\"}]"
    try Data("\(start),\"signature\":\(signatures)}\n\(lines)".utf8).write(to: catalog)
  }
}
