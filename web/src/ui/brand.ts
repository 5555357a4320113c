import { contrast, readableOn } from "./contrast.ts";

/** The operator's look, as the server put it into the page. Empty where nothing is set. */
export type Brand = {
  /** Who asks. */
  name: string;
  colour: string;
  logo: string;
  support: string;
  privacy: string;
  /** Codes of the languages that are offered, with a space between them; empty for all. */
  languages: string;
  /** The operator's sentence below the first heading, where there is one in that language. */
  hello: (language: string) => string;
};

const nothing: Brand = { name: "", colour: "", logo: "", support: "", privacy: "", languages: "", hello: () => "" };

/** Reads the page's own element. What is not as the server writes it counts as not set. */
export function brandOf(document: Document): Brand {
  const content = document.querySelector('meta[name="bonafide-brand"]')?.getAttribute("content");
  if (!content) return nothing;
  try {
    const told: unknown = JSON.parse(content);
    const text = (name: string, shape: RegExp): string => {
      const value: unknown = typeof told === "object" && told !== null ? Reflect.get(told, name) : undefined;
      return typeof value === "string" && shape.test(value) ? value : "";
    };
    return {
      name: text("name", /./),
      colour: text("colour", /^#[0-9a-f]{6}$/),
      logo: text("logo", /^\/brand\/[\w.-]+$/),
      support: text("support", /^(https:\/\/|mailto:)/),
      privacy: text("privacy", /^https:\/\//),
      languages: text("languages", /./),
      hello: (language) => text(`hello_${language}`, /./),
    };
  } catch {
    return nothing;
  }
}

export type Theme = "light" | "dark";
/** What the accent stands on or beside, as in tokens.css. */
const grounds = {
  light: ["#ffffff", "#f4f6f9", "#eaeef3"],
  dark: ["#0a1723", "#06101a", "#0f2030", "#142a3d"],
} as const;
const ink = { light: "#0b1f33", dark: "#e9eff6" } as const;

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** `part` of one colour, the rest of the other. */
const mix = (one: string, other: string, part: number): string => {
  const others = channels(other);
  return `#${channels(one)
    .map((value, i) =>
      Math.round(value * part + (others[i] ?? 0) * (1 - part))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
};

export type Accent = Record<"--accent" | "--accent-press" | "--accent-soft" | "--on-accent", string>;

/**
 * The accent of a theme from any colour: darker on light ground and lighter on dark ground until its words reach 4.5 to 1
 * wherever they stand, and so do the words on it.
 */
export function accentOf(colour: string, theme: Theme): Accent {
  const end = theme === "light" ? "#000000" : "#ffffff";
  const [paper] = grounds[theme];
  let accent: Accent = tinted(end, theme, end, paper);
  for (let part = 1; part > 0; part -= 0.02) {
    accent = tinted(mix(colour, end, part), theme, end, paper);
    if (readable(accent, theme)) return accent;
  }
  return accent;
}

function tinted(accent: string, theme: Theme, end: string, paper: string): Accent {
  const press = mix(accent, end, theme === "light" ? 0.78 : 0.7);
  return {
    "--accent": accent,
    "--accent-press": press,
    "--accent-soft": mix(accent, paper, theme === "light" ? 0.1 : 0.16),
    "--on-accent": theme === "light" ? readableOn(accent) : "#04101c",
  };
}

function readable(accent: Accent, theme: Theme): boolean {
  const pairs: [string, string][] = [
    ...[...grounds[theme], accent["--accent-soft"]].map((ground): [string, string] => [accent["--accent"], ground]),
    [accent["--on-accent"], accent["--accent"]],
    [accent["--on-accent"], accent["--accent-press"]],
    [ink[theme], accent["--accent-soft"]],
  ];
  return pairs.every(([one, other]) => contrast(one, other) >= 4.5);
}

/** Gives the page the brand's accent, in the theme that the reader's system asks for. */
export function wear(colour: string): void {
  if (!colour) return;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const put = () => {
    for (const [name, value] of Object.entries(accentOf(colour, dark.matches ? "dark" : "light")))
      document.documentElement.style.setProperty(name, value);
  };
  dark.addEventListener("change", put);
  put();
}
