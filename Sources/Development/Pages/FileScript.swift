extension DevPages {
  /// The script for the inspector's view of the file.
  static let fileScript =
    #"""
    // The view of the association file as text, with its diagnostics under their lines.

    import { byId, count, make, show, visible } from "/page.js";

    /// The maximum number of lines of a file that is shown completely. Of a longer file, only the
    /// first lines and the lines around diagnostics are shown until the user asks for all lines.
    const LINES = 600;
    const AROUND = 6;
    const weights = { note: 1, warning: 2, error: 3 };

    export class FileView {
      #last = "";
      #showsAll = false;
      #file = null;

      constructor() {
        addEventListener("hashchange", () => this.#goToLine());
      }

      /// Goes to the line that the fragment of the page's URL specifies. If that line is not shown
      /// yet, shows all lines first.
      #goToLine() {
        const name = location.hash.slice(1);
        if (!this.#file || !/^line-\d+$/.test(name) || byId(name)) return;
        this.#showsAll = true;
        this.#showText(this.#file);
        // The browser marks the line as the target only if the line exists at the time of the
        // navigation.
        if (!byId(name)) return;
        history.replaceState(null, "", location.pathname);
        location.hash = name;
      }

      show(state) {
        const file = state.file;
        const now = JSON.stringify([file, state.version]);
        if (!file || now === this.#last) return;
        this.#last = now;
        this.#file = file;
        show(byId("file-path"), file.path ?? "made from --app");
        this.#showVerdict(file, state.version);
        this.#showJumps(file.diagnostics);
        const changes = byId("file-changes");
        // Hide the changes of a file that is not served, because they have no effect on users yet.
        changes.hidden = file.changes.length === 0 || !file.isServed;
        changes.querySelector("ul").replaceChildren(...file.changes.map((line) => make("li", {}, visible(line))));
        this.#showText(file);
      }

      #showVerdict(file, version) {
        const verdict = byId("file-state");
        const all = counts(file.diagnostics);
        verdict.hidden = false;
        verdict.dataset.result = file.isServed ? (all.warning ? "warn" : "good") : "bad";
        if (!file.isServed) {
          verdict.textContent = version
            ? `not served, because it has ${says(all)}: phones still get version ${version}`
            : `not served, because it has ${says(all)}: phones get nothing`;
        } else {
          verdict.textContent = `served as version ${version}` + (says(all) ? `, with ${says(all)}` : ", nothing to fix");
        }
      }

      /// Lists a link for each diagnostic, to its line in the text. A diagnostic without a line is
      /// listed in full, without a link.
      #showJumps(diagnostics) {
        const list = byId("file-diagnostics");
        list.replaceChildren(...diagnostics.map((diagnostic) => {
          if (!diagnostic.line) return make("li", {}, message(diagnostic));
          const link = make("a", { href: `#line-${diagnostic.line}` }, `line ${diagnostic.line}: ${diagnostic.severity}[${visible(diagnostic.code)}]: ${visible(diagnostic.message)}`);
          return make("li", { class: "jump" }, link);
        }));
        list.hidden = diagnostics.length === 0;
      }

      #showText(file) {
        const lines = file.text.split(/\r\n|\n|\r/);
        if (lines.length > 1 && lines.at(-1) === "") lines.pop();
        const placed = file.diagnostics.filter((diagnostic) => diagnostic.line);
        const isShown = this.#selection(lines.length, placed);
        const content = [];
        let hidden = 0;
        const closeGap = () => {
          if (hidden > 0) content.push(make("p", { class: "gap" }, `… ${count(hidden, "line", "lines")} without diagnostics`));
          hidden = 0;
        };
        lines.forEach((text, index) => {
          if (!isShown(index + 1)) {
            hidden += 1;
            return;
          }
          closeGap();
          const number = index + 1;
          content.push(line(text, number, placed.filter((one) => one.line <= number && number <= (one.endLine ?? one.line))));
          // A diagnostic past the end of the file is shown under the last line.
          const isLast = number === lines.length;
          for (const one of placed) if (one.line === number || (isLast && one.line > number)) content.push(message(one));
        });
        closeGap();
        if (file.omittedBytes > 0) content.push(make("p", { class: "gap" }, `… ${count(file.omittedBytes, "byte", "bytes")} more, too many for this page`));
        if (lines.length > LINES && !this.#showsAll) content.push(this.#more(lines.length));
        const view = byId("file-text");
        const top = view.scrollTop;
        view.replaceChildren(...content);
        view.scrollTop = top;
      }

      #selection(length, placed) {
        if (this.#showsAll || length <= LINES) return () => true;
        const near = new Set();
        for (const one of placed) {
          for (let number = one.line - AROUND; number <= one.line + AROUND; number += 1) near.add(number);
        }
        return (number) => number <= 40 || near.has(number);
      }

      #more(length) {
        const click = () => {
          this.#showsAll = true;
          this.#showText(this.#file);
          byId("file-text").focus();
        };
        return make("button", { type: "button", class: "more", click }, `Show all ${count(length, "line", "lines")}`);
      }
    }

    function counts(diagnostics) {
      const all = { error: 0, warning: 0, note: 0 };
      for (const diagnostic of diagnostics) all[diagnostic.severity] += 1;
      return all;
    }

    function says(all) {
      return ["error", "warning", "note"].filter((severity) => all[severity] > 0)
        .map((severity) => count(all[severity], severity, `${severity}s`)).join(", ");
    }

    /// Makes a line with its number, and marks the places of diagnostics. Columns are numbered in
    /// Unicode scalars, from 1. The end column is the column after the last marked scalar.
    function line(text, number, diagnostics) {
      const scalars = Array.from(visible(text));
      const weight = new Uint8Array(scalars.length + 1);
      let heaviest = 0;
      for (const one of diagnostics) {
        const start = one.line === number ? (one.column ?? 1) - 1 : 0;
        const isOneLine = (one.endLine ?? one.line) === number;
        const end = isOneLine ? Math.max((one.endColumn ?? start + 2) - 1, start + 1) : scalars.length;
        for (let column = start; column < Math.min(end, weight.length); column += 1) {
          weight[column] = Math.max(weight[column], weights[one.severity] ?? 1);
        }
        heaviest = Math.max(heaviest, weights[one.severity] ?? 1);
      }
      const code = make("code", {});
      // If a long line is wrapped, indent its second and later rows slightly more than its first
      // row.
      const indent = Math.min(scalars.findIndex((one) => one !== " ") + 2, 12);
      code.style.paddingLeft = `${indent}ch`;
      code.style.textIndent = `-${indent}ch`;
      let start = 0;
      while (start < weight.length) {
        let end = start + 1;
        while (end < weight.length && weight[end] === weight[start]) end += 1;
        // At the end of the line there is no character to mark, so mark a no-break space.
        const part = scalars.slice(start, end).join("") || (weight[start] ? "\u00a0" : "");
        if (part) code.append(weight[start] ? make("mark", { "data-severity": severityOf(weight[start]) }, part) : part);
        start = end;
      }
      return make(
        "div", { class: "line", id: `line-${number}`, "data-severity": heaviest ? severityOf(heaviest) : null },
        make("span", { class: "number" }, String(number)), code);
    }

    const severityOf = (weight) => ["", "note", "warning", "error"][weight];

    function message(diagnostic) {
      const more = (name, text) => (text ? make("p", {}, make("b", {}, `${name}: `), visible(text)) : null);
      return make(
        "div", { class: "message", "data-severity": diagnostic.severity },
        make("p", {}, make("b", {}, `${diagnostic.severity}[${visible(diagnostic.code)}]: `), visible(diagnostic.message)),
        more("help", diagnostic.help), more("note", diagnostic.note));
    }

    """#
}
