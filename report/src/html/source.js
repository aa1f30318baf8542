// Source lines with Java's words coloured and the variable marked.

const KEYWORDS = new Set(("abstract assert boolean break byte case catch char class const continue default do double else "
  + "enum extends final finally float for goto if implements import instanceof int interface long native new package "
  + "private protected public record return sealed short static strictfp super switch synchronized this throw throws "
  + "transient try var void volatile while yield true false null").split(" "));

const TOKEN = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b\d[\w.]*)|([\p{L}_$][\p{L}\p{N}_$]*)|([\s\S])/gu;

// `inComment`: the line before ended inside a block comment. Returns the nodes and the same for the next line.
function highlight(text, field, inComment) {
  const nodes = [];
  if (inComment) {
    const end = text.indexOf("*/");
    if (end < 0) return { nodes: [element("span", { class: "c" }, text)], inComment: true };
    nodes.push(element("span", { class: "c" }, text.slice(0, end + 2)));
    text = text.slice(end + 2);
  }
  let plain = "";
  let open = false;
  const flush = () => { if (plain) nodes.push(plain); plain = ""; };
  for (const [whole, comment, string, number, word] of text.matchAll(TOKEN)) {
    const kind = comment ? "c" : string ? "s" : number ? "n" : word && KEYWORDS.has(word) ? "k" : null;
    if (comment) open = comment.startsWith("/*") && !comment.endsWith("*/");
    if (kind) {
      flush();
      nodes.push(element("span", { class: kind }, whole));
    } else if (word && word === field) {
      flush();
      nodes.push(element("mark", {}, whole));
    } else {
      plain += whole;
    }
  }
  flush();
  return { nodes, inComment: open };
}

function sourceTable(file, line, field) {
  const table = element("table", { class: "source" });
  const body = element("tbody", {});
  const numbers = Object.keys(file.lines).map(Number).filter((n) => Math.abs(n - line) <= 4).sort((a, b) => a - b);
  let inComment = false;
  for (const number of numbers) {
    const here = number === line;
    const done = highlight(file.lines[number], here ? field : null, inComment);
    inComment = done.inComment;
    body.append(element("tr", { class: here ? "here" : null },
      element("td", { class: "no" }, here ? "▶ " + number : String(number)),
      element("td", { class: "code" }, done.nodes)));
  }
  table.append(element("caption", { class: "meta", style: "text-align:left" }, file.path), body);
  return table;
}
