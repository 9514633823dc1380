internal import Bytes
internal import Client
internal import HTTP

/// For an answer that is neither the file nor a web page, returns lines that show who answered: the
/// beginning of the answer's text, and the content delivery network or hosting service.
func answererLines(_ exchange: Exchange) -> [String] {
  (openingWords(of: exchange).map { ["< \($0)"] } ?? []) + layerLines(exchange)
}

/// Returns a line with the name of the content delivery network or hosting service; empty if no
/// field of the answer identifies a network or service.
func layerLines(_ exchange: Exchange) -> [String] {
  networks.first { exchange.head?.value(of: $0.field) != nil }
    .map { ["the answer came through \($0.name)"] } ?? []
}

/// Returns the names of the servers that answered, according to the fields of the answer; nil if no
/// field identifies a server.
func answerer(_ exchange: Exchange) -> String? {
  guard let head = exchange.head else { return nil }
  let names =
    [head.value(of: "server"), networks.first { head.value(of: $0.field) != nil }?.name]
    .compactMap(\.self) + (head.value(of: "via").map { ["a proxy (via \($0))"] } ?? [])
  let shown = names.map { visibleText(Array($0.utf8), limit: 60) }
  return shown.isEmpty ? nil : shown.joined(separator: ", ")
}

/// Fields whose presence shows which content delivery network or hosting service answered.
private let networks: [(field: String, name: String)] = [
  ("cf-ray", "Cloudflare"), ("x-amz-cf-id", "CloudFront"), ("x-served-by", "Fastly"),
  ("x-vercel-id", "Vercel"), ("x-nf-request-id", "Netlify"), ("x-azure-ref", "Azure Front Door"),
  ("fly-request-id", "Fly"), ("x-akamai-request-id", "Akamai"),
]

/// Returns the first line of the text in an answer; nil if the text is empty or a web page.
func openingWords(of exchange: Exchange) -> String? {
  guard let body = exchange.body, body.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") else {
    return nil
  }
  let line = body.drop { $0 <= 0x20 }.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
  return line.isEmpty ? nil : visibleText(line, limit: 120)
}
