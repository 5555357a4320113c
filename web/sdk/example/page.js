import { embed, popup, redirect } from "/bonafide/index.js";

const at = (id) => document.getElementById(id);
let shown;

/** The shop's own server makes the session; the key never reaches the browser. */
async function begin() {
  const answer = await fetch("/verifications", { method: "POST" });
  const begun = await answer.json();
  sessionStorage.setItem("verification", begun.reference);
  return begun;
}

const over = (state) => ["approved", "declined", "expired", "cancelled"].includes(state);

/** The shop's own server asks the API: what a browser says proves nothing. */
async function ask(reference) {
  const { state } = await (await fetch(`/verifications/${reference}`)).json();
  at("outcome").textContent = `Our server says: ${state}.`;
  if (over(state)) sessionStorage.removeItem("verification");
}

/** Shows each event, and asks the shop's server when it is over. */
function listeners(reference) {
  const note = (name) => (event) => {
    const item = document.createElement("li");
    item.textContent = [name, ...Object.values(event)].join(" ");
    at("events").append(item);
    if (name === "result") void reference.then(ask);
    if (name === "closed") at("close").hidden = true;
  };
  const names = ["ready", "step", "submitted", "result", "problem", "closed"];
  return Object.fromEntries(names.map((name) => [name, note(name)]));
}

function show({ reference, link }) {
  shown?.close();
  shown = embed(at("place"), link, { title: "Identity check", on: listeners(Promise.resolve(reference)) });
  at("close").hidden = false;
}

/** A page that is loaded again shows the check that it showed before: with the same link the person goes on where they were. */
async function goOn(reference) {
  const answer = await fetch(`/verifications/${reference}`);
  if (!answer.ok) return;
  const { state, link } = await answer.json();
  if (!over(state)) show({ reference, link });
}

const kept = sessionStorage.getItem("verification");
if (kept) void goOn(kept);

at("here").addEventListener("click", async () => show(await begin()));

at("window").addEventListener("click", () => {
  const begun = begin(); // the window opens at once, and goes on when the link is there
  shown?.close();
  shown = popup(
    begun.then(({ link }) => link),
    { on: listeners(begun.then(({ reference }) => reference)) },
  );
});

at("away").addEventListener("click", async () => redirect((await begin()).link));
at("close").addEventListener("click", () => shown?.close());
