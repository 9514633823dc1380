import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let framings: [Scenario] = [
    Scenario(
      "SSH behind TLS", 1, "F021",
      broken + #"the answer is not HTTP: it begins with "SSH-2.0-x\r\n""#
    ) {
      try $0.origin(.text("SSH-2.0-x\r\n"))
    },
    Scenario("no answer", 1, "F021", broken + "the server closed the connection without an answer")
    {
      try $0.origin(.text(""))
    },
    Scenario(
      "half a head", 1, "F021",
      broken
        + #"the connection ended inside the head of the answer, which begins with "HTTP/1.1 200 OK\r\nContent-""#
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nContent-"))
    },
    Scenario(
      "less content than was said", 1, "F021",
      broken + "the connection ended after 2 of 999 bytes of content"
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}"))
    },
    Scenario(
      "chunks that end early", 1, "F021",
      broken + "the connection ended after 2 bytes of chunked content, before its end"
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}"))
    },
    Scenario(
      "chunks that are not", 1, "F021",
      broken
        + #"the chunked content is broken: "xyz" is in the place of the beginning or end of a chunk"#
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"))
    },
    Scenario(
      "a length that is not a number", 1, "F021",
      broken + #"Content-Length is "many", which is not a length"#
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}"))
    },
    Scenario(
      "a version that is not one", 1, "F021",
      broken + #"the status line is malformed: "HTTP/3 200""#
    ) {
      try $0.origin(.text("HTTP/3 200\r\n\r\n"))
    },
    Scenario("LF for line ends", 0, "F023", served + ", with 1 warning") {
      try $0.origin(.text("HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + Lab.good))
    },
    Scenario("HTTP/1.0 until the end", 0, "fine:", served) {
      try $0.origin(.text("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + Lab.good))
    },
    Scenario("good chunks", 0, "fine:", served) {
      try $0.origin(
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(Lab.good.utf8.count, radix: 16) + "\r\n" + Lab.good + "\r\n0\r\n\r\n"))
    },
    Scenario("an interim answer first", 0, "fine:", served) {
      try $0.origin(
        .text(
          "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Lab.good.utf8.count)\r\n\r\n"
            + Lab.good))
    },
    Scenario("both framings", 0, "F023", served + ", with 1 warning") {
      try $0.origin(
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(Lab.good.utf8.count, radix: 16) + "\r\n" + Lab.good + "\r\n0\r\n\r\n"))
    },
    Scenario(
      "a head without end", 1, "F02", broken + "the head of the answer has more than 65536 bytes"
    ) {
      try $0.origin(.text("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300_000)))
    },
    Scenario("two answers", 0, "F023", served + ", with 1 warning") {
      try $0.origin(
        .text(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Lab.good.utf8.count)\r\n\r\n"
            + Lab.good + "x"))
    },
    Scenario("gzip", 0, "fine:", served) {
      try $0.origin(.answer(fields: ["Content-Encoding: gzip"], body: Lab.packed))
    },
    Scenario("gzip that is not", 1, "F022", broken + "the content is labelled gzip but is not") {
      try $0.origin(.answer(fields: ["Content-Encoding: gzip"], Lab.good))
    },
    Scenario(
      "gzip that is cut off", 1, "F022", broken + "the gzip content ends early, after 97 bytes"
    ) {
      try $0.origin(.answer(fields: ["Content-Encoding: gzip"], body: Lab.packed.dropLast(9)))
    },
    Scenario(
      "brotli", 1, "F022",
      broken + #"the content is sent with Content-Encoding "br", which was not requested"#
    ) {
      try $0.origin(.answer(fields: ["Content-Encoding: br"], Lab.good))
    },
    Scenario(
      "a file that is compressed and does not say so", 1, "J0",
      broken + "the file is not valid JSON: this is a gzip file, not JSON"
    ) {
      try $0.origin(.answer(body: Lab.packed))
    },
    Scenario(
      "a server that hangs", 1, "F020",
      broken + "timed out while the answer was received, after 1 s"
    ) {
      try $0.origin(.stall)
      $0.arguments += ["--timeout", "1s"]
    },
    Scenario(
      "a server that hangs behind the head", 1, "F020",
      broken + "timed out while the answer was received, after 1 s"
    ) {
      try $0.origin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"), .stall] }
      $0.arguments += ["--timeout", "1s"]
    },
    Scenario("a server that takes four seconds", 0, "F024", served + ", with 1 warning") {
      try $0.slowOrigin()
    },
  ]
}
