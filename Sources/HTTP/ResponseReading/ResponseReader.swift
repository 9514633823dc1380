internal import Bytes

/// Reads one response, in pieces of any size. Skips interim responses, and stores the head and the
/// content of the final response.
///
/// The reader is lenient, because its purpose is to inspect servers. If the reader can still
/// understand a faulty response, it records a flaw. Otherwise it throws a fault that contains some
/// of the received bytes.
package struct ResponseReader: Sendable {
  /// The head of the final response; nil until the head is complete. The head stays available if
  /// the content is faulty.
  package private(set) var head: ReceivedHead?
  /// The content so far, with chunks joined and content codings still applied.
  package private(set) var body: [UInt8] = []
  /// The flaws in the order found, without duplicates; at most 16.
  package private(set) var flaws: [ResponseFlaw] = []
  package private(set) var isComplete = false

  private let limits: ResponseLimits
  private let hasContent: Bool
  /// The bytes of the head so far. Empty once the head is complete.
  private var received: [UInt8] = []
  /// The beginning of the current line, where the search for the head's end continues.
  private var lineStart = 0
  private var interim = 0
  private var framing = Framing.none

  private enum Framing: Sendable {
    case none
    case length(Int)
    case untilClose
    case chunked(ChunkedContent)
  }

  /// The maximum number of received bytes that a message shows.
  private static let shownBytes = 80
  private static let shownFlaws = 16

  /// - Parameter isHead: Whether the request's method is HEAD. The response then has no content.
  package init(limits: ResponseLimits = ResponseLimits(), isHead: Bool = false) {
    self.limits = limits
    hasContent = !isHead
  }

  /// Consumes the next bytes. Returns true once the response is complete.
  package mutating func take(_ bytes: Span<UInt8>) throws(ResponseFault) -> Bool {
    var index = 0
    while head == nil && index < bytes.count {
      received.append(bytes[index])
      index += 1
      // Check each of the first five bytes when it arrives, because these bytes show whether the
      // server speaks HTTP.
      if received.count <= 5 { try checkStart(bytes, index) }
      if received.count > limits.headBytes { throw .headTooLarge(limit: limits.headBytes) }
      if received.last == ASCII.lineFeed { try takeLine() }
    }
    guard head != nil else { return false }
    try takeContent(bytes, from: index)
    return isComplete
  }

  /// Call this when the server has closed its side of the connection, so that no more bytes will
  /// arrive. Throws if the response is not complete.
  package mutating func end() throws(ResponseFault) {
    if isComplete { return }
    guard head != nil else {
      if received.isEmpty { throw .nothing }
      throw .headTruncated(start: visibleText(received, limit: Self.shownBytes))
    }
    switch framing {
    case .none, .untilClose: isComplete = true
    case .length(let rest):
      throw .bodyTruncated(received: body.count, expected: body.count + rest)
    case .chunked: throw .bodyTruncated(received: body.count, expected: nil)
    }
  }

  // MARK: The head

  private func checkStart(_ bytes: Span<UInt8>, _ index: Int) throws(ResponseFault) {
    if "HTTP/".utf8.starts(with: received) { return }
    var start = received
    for index in index..<min(bytes.count, index + Self.shownBytes) { start.append(bytes[index]) }
    throw .notHTTP(start: visibleText(start, limit: Self.shownBytes))
  }

  /// Handles a complete line of the head. An empty line ends the head.
  private mutating func takeLine() throws(ResponseFault) {
    let isCRLF =
      received.count - lineStart > 1 && received[received.count - 2] == ASCII.carriageReturn
    let length = received.count - lineStart - (isCRLF ? 2 : 1)
    lineStart = received.count
    guard length == 0 else { return }
    var parser = ResponseHeadParser(received, limits)
    let parsed = try parser.parse()
    received = []
    lineStart = 0
    if (100..<200).contains(parsed.status) && parsed.status != 101 {
      interim += 1
      if interim > limits.interimResponses {
        throw .tooManyInterimResponses(limit: limits.interimResponses)
      }
      return
    }
    head = parsed
    for flaw in parser.flaws { note(flaw) }
    framing = try framing(of: parsed)
  }

  /// Determines how the content is framed. Follows the order of RFC 9112 section 6.3.
  private mutating func framing(of head: ReceivedHead) throws(ResponseFault) -> Framing {
    if !hasContent || head.status < 200 || head.status == 204 || head.status == 304 {
      return .none
    }
    let lengths = head.values(of: "content-length")
    if let coding = head.value(of: "transfer-encoding") {
      guard coding.lowercased() == "chunked" else { throw .unknownTransferCoding(coding) }
      if !lengths.isEmpty { note(.bothFramings) }
      return .chunked(ChunkedContent(limits))
    }
    guard !lengths.isEmpty else { return .untilClose }
    // Several equal lengths count as one length (RFC 9110 section 8.6).
    let text = head.value(of: "content-length") ?? ""
    let members = Set(
      text.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.trimmed { $0 == " " || $0 == "\t" } })
    if lengths.count > 1 || text.contains(",") { note(.repeatedContentLength) }
    guard members.count == 1, let digits = members.first, digits.isDecimal
    else { throw .malformedContentLength(text) }
    // A length that does not fit into an integer is beyond the limit anyway.
    guard let length = Int(digits), length <= limits.bodyBytes else {
      throw .bodyTooLarge(limit: limits.bodyBytes)
    }
    return .length(length)
  }

  // MARK: The content

  private mutating func takeContent(_ bytes: Span<UInt8>, from start: Int) throws(ResponseFault) {
    var index = start
    if isComplete { return noteBytesBehind(bytes, index) }
    switch framing {
    case .none: isComplete = true
    case .untilClose:
      let rest = bytes.extracting(index...)
      append(rest, limits.bodyBytes - body.count + 1)
      index = bytes.count
      if body.count > limits.bodyBytes {
        body.removeLast()
        throw .bodyTooLarge(limit: limits.bodyBytes)
      }
    case .length(let missing):
      let count = min(missing, bytes.count - index)
      append(bytes.extracting(index..<(index + count)), count)
      index += count
      framing = .length(missing - count)
      isComplete = count == missing
    case .chunked(var content):
      framing = .none
      defer {
        framing = .chunked(content)
        for flaw in content.flaws { note(flaw) }
      }
      while index < bytes.count && !isComplete {
        isComplete = try content.take(bytes, &index, into: &body)
      }
    }
    if isComplete { noteBytesBehind(bytes, index) }
  }

  private mutating func append(_ bytes: Span<UInt8>, _ most: Int) {
    let count = min(most, bytes.count)
    body.reserveCapacity(body.count + count)
    for index in 0..<count { body.append(bytes[index]) }
  }

  private mutating func noteBytesBehind(_ bytes: Span<UInt8>, _ index: Int) {
    guard index < bytes.count else { return }
    if flaws.contains(where: { if case .bytesBehind = $0 { true } else { false } }) { return }
    var start: [UInt8] = []
    for index in index..<min(bytes.count, index + Self.shownBytes) { start.append(bytes[index]) }
    note(.bytesBehind(visibleText(start)))
  }

  private mutating func note(_ flaw: ResponseFlaw) {
    if flaws.count < Self.shownFlaws, !flaws.contains(flaw) { flaws.append(flaw) }
  }
}
