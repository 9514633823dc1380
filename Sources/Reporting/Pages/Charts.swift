internal import Bytes
internal import Server

/// Draws charts as SVG. A chart contains no styles, and has a description in text.
enum Charts {
  /// A bar that consists of parts. The width of a part shows the part's share of the total, but
  /// each part is wide enough to see.
  static func bar(_ parts: [(name: String, words: String, count: Int)]) -> String {
    let shown = parts.filter { $0.count > 0 }
    let total = shown.reduce(0) { $0 + $1.count }
    if total == 0 { return "" }
    let least = 12
    let room = 1_000 - least * shown.count
    var left = 0
    let rectangles = shown.map { part in
      let width = least + Int(Double(part.count) / Double(total) * Double(room))
      defer { left += width }
      return "<rect data-domains=\"\(part.name)\" x=\"\(left)\" width=\"\(width)\" height=\"20\"/>"
    }
    let words = shown.map { "\($0.count) \($0.words)" }.joined(separator: ", ")
    return """
      <svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" \
      aria-label="\(pageText(words))">\(rectangles.joined())</svg>
      """
  }

  /// A chart of the number of certificates by expiry: already expired, in each of the next twelve
  /// weeks, or later.
  static func weeks(_ expiries: [Int64], now: Int64) -> String {
    let weeks = 12
    var counts = Array(repeating: 0, count: weeks + 2)
    for expiry in expiries {
      let week = expiry < now ? 0 : 1 + Int(min((expiry - now) / 604_800, Int64(weeks)))
      counts[week] += 1
    }
    let most = max(1, counts.max() ?? 1)
    let columns = counts.enumerated().map { week, count in
      let height = count == 0 ? 0 : max(2, count * 60 / most)
      let x = week * 30
      let state = week == 0 ? "expired" : week <= 2 ? "soon" : "later"
      let name = week == 0 ? "exp." : week > weeks ? "later" : "\(week)"
      return """
        <rect data-expiry="\(state)" x="\(x + 4)" y="\(78 - height)" width="22" height="\(height)"/>\
        <text x="\(x + 15)" y="\(74 - height)">\(count == 0 ? "" : "\(count)")</text>\
        <text x="\(x + 15)" y="92">\(name)</text>
        """
    }
    let words = counts.enumerated().filter { $0.element > 0 }.map { week, count in
      week == 0
        ? "\(count) expired"
        : week > weeks ? "\(count) expire later" : "\(count) expire in week \(week)"
    }.joined(separator: ", ")
    return """
      <figure class="chart"><svg viewBox="0 0 420 96" role="img" aria-label="Certificates: \(words)">\
      \(columns.joined())</svg><figcaption>Certificates by the weeks until they expire</figcaption></figure>
      """
  }

  /// A chart of fetches per hour, from the oldest hour to the newest, with one line for each
  /// series. Below the chart, a list shows the sum of each series.
  static func lines(_ series: [(name: String, words: String, hours: [UInt64])]) -> String {
    let most = max(1, series.flatMap(\.hours).max() ?? 1)
    let lines = series.map { one in
      let points = one.hours.enumerated().map { hour, count in
        let x = 8 + Double(hour) * 404 / Double(FetchHistory.hours - 1)
        let y = 84 - Double(count) / Double(most) * 70
        return "\(rounded(x)),\(rounded(y))"
      }
      return "<polyline data-fetcher=\"\(one.name)\" points=\"\(points.joined(separator: " "))\"/>"
    }
    let sums = series.map { (name: $0.name, words: $0.words, count: $0.hours.reduce(0, &+)) }
    let keys = sums.map {
      "<li><span class=\"key\" data-fetcher=\"\($0.name)\"></span>\(pageText($0.words)): \($0.count)</li>"
    }
    let words = sums.map { "\($0.count) by \($0.words)" }.joined(separator: ", ")
    return """
      <figure class="chart"><svg viewBox="0 0 420 104" role="img" aria-label="Fetches: \(pageText(words))">\
      <path class="axis" d="M8 84H412M8 14H412"/><text class="start" x="8" y="10">\(most) in an hour</text>\
      <text class="start" x="8" y="100">24 h ago</text><text class="end" x="412" y="100">now</text>\
      \(lines.joined())</svg></figure>
      <ul class="keys">\(keys.joined())</ul>
      """
  }

  /// Formats a number with one decimal place.
  private static func rounded(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
