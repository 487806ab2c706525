import Foundation
import TestSupport
import XCTest

/// What the module CSyncXML declares of libxml2 is what libxml2's own headers say.
final class XMLLayoutTests: XCTestCase {
  func testTheShimAgreesWithTheLibrarysHeaders() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "layout-\(UUID().uuidString)", directoryHint: .isDirectory)
    try makeFolder(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let fields = [
      ("_xmlParserCtxt", ["sax", "userData", "myDoc"]),
      (
        "_xmlSAXHandler",
        [
          "getEntity", "entityDecl", "startElement", "endElement", "characters",
          "ignorableWhitespace", "processingInstruction", "comment", "cdataBlock", "initialized",
          "startElementNs", "endElementNs",
        ]
      ),
    ]
    let size = "_Static_assert(sizeof(xmlSAXHandler) == sizeof(struct shim_xmlSAXHandler), \"\");"
    try compile(
      [size] + fields.flatMap { type, names in names.map { offset($0, in: type) } }, in: folder)
    XCTAssertThrowsError(
      try compile([offset("userData", in: "_xmlParserCtxt", plus: 1)], in: folder),
      "a difference would be noticed")
  }

  private func offset(_ field: String, in type: String, plus difference: Int = 0) -> String {
    """
    _Static_assert(offsetof(struct \(type), \(field)) == \
    offsetof(struct shim\(type), \(field)) + \(difference), "\(field)");
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
      #define _xmlParserCtxt shim_xmlParserCtxt
      #define xmlParserCtxtPtr shim_xmlParserCtxtPtr
      #define _xmlSAXHandler shim_xmlSAXHandler
      #define htmlNewParserCtxt shim_new
      #define htmlCtxtReadIO shim_read
      #define xmlCreateIOParserCtxt shim_create
      #define xmlCtxtUseOptions shim_options
      #define xmlParseDocument shim_parse
      #define xmlStopParser shim_stop
      #define xmlFreeParserCtxt shim_free_parser
      #include "\(shim)"
      #undef _xmlParserCtxt
      #undef _xmlSAXHandler
      _Static_assert(CSYNC_HTML_PARSE_RECOVER == HTML_PARSE_RECOVER, "recover");
      _Static_assert(CSYNC_HTML_PARSE_NOERROR == HTML_PARSE_NOERROR, "noerror");
      _Static_assert(CSYNC_HTML_PARSE_NOWARNING == HTML_PARSE_NOWARNING, "nowarning");
      _Static_assert(CSYNC_HTML_PARSE_NONET == HTML_PARSE_NONET, "nonet");
      _Static_assert(CSYNC_XML_PARSE_NOERROR == XML_PARSE_NOERROR, "noerror");
      _Static_assert(CSYNC_XML_PARSE_NOWARNING == XML_PARSE_NOWARNING, "nowarning");
      _Static_assert(CSYNC_XML_PARSE_NONET == XML_PARSE_NONET, "nonet");
      _Static_assert(CSYNC_XML_PARSE_NOENT == XML_PARSE_NOENT, "noent");
      _Static_assert(CSYNC_XML_PARSE_IGNORE_ENC == XML_PARSE_IGNORE_ENC, "ignore");
      _Static_assert(CSYNC_XML_SAX2_MAGIC == XML_SAX2_MAGIC, "magic");
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
