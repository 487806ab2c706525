import SyncFetching
import SyncText
import SyncTransport

extension CatalogSource {
  /// Finds out which forms of the files that a page lists in several the source has, and lists
  /// those; where none is there, the first, which then fails like any item. What has to be read is
  /// asked for in a form that can be read.
  ///
  /// What is held as it is listed was there, and isn't asked for. What is out of the scope isn't
  /// either.
  /// - Throws: `CatalogError`, where the source doesn't tell, or has only forms that nobody reads.
  func settleForms(
    of page: inout CatalogPage, _ body: CatalogBody,
    held: @escaping @Sendable (CatalogKey) async throws -> IndexedContent?
  ) async throws {
    guard !page.forms.isEmpty else { return }
    let listed = page.forms
    page.forms = []
    let found = try await withThrowingTaskGroup(of: (Int, [ListedForms.Form]).self) { group in
      var found: [Int: [ListedForms.Form]] = [:]
      for (place, forms) in listed.enumerated() {
        if place >= Self.width, let (place, forms) = try await group.next() { found[place] = forms }
        group.addTask { (place, try await self.forms(of: forms, held: held)) }
      }
      for try await (place, forms) in group { found[place] = forms }
      return found
    }
    var keys: Set<CatalogKey> = []
    for (place, listed) in listed.enumerated() {
      let forms = found[place] ?? []
      for entry in forms.flatMap(entries) where entry.key.map({ keys.insert($0).inserted }) ?? true
      {
        page.take(entry, at: page.count + 1)
      }
      guard listed.isRead, !forms.isEmpty else { continue }
      guard let reading = forms.lazy.compactMap(\.reading).first else {
        throw body.unreadable(
          expected: .format(page.format), found: .packedOtherwise(listed.packings))
      }
      page.parts.append(reading)
    }
  }

  /// What is left out by its name is so by its other names as well.
  private func entries(of form: ListedForms.Form) -> [ListedEntry] {
    guard let first = form.entries.first, let key = first.key,
      options.scope.reason(toLeaveOut: key) != nil
    else { return form.entries }
    return [first]
  }

  /// Those that are there.
  private func forms(
    of listed: ListedForms, held: @Sendable (CatalogKey) async throws -> IndexedContent?
  ) async throws -> [ListedForms.Form] {
    let usual = listed.forms.filter { !$0.isSpare }
    guard !options.readsInPart, listed.forms.count > 1 || listed.isOptional else { return usual }
    var found: [ListedForms.Form] = []
    for form in usual where try await isThere(form, held) { found.append(form) }
    if found.isEmpty {
      for form in listed.forms where form.isSpare {
        if try await isThere(form, held) { return [form] }
      }
    }
    return found.isEmpty && !listed.isOptional ? Array(usual.prefix(1)) : found
  }

  private func isThere(
    _ form: ListedForms.Form, _ held: @Sendable (CatalogKey) async throws -> IndexedContent?
  ) async throws -> Bool {
    guard case .entry(let entry, _)? = form.entries.first else { return true }
    if form.reading == nil {
      if options.scope.reason(toLeaveOut: entry.key) != nil { return true }
      if let sha256 = entry.sha256, try await held(entry.key)?.sha256 == sha256 { return true }
    }
    for url in entry.locators where try await isThere(url) { return true }
    return false
  }

  /// Whether the source has something at an address. A server that doesn't answer such a question
  /// is asked for the file, which is cut as it begins; one that refuses that as well counts as
  /// having it, and the item tells why it can't be had.
  private func isThere(_ url: String) async throws -> Bool {
    var request = ByteRequest(url: url)
    for method in [HTTPRequest.Method.head, .get] {
      request.method = method
      do {
        _ = try await source.fetch(request, into: NoBody(cutsAsItBegins: method == .get))
        return true
      } catch is NoBody.Begun {
        return true
      } catch let error as TransportError {
        try Task.checkCancellation()
        if error.absence?.isCertain == true { return false }
        switch error.code {
        case .status(400..<500), .status(501): continue
        default:
          let shown = URLReference(url)?.redacted ?? root.redacted
          throw CatalogError.unfetched(url: shown, reason: error.reason, advice: error.advice)
        }
      } catch let error as FileSourceError {
        return error.absence == nil
      }
    }
    return true
  }
}
