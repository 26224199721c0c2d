"use strict";
// What the page can do beyond being read: sort and filter tables, save them as CSV, save figures as
// SVG, and show one number of players or one table at a time. Without scripts all of it is there.

const number = (text) => {
  const found = text.replace(/[\u2212]/g, "-").replace(/,/g, "").match(/^[<>\s]*(-?\+?\d+(\.\d+)?)/);
  return found ? parseFloat(found[1].replace("+", "")) : NaN;
};

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

const sort = (table, column, header) => {
  const down = header.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const key = (row) => row.cells[column].textContent.trim();
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [number(key(one)), number(key(other))];
    if (isNaN(a) !== isNaN(b)) return isNaN(a) ? 1 : -1;
    const order = isNaN(a) ? key(one).localeCompare(key(other)) : a - b;
    return down ? -order : order;
  });
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows);
};

const csv = (table) => [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells]
  .map((cell) => `"${cell.textContent.trim().replace(/"/g, '""')}"`).join(",")).join("\r\n") + "\r\n";

const shown = { at: "", who: "" };
const filters = new Map();

const visible = (table) => {
  const wanted = (filters.get(table) || "").toLowerCase();
  for (const row of table.tBodies[0].rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !text.includes(wanted) || hiddenBySwitch(row);
  }
};

const hiddenBySwitch = (item) => ["at", "who"].some((kind) =>
  shown[kind] && item.dataset[kind] && item.dataset[kind] !== shown[kind]);

for (const table of document.querySelectorAll("table")) {
  // Some tables name a thing once for several rows: with the name in each row they can be sorted.
  let above = null;
  if (table.dataset.name !== "by-skill") for (const row of table.tBodies[0].rows) {
    const first = row.cells[0];
    if (!first.textContent.trim() && above) first.textContent = above;
    above = first.textContent;
  }
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
    input.addEventListener("input", () => { filters.set(table, input.value); visible(table); });
    tools.append(input);
  }
  const file = `${table.dataset.name}.csv`;
  tools.append(button("CSV", () => save(file, "text/csv", csv(table)), "CSV: save this table"));
  table.closest(".scroll").after(tools);
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
    save(`${figure.id}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
  }, "SVG: save this figure"));
  figure.querySelector("figcaption").prepend(tools);
}

const choose = (kind, everything) => {
  const label = document.getElementById(`switch-${kind}`);
  const items = [...document.querySelectorAll(`[data-${kind}]`)];
  const values = [...new Set(items.map((item) => item.dataset[kind]))];
  label.hidden = values.length < 2;
  if (label.hidden) return false;
  const select = label.querySelector("select");
  for (const value of ["", ...values]) select.add(new Option(value || everything, value));
  select.addEventListener("change", () => {
    shown[kind] = select.value;
    for (const figure of document.querySelectorAll("figure")) figure.hidden = hiddenBySwitch(figure);
    document.querySelectorAll("table").forEach(visible);
  });
  return true;
};
const some = [choose("at", "all"), choose("who", "all")];
document.getElementById("switch").hidden = !some.includes(true);
