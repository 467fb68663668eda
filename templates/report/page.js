"use strict";
// Tables whose heads sort and, where there is a box for it, whose rows are filtered; texts that a button copies.
// Without this the page says the same.
const number = (text) => {
  const digits = text.replace(/,/g, "").match(/-?\d+(\.\d+)?(e[+-]?\d+)?/i);
  return digits && text.trim() !== "" ? Number(digits[0]) : NaN;
};

function sort(table, column, head, others) {
  const up = head.getAttribute("aria-sort") !== "ascending";
  const body = table.tBodies[0];
  const text = (row) => (row.cells[column] ? row.cells[column].textContent.trim() : "");
  const rows = Array.from(body.rows, (row) => ({ row, text: text(row), value: number(text(row)) }));
  const numeric = head.classList.contains("n");
  const order = (a, b) => (numeric ? a.value - b.value : a.text.localeCompare(b.text, undefined, { numeric: true }));
  const empty = (one) => (numeric ? Number.isNaN(one.value) : one.text === "");
  // What has no value is last in both directions.
  rows.sort((a, b) => empty(a) - empty(b) || (empty(a) ? 0 : up ? order(a, b) : order(b, a)));
  body.append(...rows.map((one) => one.row));
  others.forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
}

for (const table of document.querySelectorAll("table[data-sort]")) {
  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, column, head, heads));
  });
}

for (const box of document.querySelectorAll("[data-filters]")) {
  const rows = Array.from(document.getElementById(box.dataset.filters).tBodies[0].rows, (row) => ({
    row,
    text: Array.from(row.cells, (cell) => cell.textContent).join(" ").toLowerCase(),
  }));
  const [input, output] = [box.querySelector("input"), box.querySelector("output")];
  box.hidden = false;
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    output.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
}

// Selects a text, in the open, so that it can be copied by hand.
function select(source) {
  const details = source.closest("details");
  if (details) details.open = true;
  const selection = getSelection();
  selection.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(source);
  selection.addRange(range);
}

async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // No clipboard here, or no permission: the older way needs a selection.
    select(source);
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("button[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const name = source.getAttribute("aria-label");
  const status = button.closest("section").querySelector(".copied");
  button.hidden = false;
  button.addEventListener("click", async () => {
    const copied = await copy(source);
    if (!copied) select(source);
    status.textContent = copied ? `Copied: ${name}.` : `The browser does not let this page copy: ${name} selected, copy with Ctrl+C.`;
  });
}
