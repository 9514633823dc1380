/// The style of the pages that this program makes.
package enum PageStyle {
  /// The colors and fonts of all pages.
  package static let common =
    #"""
    /* Colors and type of all pages. Text has a
       contrast of 4.5:1 and more on every surface here, in both themes. */
    :root {
      color-scheme: light dark;
      --page: #f4f4f1;
      --surface: #ffffff;
      --raised: #f0f0ec;
      --ink: #1b1d20;
      --quiet: #565b63;
      --line: #d9d9d2;
      --edge: #85898f;
      --accent: #1450b4;
      --on-accent: #ffffff;
      --good: #14653a;
      --good-tint: #e0f2e6;
      --warn: #7a4a00;
      --warn-tint: #fbeecf;
      --bad: #a81e17;
      --bad-tint: #fce6e3;
      --code: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
      --text: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif;
    }

    @media (prefers-color-scheme: dark) {
      :root {
        --page: #121416;
        --surface: #1a1d20;
        --raised: #24282c;
        --ink: #e9e9e6;
        --quiet: #a7acb3;
        --line: #33383d;
        --edge: #7b8189;
        --accent: #8fb8ff;
        --on-accent: #0d1b33;
        --good: #77d39a;
        --good-tint: #15301f;
        --warn: #f2bd62;
        --warn-tint: #35270c;
        --bad: #ff9b90;
        --bad-tint: #3d1a17;
      }
    }

    *, *::before, *::after { box-sizing: border-box; }
    [hidden] { display: none !important; }

    body {
      margin: 0;
      background: var(--page);
      color: var(--ink);
      font: 1rem/1.5 var(--text);
      -webkit-text-size-adjust: 100%;
      text-size-adjust: 100%;
    }

    h1, h2, h3, p, ul, ol, dl, dd, pre, figure { margin: 0; padding: 0; }
    ul, ol { list-style: none; }
    h2 { font-size: 1.0625rem; font-weight: 650; line-height: 1.3; }
    h3 { font-size: 0.9375rem; font-weight: 650; }
    code, pre { font-family: var(--code); font-size: 0.875rem; overflow-wrap: anywhere; }
    a { color: var(--accent); text-underline-offset: 0.15em; overflow-wrap: anywhere; }

    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

    """#
}
