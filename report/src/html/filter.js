// Which findings are shown.

function packageOf(finding) {
  const named = finding.variable || (finding.accesses[0] && finding.accesses[0].class + ".x") || "";
  const parts = named.split(".");
  return parts.length > 2 ? parts.slice(0, -2).join(".") : "(no package)";
}

// Everything a reader may look for, in one text per finding.
function searchText(finding, frames) {
  const sides = finding.accesses.concat(finding.history);
  const texts = sides.flatMap((a) => [a.class + "." + a.method, place(a), a.thread, ...a.locks, ...a.stack.map((f) => frames[f])]);
  return [finding.variable, finding.kind, finding.fingerprint, finding.headline, finding.message || "", ...texts].join("\n").toLowerCase();
}

function matches(entry, filters) {
  const wanted = (name, value) => !filters[name] || filters[name] === value;
  return wanted("kind", entry.finding.kind) && wanted("state", entry.finding.state)
    && wanted("package", entry.package) && wanted("detector", entry.finding.detector)
    && filters.words.every((word) => entry.text.includes(word));
}
