import ScriptedServer

@testable import EndToEnd

extension Scenario {
  static let framings: [Scenario] = [
    red(
      "SSH behind TLS", "F021", #"the answer is not HTTP: it begins with "SSH-2.0-x\r\n""#,
      serving: .text("SSH-2.0-x\r\n")),
    red(
      "no answer", "F021", "the server closed the connection without an answer", serving: .text("")),
    red(
      "half a head", "F021",
      #"the connection ended inside the head of the answer, which begins with "HTTP/1.1 200 OK\r\nContent-""#,
      serving: .text("HTTP/1.1 200 OK\r\nContent-")),
    red(
      "less content than was said", "F021", "the connection ended after 2 of 999 bytes of content",
      serving: .text("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}")),
    red(
      "chunks that end early", "F021",
      "the connection ended before the end of the chunked content, after 2 bytes",
      serving: .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}")),
    red(
      "chunks that are not", "F021",
      #"the chunked content is broken: found "xyz" where a chunk should begin or end"#,
      serving: .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")),
    red(
      "a length that is not a number", "F021", #"Content-Length is "many", which is not a length"#,
      serving: .text("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n{}")),
    red(
      "a version that is not one", "F021", #"the status line is malformed: "HTTP/3 200""#,
      serving: .text("HTTP/3 200\r\n\r\n")),
    green(
      "LF for line ends", "F023", ", with 1 warning",
      serving: .text("HTTP/1.1 200 OK\nContent-Type: application/json\n\n" + Lab.good)),
    green(
      "HTTP/1.0 until the end", "fine:",
      serving: .text("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + Lab.good)),
    green(
      "good chunks", "fine:",
      serving: .text(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(Lab.good.utf8.count, radix: 16) + "\r\n" + Lab.good + "\r\n0\r\n\r\n")),
    green(
      "an interim answer first", "fine:",
      serving: .text(
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Lab.good.utf8.count)\r\n\r\n"
          + Lab.good)),
    green(
      "both framings", "F023", ", with 1 warning",
      serving: .text(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(Lab.good.utf8.count, radix: 16) + "\r\n" + Lab.good + "\r\n0\r\n\r\n")),
    red(
      "a head without end", "F02", "the head of the answer has more than 65536 bytes",
      serving: .text("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300_000))),
    green(
      "two answers", "F023", ", with 1 warning",
      serving: .text(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(Lab.good.utf8.count)\r\n\r\n"
          + Lab.good + "x")),
    green("gzip", "fine:", serving: .answer(fields: ["Content-Encoding: gzip"], body: Lab.packed)),
    red(
      "gzip that is not", "F022", "the content is labeled as gzip but is not gzip",
      serving: .answer(fields: ["Content-Encoding: gzip"], Lab.good)),
    red(
      "gzip that is cut off", "F022", "the gzip content is cut off after 97 unpacked bytes",
      serving: .answer(fields: ["Content-Encoding: gzip"], body: Lab.packed.dropLast(9))),
    red(
      "brotli", "F022", #"the content is sent with Content-Encoding "br", which was not requested"#,
      serving: .answer(fields: ["Content-Encoding: br"], Lab.good)),
    red(
      "a file that is compressed and does not say so", "J0",
      "the file is not valid JSON: this is a gzip file, not JSON",
      serving: .answer(body: Lab.packed)),
    red(
      "a server that hangs", "F020", "timed out while the answer was received, after 1 s",
      serving: .stall, options: ["--timeout", "1s"]),
    red(
      "a server that hangs behind the head", "F020",
      "timed out while the answer was received, after 1 s"
    ) {
      try $0.origin { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"), .stall] }
      $0.arguments += ["--timeout", "1s"]
    },
    green("a server that takes four seconds", "F024", ", with 1 warning") { try $0.slowOrigin() },
  ]
}
