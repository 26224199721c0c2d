"use strict";
// What the page can do beyond being read: sort and filter tables, save them as CSV, and figures as
// SVG. Without scripts all of it is there.

const save = (name, kind, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const button = (text, act, says = "") => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  if (says) made.ariaLabel = made.title = says;
  made.addEventListener("click", act);
  return made;
};

const value = (cell) => {
  if (cell.dataset.sort) return parseFloat(cell.dataset.sort);
  const found = cell.textContent.replace(/\u2212/g, "-").replace(/,/g, "").match(/^\s*[-+]?\d+(\.\d+)?/);
  return found ? parseFloat(found[0]) : NaN;
};

const sort = (table, column, header) => {
  const down = header.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [value(one.cells[column]), value(other.cells[column])];
    if (isNaN(a) !== isNaN(b)) return isNaN(a) ? 1 : -1;
    const text = (row) => row.cells[column].textContent.trim();
    const order = isNaN(a) ? text(one).localeCompare(text(other)) : a - b;
    return down ? -order : order;
  });
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows);
};

const csv = (table) => [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells]
  .map((cell) => `"${cell.textContent.trim().replace(/"/g, '""')}"`).join(",")).join("\r\n") + "\r\n";

for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((header, column) => {
    const made = button(header.textContent, () => sort(table, column, header));
    header.replaceChildren(made);
  });
  const tools = document.createElement("div");
  tools.className = "tools";
  if (table.tBodies[0].rows.length > 8) {
    const input = document.createElement("input");
    input.type = "search";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", "Filter rows");
    input.addEventListener("input", () => {
      for (const row of table.tBodies[0].rows) {
        row.hidden = !row.textContent.toLowerCase().includes(input.value.toLowerCase());
      }
    });
    tools.append(input);
  }
  const around = table.closest(".scroll");
  const file = `${around.dataset.name}.csv`;
  tools.append(button("CSV", () => save(file, "text/csv", csv(table)), "CSV: save this table"));
  around.after(tools);
}

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity",
  "fill-opacity", "font", "text-anchor"];
for (const figure of document.querySelectorAll("figure")) {
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(button("SVG", () => {
    const drawn = [...figure.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width);
    const copy = drawn.cloneNode(true);
    const [from, to] = [drawn.querySelectorAll("*"), copy.querySelectorAll("*")];
    from.forEach((part, place) => {
      const looks = getComputedStyle(part);
      for (const look of LOOKS) to[place].style.setProperty(look, looks.getPropertyValue(look));
    });
    // A saved figure says what it is of: its title stands above it.
    const [x, y, width, height] = drawn.getAttribute("viewBox").split(" ").map(Number);
    copy.setAttribute("viewBox", `${x} ${y - 22} ${width} ${height + 22}`);
    const title = document.createElementNS(drawn.namespaceURI, "text");
    title.textContent = figure.dataset.title;
    for (const [name, given] of [["x", x + 4], ["y", y - 8], ["font-size", 11]]) {
      title.setAttribute(name, given);
    }
    title.style.font = getComputedStyle(figure).fontFamily;
    copy.append(title);
    save(`${figure.id}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
  }, "SVG: save this figure"));
  figure.querySelector("figcaption").prepend(tools);
}
