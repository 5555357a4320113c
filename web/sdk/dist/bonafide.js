var e = [
	"decided",
	"in_review",
	"expired",
	"cancelled"
], t = (t) => typeof t == "string" && e.includes(t), n = /^[a-z][a-z_]{0,39}$/, r = /^[a-z][a-z_]{0,39}(\.[a-z][a-z_]{0,39})?$/, i = (e) => typeof e == "object" && !!e && Object.getPrototypeOf(e) === Object.prototype;
function a(e) {
	if (!i(e) || e.bonafide !== 1) return null;
	let { type: a, step: o, state: s, code: c, height: l } = e, u = (t) => Object.keys(e).length === t + 2;
	return (a === "ready" || a === "submitted") && u(0) ? { type: a } : a === "step" && u(1) && typeof o == "string" && n.test(o) ? {
		type: a,
		step: o
	} : a === "result" && u(1) && t(s) ? {
		type: a,
		state: s
	} : a === "problem" && u(1) && typeof c == "string" && r.test(c) ? {
		type: a,
		code: c
	} : a === "size" && u(1) && typeof l == "number" && l >= 0 && l <= 2e4 ? {
		type: a,
		height: Math.ceil(l)
	} : null;
}
// sdk/src/index.ts
var o = 1e4;
function s(e) {
	let t = new URL(e), n = t.hostname === "localhost" || t.hostname === "127.0.0.1";
	if (!(t.protocol === "https:" || t.protocol === "http:" && n) || !/^\/v\/[\w-]+$/.test(t.pathname)) throw TypeError("That is not the link of a session.");
	return t;
}
var c = (e) => (e.hash = `host=${encodeURIComponent(location.origin)}`, e.href);
function l(e) {
	location.assign(s(e).href);
}
function u(e, t, n) {
	let r = "", i = !1, o = !1, s = (t, n) => {
		let r = e[t];
		o || r?.(n);
	}, c = ({ source: e, origin: o, data: c }) => {
		if (!r || o !== r || !e || e !== t()) return;
		let l = a(c);
		l && (i = !0, l.type === "size" ? n?.(l.height) : l.type === "step" ? s("step", { step: l.step }) : l.type === "result" ? s("result", { state: l.state }) : l.type === "problem" ? s("problem", { code: l.code }) : s(l.type, {}));
	};
	return addEventListener("message", c), {
		tell: s,
		expect: (e) => {
			r = e.origin;
		},
		silent: () => r !== "" && !i,
		end: () => {
			o ||= (removeEventListener("message", c), s("closed", {}), !0);
		}
	};
}
function d(e, { on: t = {} } = {}) {
	let n = typeof e == "string" ? s(e) : null, r = window.open("", "_blank", "popup,width=480,height=860"), i = u(t, () => r), a, o = () => {
		clearInterval(a), r?.close(), i.end();
	}, l = (e) => {
		i.expect(e), r && !r.closed && r.location.replace(c(e));
	};
	return r ? (a = setInterval(() => {
		r.closed && (i.silent() && i.tell("problem", { code: "embed.silent" }), o());
	}, 400), n ? l(n) : Promise.resolve(e).then((e) => l(s(e))).catch(() => {
		i.tell("problem", { code: "link.invalid" }), o();
	}), { close: o }) : (queueMicrotask(() => {
		i.tell("problem", { code: "popup.blocked" }), i.end();
	}), { close: o });
}
function f(e, t, n = {}) {
	let r = s(t), i = n.minHeight ?? 640, a = document.activeElement, l = document.createElement("iframe");
	l.title = n.title ?? "Identity check", l.allow = "camera", l.referrerPolicy = "no-referrer", l.style.cssText = `display:block;width:100%;border:0;height:${i}px`;
	let d, f = !1, p = () => {
		f = !0, clearTimeout(d), n.focus === !1 || document.activeElement !== a && document.activeElement !== document.body || (l.focus({ preventScroll: !0 }), l.contentWindow?.postMessage({
			bonafide: 1,
			type: "focus"
		}, r.origin));
	}, m = u({
		...n.on,
		ready: (e) => {
			p(), n.on?.ready?.(e);
		}
	}, () => l.contentWindow, (e) => {
		l.style.height = `${Math.max(e, i)}px`;
	});
	return m.expect(r), l.addEventListener("load", () => {
		clearTimeout(d), d = setTimeout(() => f || m.tell("problem", { code: "embed.silent" }), o);
	}), l.src = c(r), e.append(l), { close: () => {
		clearTimeout(d);
		let e = document.activeElement === l;
		l.remove(), e && a instanceof HTMLElement && a.isConnected && a.focus(), m.end();
	} };
}
export { d as n, l as r, f as t };
