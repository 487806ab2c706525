import Foundation
import TestSupport
import XCTest

/// What the module CSyncXML declares of libxml2 is what libxml2's own headers say.
final class XMLLayoutTests: XCTestCase {
  func testTheShimAgreesWithTheLibrarysHeaders() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "layout-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fields = ["type", "name", "children", "next", "ns"]
    let namespace = """
      _Static_assert(offsetof(struct _xmlNs, href) == offsetof(struct shim_xmlNs, href), "href");
      _Static_assert(
        offsetof(struct _xmlDtd, children) == offsetof(struct shim_xmlNode, children), "subset");
      """
    try compile(
      ["typedef struct _xmlNode csync_node;", namespace] + fields.map { offset($0) }, in: folder)
    XCTAssertThrowsError(
      try compile(["typedef struct _xmlNode csync_node;", offset("type", plus: 1)], in: folder),
      "a difference would be noticed")
  }

  private func offset(_ field: String, plus difference: Int = 0) -> String {
    """
    _Static_assert(offsetof(struct _xmlNode, \(field)) == \
    offsetof(struct shim_xmlNode, \(field)) + \(difference), "\(field)");
    """
  }

  /// Compiles the shim, its names set apart, beside the library's headers.
  private func compile(_ assertions: [String], in folder: URL) throws {
    let shim = Programs.package.appending(path: "Sources/CSyncXML/shim.h").path
    let source = """
      #include <stddef.h>
      #include <libxml/xmlversion.h>
      #undef LIBXML_ICU_ENABLED
      #include <libxml/HTMLparser.h>
      #include <libxml/parser.h>
      #include <libxml/tree.h>
      // The functions a second time: a signature that differs is an error.
      #define _xmlNode shim_xmlNode
      #define xmlNodePtr shim_xmlNodePtr
      #define _xmlNs shim_xmlNs
      #define xmlNsPtr shim_xmlNsPtr
      #define xmlDocGetRootElement shim_root
      #define xmlNodeGetContent shim_content
      #define xmlGetProp shim_prop
      #define xmlGetNoNsProp shim_plain_prop
      #define xmlGetNsProp shim_ns_prop
      #undef xmlFree
      #define xmlFree shim_free
      #include "\(shim)"
      #undef _xmlNode
      #undef _xmlNs
      _Static_assert(CSYNC_XML_ELEMENT_NODE == XML_ELEMENT_NODE, "element");
      _Static_assert(CSYNC_XML_TEXT_NODE == XML_TEXT_NODE, "text");
      _Static_assert(CSYNC_HTML_PARSE_RECOVER == HTML_PARSE_RECOVER, "recover");
      _Static_assert(CSYNC_HTML_PARSE_NOERROR == HTML_PARSE_NOERROR, "noerror");
      _Static_assert(CSYNC_HTML_PARSE_NOWARNING == HTML_PARSE_NOWARNING, "nowarning");
      _Static_assert(CSYNC_HTML_PARSE_NONET == HTML_PARSE_NONET, "nonet");
      _Static_assert(CSYNC_XML_PARSE_NOERROR == XML_PARSE_NOERROR, "noerror");
      _Static_assert(CSYNC_XML_PARSE_NOWARNING == XML_PARSE_NOWARNING, "nowarning");
      _Static_assert(CSYNC_XML_PARSE_NONET == XML_PARSE_NONET, "nonet");
      \(assertions.joined(separator: "\n"))
      """
    let file = folder.appending(path: "layout.c")
    try Data(source.utf8).write(to: file)
    let compiler = try ChildProcess(
      Programs.find("clang"), ["-fsyntax-only", "-I/usr/include/libxml2", file.path],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
    let end = try compiler.end(within: .seconds(60))
    if end != .exited(0) { throw Disagreement(said: compiler.said) }
  }

  private struct Disagreement: Error {
    let said: String
  }
}
