import Diagnostics
import TestRunning
import Testing

@testable import TLS

@Suite struct PEMTests {
  enum Outcome: Equatable, Sendable {
    /// Labels and decoded bytes.
    case blocks([String], [[UInt8]])
    /// The line, counted from 1, and the message.
    case fault(Int, String)
  }

  static let rows: [(text: String, outcome: Outcome)] = [
    // Nothing, and only explanation (RFC 7468 section 2).
    ("", .blocks([], [])),
    ("subject=CN = x\n\n", .blocks([], [])),
    // One block; with each kind of line end, none at the end, blanks at line ends.
    ("-----BEGIN A-----\nAQID\n-----END A-----\n", .blocks(["A"], [[1, 2, 3]])),
    ("-----BEGIN A-----\r\nAQID\r\n-----END A-----\r\n", .blocks(["A"], [[1, 2, 3]])),
    ("-----BEGIN A-----\rAQID\r-----END A-----", .blocks(["A"], [[1, 2, 3]])),
    ("-----BEGIN A-----  \nAQ ID\t\n-----END A----- \n", .blocks(["A"], [[1, 2, 3]])),
    // After a byte order mark; between explanations.
    ("\u{FEFF}-----BEGIN A-----\nAQID\n-----END A-----\n", .blocks(["A"], [[1, 2, 3]])),
    (
      "a\n-----BEGIN A-----\nAQ==\n-----END A-----\nb\n-----BEGIN B-----\nAQI=\n-----END B-----\nc",
      .blocks(["A", "B"], [[1], [1, 2]])
    ),
    // Lines of any length; groups across lines.
    ("-----BEGIN A-----\nAQ\nI\nD\n\n-----END A-----\n", .blocks(["A"], [[1, 2, 3]])),
    // Headers (RFC 1421).
    (
      "-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\n\nAQID\n-----END A-----\n",
      .blocks(["A"], [[1, 2, 3]])
    ),
    // Cut off: at the end, before the next block.
    ("x\n-----BEGIN A-----\nAQID\n", .fault(2, "\"A\" begins here but has no END line")),
    (
      "-----BEGIN A-----\nAQID\n-----BEGIN B-----\nAQID\n-----END B-----\n",
      .fault(1, "\"A\" begins here but has no END line")
    ),
    (
      "-----BEGIN A-----\nAQID\n-----END B-----\n",
      .fault(1, "\"A\" begins here but has no END line")
    ),
    ("\nAQID\n-----END A-----\n", .fault(3, "END \"A\" without a BEGIN before it")),
    // Not Base64: a character, padding within, a wrong count.
    (
      "-----BEGIN A-----\nAQID\nA*==\n-----END A-----\n",
      .fault(3, "this line of \"A\" is not Base64")
    ),
    (
      "-----BEGIN A-----\nAQ==\nAQID\n-----END A-----\n",
      .fault(3, "this line of \"A\" is not Base64")
    ),
    ("-----BEGIN A-----\nAQIDB\n-----END A-----\n", .fault(1, "\"A\" is cut short")),
    ("-----BEGIN A-----\nA===\n-----END A-----\n", .fault(1, "\"A\" is cut short")),
    ("-----BEGIN A-----\n====\n-----END A-----\n", .fault(1, "\"A\" is cut short")),
    ("-----BEGIN A-----\n-----END A-----\n", .fault(1, "\"A\" is cut short")),
    // Not a boundary: dashes missing.
    ("----BEGIN A-----\nAQID\n", .blocks([], [])),
    ("-----BEGIN A----\nAQID\n", .blocks([], [])),
    ("-----BEGIN -----\n", .blocks([], [])),
  ]

  static func outcome(of bytes: [UInt8]) -> Outcome {
    do throws(PEM.Fault) {
      let blocks = try PEM.blocks(in: bytes)
      var contents: [[UInt8]] = []
      for block in blocks { contents.append(try PEM.decode(block, in: bytes)) }
      return .blocks(blocks.map(\.label), contents)
    } catch {
      let place = SourceText(path: "", bytes: bytes).place(of: error.range)
      return .fault(place.line, error.message)
    }
  }

  @Test(arguments: rows.indices) func `blocks are found and faults have a line`(row: Int) {
    let (text, outcome) = Self.rows[row]
    #expect(Self.outcome(of: Array(text.utf8)) == outcome, "\(text)")
  }

  @Test func `an encrypted block is known by its header`() throws {
    let text = "-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: X\n\nAQID\n-----END A-----\n"
    #expect(try PEM.blocks(in: Array(text.utf8)).map(\.isEncrypted) == [true])
  }

  @Test func `every truncation and every byte in every place only fails`() {
    let text = Array("x\r\n-----BEGIN A-----\nK: v\n\nAQ\nI=\n-----END A-----\n".utf8)
    for count in text.indices { _ = Self.outcome(of: Array(text[..<count])) }
    for position in text.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = text
        bytes[position] = byte
        _ = Self.outcome(of: bytes)
      }
    }
  }

  // Line ends, blanks and padding in all places; groups across lines; garbage; nothing.
  static let bodies = [
    "", "\n", "AQID\n", "AQ==\n", "AQI=\n", "AQ\n=\t=\n\n", "AQIDBAUGBwgJ\nCgsM\r\nDQ==\n",
    "A\nQ\nI\nD\n", "AQIDB\n", "A===\n", "====\n", "=\n", "AQ==AQID\n", "AQ==\n====\n",
    "AQID\n\u{0}AQID\n", "AQIDBA=F\n", "AQID-_==\n", "AQID\u{E9}\n", "+/+/\n",
  ]

  @Test(arguments: bodies) func `a block is read as another decoder reads it, or refused`(
    body: String
  ) throws {
    func check(_ bytes: [UInt8]) {
      let text = Array("-----BEGIN A-----\n".utf8) + bytes + Array("-----END A-----\n".utf8)
      guard let block = try? PEM.blocks(in: text).first, !bytes.contains(UInt8(ascii: ":")) else {
        return
      }
      #expect((try? PEM.decode(block, in: text)) == Self.slowlyDecoded(bytes), "\(bytes)")
    }
    let bytes = Array(body.utf8)
    check(bytes)
    for position in bytes.indices {
      for byte in sample(UInt8.min...UInt8.max, of: 52) {
        var changed = bytes
        changed[position] = byte
        check(changed)
      }
      check(Array(bytes[..<position]) + bytes[(position + 1)...])
      check(bytes + bytes[position...])
    }
  }

  /// Bit by bit; nil for text that is not Base64.
  private static func slowlyDecoded(_ text: [UInt8]) -> [UInt8]? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var digits = text.filter { !" \t\r\n".utf8.contains($0) }
    guard !digits.isEmpty, digits.count % 4 == 0 else { return nil }
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    digits.removeLast(padding)
    let values = digits.compactMap { alphabet.firstIndex(of: $0) }
    guard padding <= 2, values.count == digits.count else { return nil }
    let bits = values.flatMap { value in (0..<6).map { value >> (5 - $0) & 1 } }
    return (0..<(bits.count / 8)).map { byte in
      bits[(8 * byte)..<(8 * byte + 8)].reduce(0) { $0 << 1 | UInt8($1) }
    }
  }
}
