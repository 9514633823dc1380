import QRCode
import TestRunning
import Testing

@Suite struct QRCodeTests {
  /// Version 3. Another encoder, python-qrcode, draws the same with mask 6.
  @Test func `a link is drawn as another encoder draws it`() throws {
    let code = try #require(QRCode("https://example.com/buy?a=1"))
    let rows = (0..<code.size).map { row in
      String((0..<code.size).map { code.isDark(row: row, column: $0) ? "#" : "." })
    }
    #expect(rows == Self.link)
  }

  /// The small ones, which are quick, and those at which the count of bytes and of alignment patterns
  /// changes, unless there is time for all.
  private static let versions = fullCodes.enumerated().filter {
    isStress || $0.offset < 7 || [9, 19, 39].contains($0.offset)
  }

  /// The most that each version holds, filled with bytes from a rule, and an FNV-1a hash of all its
  /// modules; each was compared with another encoder's.
  @Test(arguments: versions)
  func `every version is drawn as another encoder draws it`(
    index: Int, full: (bytes: Int, hash: UInt64)
  ) throws {
    let bytes = (0..<full.bytes).map { UInt8(truncatingIfNeeded: 33 + ($0 * 7919) % 90) }
    let code = try #require(QRCode(bytes))
    #expect(code.size == 21 + 4 * index)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for row in 0..<code.size {
      for column in 0..<code.size {
        hash = (hash ^ (code.isDark(row: row, column: column) ? 0x31 : 0x30)) &* 0x100_0000_01b3
      }
    }
    #expect(hash == full.hash)
    // One byte more needs the next version, or is too much.
    #expect(QRCode(bytes + [0])?.size == (index == 39 ? nil : 25 + 4 * index))
  }

  @Test func `nothing is a code too, and outside of it all is light`() throws {
    let code = try #require(QRCode(""))
    #expect(code.size == 21)
    for (row, column) in [(-1, 0), (0, -1), (21, 0), (0, 21)] {
      #expect(!code.isDark(row: row, column: column))
    }
    #expect(QRCode.maximumBytes == 2_331)
  }

  @Test func `a terminal shows two rows of modules in each line, light around them`() throws {
    let code = try #require(QRCode("https://example.com/buy?a=1"))
    let dark = code.terminalLines(.darkOnLight)
    try #require(dark.count == 17 && dark.allSatisfy { $0.count == 33 })
    #expect(dark[0].allSatisfy { $0 == " " })
    #expect(dark[1].hasPrefix("  █▀▀▀▀▀█ █"))
    let light = code.terminalLines(.lightOnDark)
    #expect(light[0].allSatisfy { $0 == "█" })
    #expect(light[1].hasPrefix("██ ▄▄▄▄▄ █ "))
    #expect(code.terminalLines(.explicit)[1].hasPrefix("\u{1B}[38;2;0;0;0;48;2;255;255;255m  █▀"))
  }

  @Test func `an image has the size of the code and its quiet zone`() throws {
    let code = try #require(QRCode("https://example.com/buy?a=1"))
    #expect(code.svg.contains(#"viewBox="0 0 37 37""#))
    // The upper edge of the first finder pattern.
    #expect(code.svg.contains("M4 4h7v1h-7z"))
  }

  private static let link = [
    "#######.#....###......#######",
    "#.....#.#..#.###..##..#.....#",
    "#.###.#.##.#.##....##.#.###.#",
    "#.###.#..#....##.##...#.###.#",
    "#.###.#.#..###.#...#..#.###.#",
    "#.....#...##.##.......#.....#",
    "#######.#.#.#.#.#.#.#.#######",
    ".........#.##.#.....#........",
    "#..######.#.######.#.#..#.###",
    "##.###....###.#...##.#.##.##.",
    ".########...#.#..##..#..#.#..",
    "##...#..##.##.##.#.##.#..#..#",
    "##..#.#########...#.#.##....#",
    "###.##..#.#......#..#.#######",
    "#...####.#.##.##...##..##.#.#",
    "#.#.##..#.#..##.#.....#.#.#.#",
    "..#.#.######...#..###..#.#...",
    "#.##.#....##.....#.##...#.##.",
    "###..####.#.###.####..####..#",
    "#####...##..##.##....#...##..",
    "###.###...##.#....#.########.",
    "........######..###.#...##...",
    "#######.#.#.##.##..##.#.##...",
    "#.....#.##.#.#..#.###...#..#.",
    "#.###.#.##.#.#.###.#######.#.",
    "#.###.#.##..###.#.#....#...#.",
    "#.###.#..#.#..#.#.##.#.##.###",
    "#.....#...####.#.....#.####.#",
    "#######.#####.#.#######.#....",
  ]
}

private let fullCodes: [(bytes: Int, hash: UInt64)] = [
  (14, 0x8EAF_04EB_C8EC_1DAD),
  (26, 0xD8B5_A279_7B9B_48D9),
  (42, 0x1BAF_C7B3_DCCD_60E5),
  (62, 0xDF46_552E_E2DC_1864),
  (84, 0xBBA5_A652_9D21_2A07),
  (106, 0x146D_7B11_8BB4_10C7),
  (122, 0x09A6_AA8A_1023_1850),
  (152, 0x851A_2022_8DA6_E241),
  (180, 0x336A_5C8A_1593_2976),
  (213, 0x2E3D_3133_E37B_E9DB),
  (251, 0xA04D_7B5F_F34E_0BE5),
  (287, 0xDC14_66CA_8AA8_7BC0),
  (331, 0x828C_6E88_5BFC_7584),
  (362, 0x591B_BEA6_9D89_4435),
  (412, 0x438A_B587_CC9A_8906),
  (450, 0x32C4_A3B8_66DD_8960),
  (504, 0xE7CA_1D87_7619_4A92),
  (560, 0x4850_ECAD_8F63_9419),
  (624, 0x6D13_81C5_CB2F_3727),
  (666, 0xD5B0_3B28_0F58_ECFF),
  (711, 0x2947_128C_90A7_F69B),
  (779, 0xCCA1_99D3_54C9_3605),
  (857, 0x953D_812C_A95A_B537),
  (911, 0x485C_8E77_414B_86A3),
  (997, 0x8667_BB74_E628_175B),
  (1_059, 0x990A_01CA_3214_E42D),
  (1_125, 0x04AD_41F8_5EBC_1B1B),
  (1_190, 0x7D70_65BC_FC0F_006F),
  (1_264, 0x9B5C_3309_A771_5DAE),
  (1_370, 0x79D2_EB95_7456_9449),
  (1_452, 0xBE46_55F2_F3E4_5DB7),
  (1_538, 0xCFDF_1194_A6BB_BE86),
  (1_628, 0x5112_8CD4_5CA8_81BC),
  (1_722, 0x0F12_6CBE_73A3_3D5A),
  (1_809, 0xBD1E_2B62_BF3D_92D1),
  (1_911, 0x6CFC_B400_92F0_EDAF),
  (1_989, 0x3388_24B7_85CE_1699),
  (2_099, 0x7B79_3491_287F_E5BB),
  (2_213, 0x1F09_5E7B_894A_4F29),
  (2_331, 0x461B_E5D8_67D0_55ED),
]
