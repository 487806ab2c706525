package import Foundation

/// Where the programs are that the tests start.
package enum Programs {
  /// The path of a program of the system.
  package static func find(_ name: String) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin"]
    for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
      return "\(folder)/\(name)"
    }
    throw Missing(name: name, detail: "Tests/run installs what the tests need.")
  }

  /// The folder of everything that was built with these tests.
  package static var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }

  /// The `mirror` that was built with these tests.
  package static var mirror: String { products.appending(path: "mirror").path }

  /// The `records` that was built with these tests.
  package static var records: String { products.appending(path: "records").path }

  /// The `documents` that was built with these tests.
  package static var documents: String { products.appending(path: "documents").path }

  /// The root of this package.
  package static var package: URL {
    URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
  }

  /// A program isn't there, or doesn't work.
  package struct Missing: Error {
    package var name: String
    package var detail: String
  }
}
