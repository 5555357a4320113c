import "./framed.css";

/**
 * Says how high the page would be if it did not fill what it is given, whenever that changes. Nothing is painted while it is
 * measured.
 */
export function measure(say: (height: number) => void): void {
  const root = document.getElementById("root");
  const html = document.documentElement;
  if (!root) return;
  html.dataset.framed = "yes";
  let asked = false;
  let before = -1;
  const look = () => {
    asked = false;
    html.dataset.framed = "measured";
    const { height } = root.getBoundingClientRect();
    html.dataset.framed = "yes";
    if (Math.ceil(height) === before) return;
    before = Math.ceil(height);
    say(before);
  };
  const ask = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(look);
  };
  new MutationObserver(ask).observe(root, { childList: true, subtree: true, characterData: true, attributes: true });
  addEventListener("resize", ask);
  ask();
}
