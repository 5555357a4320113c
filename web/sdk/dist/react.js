import { t as e } from "./bonafide.js";
import { useEffect as t, useRef as n } from "react";
import { jsx as r } from "react/jsx-runtime";
// sdk/src/react.tsx
function i({ link: i, on: a, className: o, title: s, minHeight: c, focus: l }) {
	let u = n(null), d = n(a);
	return t(() => {
		d.current = a;
	}), t(() => {
		if (u.current) return e(u.current, i, {
			...s === void 0 ? {} : { title: s },
			...c === void 0 ? {} : { minHeight: c },
			...l === void 0 ? {} : { focus: l },
			on: {
				ready: (e) => d.current?.ready?.(e),
				step: (e) => d.current?.step?.(e),
				submitted: (e) => d.current?.submitted?.(e),
				result: (e) => d.current?.result?.(e),
				problem: (e) => d.current?.problem?.(e),
				closed: (e) => d.current?.closed?.(e)
			}
		}).close;
	}, [
		i,
		s,
		c,
		l
	]), /* @__PURE__ */ r("div", {
		ref: u,
		className: o
	});
}
export { i as Bonafide };
