// Building elements. Everything that comes from the program goes in as text, never as markup.

function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

// A long name keeps its end: that is where classes differ.
function shorten(text, length) {
  return text.length <= length ? text : "…" + text.slice(text.length - length + 1);
}

function simpleName(name) {
  return name.replace(/^.*\.(?=[^.]*$)/, "");
}
