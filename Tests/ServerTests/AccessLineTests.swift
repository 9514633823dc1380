import Bytes
import Catalog
import Foundation
import HTTP
import Posix
import Settings
import Testing

@testable import Server

@Suite struct AccessLineTests {
  static func line(
    host: String = "a.test", path: Int8 = 0, status: Status = .ok, bytes: Int = 7,
    microseconds: Int64 = 12, version: TLSVersion? = nil,
    fetcher: FetcherClass = .appleCDN, client: String? = "192.0.2.55",
    _ format: LogFormat, _ addresses: LogAddresses = .truncated
  ) -> String {
    var writer = AccessLineWriter(isJSON: format == .json, addresses)
    writer.setTime(784_111_777_250_999_999)
    let address = client.flatMap { IPAddress($0)?.unmapped }
    let name = Array(host.utf8)
    let end = writer.end(client: address)
    writer.append(
      host: name.span, path: path, status: status, bytes: bytes,
      microseconds: UInt64(microseconds), version: version, fetcher: fetcher,
      client: end.span)
    return String(decoding: writer.lines.memory[..<writer.lines.count], as: UTF8.self)
  }

  @Test func `a line of each form`() {
    #expect(
      Self.line(version: .tls13, .json)
        == #"{"time":"1994-11-06T08:49:37.250Z","host":"a.test","#
        + #""path":"/.well-known/apple-app-site-association","status":200,"bytes":7,"#
        + #""duration_us":12,"tls":"TLSv1.3","fetcher":"apple-cdn","client":"192.0.2.0"}"# + "\n")
    #expect(
      Self.line(path: 1, version: .tls12, .text)
        == "1994-11-06T08:49:37.250Z a.test /apple-app-site-association 200 7 12us TLSv1.2 "
        + "apple-cdn 192.0.2.0\n")
    // unknown values
    #expect(
      Self.line(host: "", path: -1, status: .badRequest, fetcher: .other, client: nil, .json)
        == #"{"time":"1994-11-06T08:49:37.250Z","host":"","path":"other","status":400,"bytes":7,"#
        + #""duration_us":12,"tls":null,"fetcher":"other","client":null}"# + "\n")
    #expect(
      Self.line(host: "", path: -1, status: .badRequest, fetcher: .other, client: nil, .text)
        == "1994-11-06T08:49:37.250Z - other 400 7 12us - other -\n")
    // no addresses at all
    #expect(Self.line(.json, .none).hasSuffix(#""fetcher":"apple-cdn"}"# + "\n"))
    #expect(Self.line(.text, .none).hasSuffix("- apple-cdn\n"))
  }

  static let addresses: [(client: String, full: String, truncated: String)] = [
    ("192.0.2.55", "192.0.2.55", "192.0.2.0"),
    ("255.255.255.255", "255.255.255.255", "255.255.255.0"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
    ("2001:db8:1:2345::6", "2001:db8:1:2345::6", "2001:db8:1::"),
    ("2001:db8::1", "2001:db8::1", "2001:db8::"),
    ("::1", "::1", "::"),
    ("::", "::", "::"),
    ("1::", "1::", "1::"),
    ("0:0:1::", "0:0:1::", "0:0:1::"),
    ("1:0:0:2:0:0:0:3", "1:0:0:2::3", "1::"),
    ("fe80::a:0:0:1", "fe80::a:0:0:1", "fe80::"),
    // one group of zeros is written out (RFC 5952 section 4.2.2)
    ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8", "1:0:3::"),
  ]

  @Test(arguments: addresses)
  func `addresses are written as asked for`(
    _ row: (client: String, full: String, truncated: String)
  ) {
    #expect(Self.line(client: row.client, .text, .full).hasSuffix(" \(row.full)\n"))
    #expect(Self.line(client: row.client, .text).hasSuffix(" \(row.truncated)\n"))
  }

  @Test func `a path is one of a few, or another`() {
    let paths = WellKnownFiles().paths.map { String(decoding: $0, as: UTF8.self) }
    for (index, path) in paths.enumerated() {
      #expect(Self.line(path: Int8(index), .text).contains(" a.test \(path) 200 "))
    }
    #expect(Self.line(path: -1, .text).contains(" a.test other 200 "))
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, 12_345, 999_999_999, Int.max / 1_000_000])
  func `numbers are written in full`(_ number: Int) {
    #expect(Self.line(bytes: number, .json).contains(#""bytes":\#(number),"#))
    #expect(
      Self.line(microseconds: Int64(number), .json).contains(#""duration_us":\#(number),"#))
  }

  /// Nothing in a host is escaped, because a host cannot contain such characters.
  @Test func `a host holds no byte that would have to be escaped`() {
    for byte in UInt8.min...UInt8.max {
      for text in [[byte], [0x61, byte, 0x7A], [0x5B, 0x3A, byte, 0x3A, 0x5D]] {
        let bytes = Array("GET / HTTP/1.1\r\nHost: ".utf8) + text + Array("\r\n\r\n".utf8)
        var head = RequestHead()
        guard
          (try? head.read(bytes.span, from: 0, limits: RequestLimits())) != nil
        else { continue }
        let isPlain = bytes[head.host].allSatisfy {
          (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        #expect(isPlain, "byte \(byte)")
        #expect(head.host.count <= 253)
      }
    }
  }

  @Test func `numbers of any size fit`() {
    for number in [0, 9, 10, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max] {
      var memory = [UInt8](repeating: 0, count: 24)
      var space = memory.mutableSpan
      let end = LineText.write(number, to: &space, at: 2)
      #expect(String(decoding: memory[2..<end], as: UTF8.self) == "\(number)")
    }
  }

  @Test func `the time is that of the turn`() {
    var writer = AccessLineWriter(isJSON: false, .none)
    // within a second, over its end, back to before 1970
    for (time, text) in [
      (1_999_000_000, "1970-01-01T00:00:01.999Z"), (1_001_000_000, "1970-01-01T00:00:01.001Z"),
      (2_000_000_000, "1970-01-01T00:00:02.000Z"), (2_000_999_999, "1970-01-01T00:00:02.000Z"),
      (86_400_000_000_000, "1970-01-02T00:00:00.000Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
      (-2_000_000, "1969-12-31T23:59:59.998Z"),
    ] as [(Int64, String)] {
      writer.setTime(time)
      writer.removeAll()
      let host: [UInt8] = []
      writer.append(
        host: host.span, path: -1, status: .ok, bytes: 0, microseconds: 0, version: nil,
        fetcher: .other, client: host.span)
      #expect(String(decoding: writer.lines.memory[..<24], as: UTF8.self) == text)
    }
  }
}
