extension DevPages {
  /// The template of the test page, with placeholders for its contents.
  static let testTemplate =
    #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>{{title}}</title>
    <link rel="icon" href="data:,">
    {{banner}}<style>{{style}}</style>
    </head>
    <body>
    <main>
    <h1>{{headline}}</h1>
    <p class="url"><code>{{url}}</code></p>
    {{notes}}{{why}}
    {{checks}}
    <h2>Test links</h2>
    {{links}}
    {{qr}}
    </main>
    </body>
    </html>

    """#
}
