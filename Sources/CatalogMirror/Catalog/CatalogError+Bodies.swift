extension CatalogError {
  /// What a body was expected to be.
  public enum Expectation: Hashable, Sendable {
    /// Any format that is known.
    case anyFormat
    /// This format, by the name that a person asks for it by (``MirrorOptions/formats``): it was
    /// asked for, the first page had it, or the body began as it does.
    case format(String)
    /// A feed, since a ``KeyTemplate`` was given.
    case feed
    /// A catalog in UTF-8.
    case utf8
    /// A packed file, whole.
    case packed
    /// A JSON object with `items`.
    case items

    static func format(_ name: CatalogFormatName) -> Expectation { .format(name.rawValue) }
  }

  /// What a body is instead.
  public enum Finding: Hashable, Sendable {
    /// Nothing, or nothing but blanks.
    case nothing
    /// Another format that is known, by its name.
    case format(String)
    /// HTML that is no known server's listing.
    case html
    /// XML.
    case xml
    /// XML that isn't well-formed, or was cut.
    case brokenXML
    /// XML that declares entities or the like of its own, which isn't read.
    case declarations
    /// XML with an entity that it doesn't declare itself and that is none of XML's own, such as
    /// `&eacute;`: what stands for it isn't known.
    case unknownEntity
    /// XML with an element that holds more than is read at once, or that nests too deep.
    case hugeElement
    /// JSON that is no known catalog.
    case json
    /// JSON without what a ``JSONMapping`` looks for at this path; what is there instead, as a
    /// clause.
    case unmapped(field: String, path: String, instead: String)
    /// Text that is none.
    case text
    /// Bytes that are no text.
    case binary
    /// Text in UTF-16.
    case utf16
    /// Text in yet another encoding, or damaged.
    case notUTF8
    /// JSON with something wrong in it; what, as a noun.
    case badJSON(reason: String, byte: Int)
    /// The same in the entry of this position, counted from 1.
    case badEntry(reason: String, Int)
    /// The right format but for one line, counted from 1.
    case line(Int)
    /// A list that ends within a line.
    case cutLine
    /// A page that ends before its end.
    case cutPage
    /// A packed file that ends before its end.
    case cutPack
    /// A file that isn't packed as it should be, or is damaged.
    case badPack
    /// A file in xz, which only Linux has a library for.
    case foreignPack
    /// A list that is there only in these forms, none of which is read.
    case packedOtherwise([String])
    /// A line that can't be read in the field of this name.
    case badRow(String)
    /// A Debian repository without any list of packages that was asked for and can be read.
    case noPackages
    /// A Debian repository without any of these architectures or components; those that it has.
    case noSuchPart(RepositoryChoice.Part, asked: [String], offered: [String])
    /// A list in this format, by its name, which has no architectures and components; some were
    /// asked for.
    case undivided(String)
    /// A list in this format, by its name, whose items no template names; one was given.
    case ownNames(String)
    /// A Debian repository's file with a date that can't be read: the field, and what stands there,
    /// cut after 60 bytes and escaped.
    case badDate(field: String, value: String)
    /// A Debian repository's file without SHA-256 digests of what it names.
    case noStrongDigests
    /// The file of a suite that was read as a file, below whose folder no package lies.
    case packagesOutside
    /// The list of this bucket, where that one was asked for; cut after 60 bytes and escaped.
    case otherBucket(String, asked: String)
    /// An answer that doesn't say where it is from.
    case noURL
    /// A directory's page whose links all lead out of it.
    case linksElsewhere
    /// An error, in place of a page; the server's own word for it, escaped.
    case refusal(String)
  }

  /// What is wrong with the header of a catalog of format 1. Values are as they stand there, cut
  /// after 60 bytes and escaped.
  public enum HeaderProblem: Hashable, Sendable {
    /// It is of another format than 1.
    case unknownFormat(String)
    /// A field has a value that it can't have.
    case field(name: String, value: String, expected: String)
  }
}

extension CatalogError.Expectation: CustomStringConvertible {
  /// For "where … was expected".
  public var description: String {
    switch self {
    case .anyFormat: "a catalog or a directory listing"
    case .format(let name): CatalogFormats.noun(of: name)
    case .feed: "a feed whose items a template names"
    case .utf8: "a catalog in UTF-8"
    case .packed: "a whole packed file"
    case .items: "a catalog of format 1 with \"items\""
    }
  }
}

extension CatalogError.Finding: CustomStringConvertible {
  /// For "it gave …".
  public var description: String {
    switch self {
    case .nothing: "an empty body"
    case .format(let name): CatalogFormats.noun(of: name)
    case .html: "an HTML page that is no known server's directory listing"
    case .xml: "an XML document"
    case .brokenXML: "XML that isn't well-formed, or was cut"
    case .declarations: "XML with declarations of its own, which aren't read"
    case .unknownEntity: "XML with an entity that is declared elsewhere or nowhere"
    case .hugeElement: "XML with an element too large or too deep to be read"
    case .json: "JSON that is no known catalog"
    case .unmapped(let field, let path, let instead):
      "JSON that has no \(field) at '\(path)' (\(instead))"
    case .text: "text that is no known catalog"
    case .binary: "binary data"
    case .utf16: "text in UTF-16"
    case .notUTF8: "bytes that aren't UTF-8"
    case .badJSON(let reason, let offset): "JSON with \(reason) at byte \(offset)"
    case .badEntry(let reason, let position): "JSON with \(reason) in entry \(position)"
    case .line(let number): "something else in line \(number)"
    case .cutLine: "a list that was cut inside its last line"
    case .cutPage: "a page that was cut before its end"
    case .cutPack: "a file that was cut before its end"
    case .badPack: "a file that isn't packed as its name says, or is damaged"
    case .foreignPack: "a file in xz, which is read on Linux only"
    case .packedOtherwise(let forms):
      """
      a Release file with a list of packages that is there as \(RepositoryChoice.words(forms)) \
      alone
      """
    case .badRow(let field): "a line that can't be used in its \(field)"
    case .noSuchPart(let part, let asked, let offered):
      """
      a Release file without the \(part) \(RepositoryChoice.words(asked)) (it has \
      \(RepositoryChoice.words(offered)))
      """
    case .noPackages:
      "a Release file without a list of packages that was asked for"
    case .undivided(let name):
      """
      \(CatalogFormats.noun(of: name)), which has no architectures and components to choose from
      """
    case .ownNames(let name):
      "\(CatalogFormats.noun(of: name)), whose files have names of their own"
    case .badDate(let field, let value):
      "a Release file whose \(field) can't be read as a date ('\(value)')"
    case .noStrongDigests: "a Release file without SHA-256 digests"
    case .packagesOutside:
      """
      a Release file whose packages lie outside its folder, and of a catalog that is a file only \
      what lies below its folder is read
      """
    case .otherBucket(let name, let asked):
      "the list of bucket '\(name)', and not of '\(asked)' as asked"
    case .noURL: "an answer from no URL"
    case .linksElsewhere: "a page whose links all lead out of its directory"
    case .refusal(let word): "the error '\(word)'"
    }
  }

  /// What came and what should have come, as far as that isn't the same but for something in it.
  func instead(of expected: CatalogError.Expectation) -> String {
    switch self {
    case .noPackages, .noSuchPart, .badDate, .noStrongDigests, .packagesOutside, .packedOtherwise:
      description
    default: "\(description), where \(expected) was expected"
    }
  }

  /// Whether it is said of the body as a whole, and of nothing in it.
  var isOfAll: Bool {
    switch self {
    case .html, .xml, .json, .unmapped, .text, .binary: true
    case .nothing, .format, .utf16, .notUTF8, .badJSON, .badEntry, .line, .cutLine, .cutPage,
      .cutPack, .badPack, .noPackages, .noSuchPart, .badDate, .otherBucket, .noURL, .refusal,
      .noStrongDigests, .packagesOutside,
      .brokenXML, .declarations, .unknownEntity, .hugeElement, .undivided, .linksElsewhere,
      .ownNames,
      .foreignPack, .packedOtherwise, .badRow:
      false
    }
  }

  /// Whether another word for the format may help.
  package func isMatterOfFormat(_ expected: CatalogError.Expectation) -> Bool {
    switch (self, expected) {
    case (.format, _), (.json, .anyFormat), (.text, .anyFormat): true
    case (.unmapped, _): false
    case (_, .format): isOfAll
    default: false
    }
  }

  func remedy(_ expected: CatalogError.Expectation) -> String {
    switch self {
    case .format(let name): return "ask for the format '\(name)', or for none: it is recognised"
    case .cutLine, .cutPage, .cutPack, .badPack, .refusal, .brokenXML:
      return "try again, and mend it at the source or tell who runs it if that stays so"
    case .otherBucket:
      return "give an address whose path begins with the bucket's own name"
    case .utf16, .notUTF8, .badJSON, .badEntry, .line, .badRow, .badDate, .declarations,
      .unknownEntity,
      .hugeElement:
      return "check the address, or mend it at the source or tell who runs it"
    case .foreignPack, .packedOtherwise:
      return "lists are read plain, in gzip and, on Linux, in xz: have it published in one of these"
    case .noStrongDigests: return "have it published with them"
    case .packagesOutside:
      return "serve the repository over http, and give the address of the suite there"
    case .noPackages: return "check the names of architectures and components"
    case .noSuchPart: return "choose among those"
    case .undivided:
      return """
        name the format 'debian' and give the address of a suite, or choose no architecture and \
        no component
        """
    case .ownNames: return "give the address of a feed, or leave out the template of keys"
    case .unmapped:
      return expected == .format(.mapped)
        ? "check the address, or correct the mapping" : "check the address"
    case .nothing, .html, .xml, .json, .text, .binary, .noURL, .linksElsewhere: break
    }
    guard isMatterOfFormat(expected) else {
      guard self == .html else { return "check the address" }
      return """
        check the address: of pages in HTML, only the listings of known servers are read, and \
        others as the format '\(CatalogFormatName.listing)'
        """
    }
    return "check the address, or name its format"
  }
}

extension CatalogError.HeaderProblem: CustomStringConvertible {
  /// What is wrong, as the end of a sentence that named the catalog.
  public var description: String {
    switch self {
    case .unknownFormat(let value): "its format is \(value), and only format 1 is known"
    case .field(let name, let value, let expected):
      "its \"\(name)\" is \(value), and not \(expected)"
    }
  }
}

extension CatalogFormats {
  /// What a list of a format is, by its name; the name itself, where the format is a program's own.
  fileprivate static func noun(of name: String) -> String {
    name == CatalogFormatName.mapped.rawValue
      ? MappedFormat.noun : standard[name: CatalogFormatName(name)]?.noun ?? name
  }
}
