"use strict";
// Headings become buttons that sort: numbers from the highest, texts from A; a dash is always last.
(() => {
  const text = (row, column) => row.cells[column].textContent.trim();
  const compare = (isNumber, sign) => (a, b) => {
    if (a.isLast !== b.isLast) return a.isLast ? 1 : -1;
    if (a.isLast) return 0;
    const order = isNumber ? a.value - b.value : a.value.localeCompare(b.value, "en", { numeric: true });
    return sign * order;
  };
  const keyed = (row, column, isNumber) => {
    const shown = text(row, column);
    const value = isNumber ? parseFloat(shown) : shown;
    return { row, value, isLast: shown === "" || shown === "–" || (isNumber && Number.isNaN(value)) };
  };
  const sort = (table, heading) => {
    const column = heading.cellIndex;
    const isNumber = heading.classList.contains("n");
    const before = heading.getAttribute("aria-sort");
    const isAscending = before === "none" ? !isNumber : before === "descending";
    for (const other of heading.parentNode.cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", isAscending ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      const keys = rows.map((row) => keyed(row, column, isNumber));
      keys.sort(compare(isNumber, isAscending ? 1 : -1));
      body.append(...keys.map((key) => key.row));
    }
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    for (const heading of table.tHead.rows[0].cells) {
      if (!heading.textContent.trim()) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      heading.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(table, heading));
    }
  }
  document.getElementById("open-all").addEventListener("click", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  document.documentElement.classList.add("scripted");
})();
