import { chromium } from "@playwright/test";
import { readFileSync, writeFileSync } from "node:fs";
const old = "/work/h23old/web/test-results/screens", now = "/work/h23/web/test-results/screens";
const pages = [["console-case","Case"],["console-cases","Review queue"],["console-overview","Overview"],["console-workflow-draft","Workflow editor"]];
const uri = (f) => `data:image/png;base64,${readFileSync(f).toString("base64")}`;
const row = (label, dir) => `<h2>${label}</h2><div class="row">${pages.map(([n,t]) => `<figure><img src="${uri(`${dir}/${n}.desktop.light.png`)}"><figcaption>${t}</figcaption></figure>`).join("")}</div>`;
const html = `<!doctype html><meta charset="utf-8"><style>body{margin:24px;background:#dfe4ea;color:#0b1f33;font:15px Inter,system-ui,sans-serif;width:2560px}
h2{margin:0 0 10px;font-size:26px}.row{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;margin-bottom:26px}figure{margin:0}img{display:block;width:100%;border-radius:6px;border:1px solid #aab4c0}figcaption{padding-top:6px;font-weight:600;font-size:18px}</style>
${row("Before", old)}${row("After", now)}`;
writeFileSync("/tmp/ba.html", html);
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const p = await b.newPage({ viewport: { width: 2608, height: 400 } });
await p.goto("file:///tmp/ba.html"); await p.screenshot({ path: "/tmp/ba.png", fullPage: true }); await b.close();
