"use strict";
// Copy buttons, the search, and the list of pages, which is open where there is room for it.
(() => {
  for (const button of document.querySelectorAll(".copy")) {
    if (!navigator.clipboard) break;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.closest(".code").querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it and copy";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  const menu = document.querySelector(".menu");
  const wide = matchMedia("(min-width: 60rem)");
  const fit = () => { menu.open = wide.matches; };
  fit();
  wide.addEventListener("change", fit);

  // A link into a part that is folded up opens it.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };
  unfold();
  addEventListener("hashchange", unfold);

  const box = document.querySelector(".search");
  const input = document.getElementById("q");
  const list = document.getElementById("found");
  const count = document.getElementById("count");
  box.hidden = false;
  let index = null;
  let chosen = -1;

  const load = async () => {
    if (index) return;
    const answer = await fetch("/docs/search.json");
    if (answer.ok) index = await answer.json();
  };
  const score = (entry, words) => {
    const title = entry.title.toLowerCase();
    const url = entry.url.toLowerCase();
    const text = entry.text.toLowerCase();
    let sum = 0;
    for (const word of words) {
      const points = (title.startsWith(word) ? 12 : title.includes(word) ? 8 : 0) + (url.includes(word) ? 3 : 0) + (text.includes(word) ? 2 : 0);
      if (points === 0) return 0;
      sum += points;
    }
    return sum - (entry.url.includes("/api/console") ? 3 : 0);
  };
  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!index || words.length === 0) {
      count.textContent = "";
      return close();
    }
    const found = index.map((entry) => ({ entry, points: score(entry, words) })).filter((one) => one.points > 0)
      .sort((a, b) => b.points - a.points).slice(0, 10);
    list.replaceChildren(...found.map(({ entry }, i) => {
      const item = document.createElement("li");
      item.id = `found-${i}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const title = document.createElement("strong");
      title.textContent = entry.title;
      const where = document.createElement("span");
      where.textContent = entry.page;
      item.append(title, where);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); location.href = entry.url; close(); });
      item.dataset.url = entry.url;
      return item;
    }));
    chosen = -1;
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(found.length > 0));
    count.textContent = found.length === 0 ? "Nothing was found." : `${found.length} found.`;
  };
  const choose = (step) => {
    const items = list.children;
    if (items.length === 0) return;
    items[chosen]?.setAttribute("aria-selected", "false");
    chosen = (chosen + step + items.length) % items.length;
    items[chosen].setAttribute("aria-selected", "true");
    items[chosen].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[chosen].id);
  };
  input.addEventListener("focus", () => void load().then(show));
  input.addEventListener("input", () => void load().then(show));
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter") {
      const item = list.children[Math.max(chosen, 0)];
      if (item) location.href = item.dataset.url;
      close();
    } else if (event.key === "Escape") {
      close();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
})();
