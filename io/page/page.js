"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
	const heads = [...table.tHead.rows[0].cells];
	const body = table.tBodies[0];
	const numbers = { "+Inf": Infinity, "-Inf": -Infinity };
	const value = (row, at) => {
		const cell = row.cells[at], text = cell.dataset.value ?? cell.textContent;
		return text in numbers ? numbers[text] : cell.dataset.value === undefined ? text : Number(text);
	};
	const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b :
		typeof a === "number" ? -1 : typeof b === "number" ? 1 : a.localeCompare(b, "en", { numeric: true });
	heads.forEach((head, at) => head.querySelector("button").addEventListener("click", () => {
		const down = head.getAttribute("aria-sort") === "ascending";
		for (const other of heads) other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		const rows = [...body.rows].map((row) => [value(row, at), row]);
		rows.sort((a, b) => (down ? -1 : 1) * compare(a[0], b[0]) || 0);
		body.append(...rows.map((r) => r[1]));
		document.getElementById("sorted").textContent = table.caption.textContent + ": sorted by " +
			head.textContent + (down ? ", descending" : ", ascending");
	}));
}
