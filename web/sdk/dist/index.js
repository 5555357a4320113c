export { t as embed, n as popup, r as redirect } from "./bonafide.js";
