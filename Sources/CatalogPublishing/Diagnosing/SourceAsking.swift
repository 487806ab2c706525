import CatalogMirror
import SyncFetching
import SyncTransport

/// Asks a server a few questions about one of its resources. Each answer is cut as soon as it has
/// told what was asked for.
struct SourceAsking: Sendable {
  let source: any ByteSource

  /// So much of an item is read, at most.
  static let sampleSize = 256 << 10

  /// By what an answer is known again; `nil` where there is none.
  func validation(of request: ByteRequest) async throws -> SourceDiagnosis.Validation? {
    guard let first = try await head(of: request), let second = try await head(of: request) else {
      return nil
    }
    var validation = SourceDiagnosis.Validation()
    validation.kind = .init(of: first)
    guard validation.kind != .none else { return validation }
    validation.holdsStill =
      first.etag == second.etag && first.lastModified == second.lastModified
    var conditional = request
    conditional.etag = second.etag
    conditional.lastModified = second.lastModified
    validation.confirms = try await head(of: conditional)?.isNotModified
    return validation
  }

  func examine(_ url: String, key: String) async throws -> SourceDiagnosis.Item {
    var item = SourceDiagnosis.Item(key: key)
    let request = ByteRequest(url: url)
    let sample = SampleSink(Self.sampleSize)
    do {
      let answer = try await begin(request, sample, of: &item)
      item.validator = try await validation(of: request) ?? .init()
      item.ranges = try await ranges(of: request, answer, sample.bytes)
    } catch let error where !(error is CancellationError) {
      item.problem = MirrorReport.Failure(key: key, error)
    }
    return item
  }

  /// Reads the beginning of what is asked for, and notes how it comes.
  private func begin(
    _ request: ByteRequest, _ sample: SampleSink, of item: inout SourceDiagnosis.Item
  ) async throws -> ByteAnswer {
    let answer = try await read(request, into: sample)
    item.compresses = answer.isCoded
    item.hasLength = answer.declaredLength != nil
    item.isFramed = answer.isFramed
    return answer
  }

  /// Reads the beginning of a pack, and asks for a part of that as a run asks: without a validator,
  /// since what lies under a digest is never changed.
  func examine(_ pack: ListedPacks.Pack) async throws -> SourceDiagnosis.Item {
    var item = SourceDiagnosis.Item(key: "\(pack.sha256)")
    var request = ByteRequest(url: pack.url)
    let sample = SampleSink(Self.sampleSize)
    do {
      let answer = try await begin(request, sample, of: &item)
      if let coding = answer.contentCoding { throw PackProblem.coded(coding.description) }
      if let length = answer.declaredLength, length != pack.size {
        throw PackProblem.otherSize(length)
      }
      guard sample.bytes.count > 1 else { return item }
      let offset = sample.bytes.count / 2
      let range = Int64(offset)..<Int64(sample.bytes.count)
      request.rest = { ByteRequest.Rest(range) }
      let rest = SampleSink(range.count)
      switch try await read(request, into: rest).part {
      case nil: item.ranges = .ignored
      case .bytes(let sent, let whole)?
      where sent == ClosedRange(range) && whole ?? pack.size == pack.size
        && rest.bytes.elementsEqual(sample.bytes[offset...]):
        item.ranges = .honest
      default: item.ranges = .wrong
      }
    } catch let error where !(error is CancellationError) {
      item.problem = MirrorReport.Failure(ofPack: item.key, error)
    }
    return item
  }

  /// Asks for the rest of what was read in part: once as it should be, and once as if another state
  /// of it were held.
  private func ranges(
    of request: ByteRequest, _ answer: ByteAnswer, _ bytes: [UInt8]
  ) async throws -> SourceDiagnosis.Ranges {
    guard bytes.count > 1, !answer.isCoded, let validator = StrongValidator(answer) else {
      return .untried
    }
    let offset = bytes.count / 2
    let rest = SampleSink(bytes.count - offset)
    let part = try await read(request.rest(from: offset, of: validator), into: rest)
    guard case .bytes(let range, _)? = part.part else {
      return part.part == nil ? .ignored : .wrong
    }
    guard range.lowerBound == Int64(offset), rest.bytes.elementsEqual(bytes[offset...]) else {
      return .wrong
    }
    let other = StrongValidator.etag("\"another-state-of-it\"")
    let whole = try await read(request.rest(from: offset, of: other), into: SampleSink(1))
    return whole.part == nil ? .honest : .careless
  }

  /// The header of an answer; `nil` where none comes.
  private func head(of request: ByteRequest) async throws -> ByteAnswer? {
    do {
      return try await read(request, into: SampleSink(0))
    } catch let error where !(error is CancellationError) {
      return nil
    }
  }

  private func read(_ request: ByteRequest, into sink: SampleSink) async throws -> ByteAnswer {
    do {
      return try await source.fetch(request, into: sink)
    } catch let error {
      guard sink.isFull, !(error is CancellationError), let answer = sink.answer else {
        throw error
      }
      return answer
    }
  }
}

extension ByteRequest {
  fileprivate func rest(from offset: Int, of validator: StrongValidator) -> ByteRequest {
    var request = self
    request.rest = { Rest(offset: Int64(offset), validator: validator) }
    return request
  }
}

extension SourceDiagnosis.Validation.Kind {
  fileprivate init(of answer: ByteAnswer) {
    switch (answer.etag, answer.lastModified) {
    case (let tag?, _): self = EntityTag(tag).map { $0.isWeak ? .weak : .strong } ?? .none
    case (nil, _?): self = answer.provenLastModified == nil ? .youngDate : .date
    case (nil, nil): self = .none
    }
  }
}
