import { Button, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Menu, Modal } from "@mantine/core";

const accent: MantineColorsTuple = [
  "#effcfa",
  "#d3f7f1",
  "#a6ece2",
  "#6fdccf",
  "#2dd4bf",
  "#14b8a6",
  "#0d9488",
  "#0f766e",
  "#0b5a54",
  "#083f3b",
];

// Mantine draws its dark fields and menus from this scale: ours, from text to ground.
const dark: MantineColorsTuple = [
  "#e9eff6",
  "#b3c0ce",
  "#98a7b8",
  "#71859a",
  "#2b4156",
  "#1a2f42",
  "#0f2030",
  "#0a1723",
  "#08131d",
  "#06101a",
];

export const theme = createTheme({
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  headings: { fontFamily: "var(--font)", fontWeight: "640" },
  colors: { accent, dark },
  primaryColor: "accent",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  components: {
    // A menu lies over lists of its own colour.
    Menu: Menu.extend({ defaultProps: { shadow: "md" }, styles: { dropdown: { borderColor: "var(--line-strong)" } } }),
    // Mantine's own scroll lock writes a style without the nonce; console.css does it instead.
    Modal: Modal.extend({ defaultProps: { lockScroll: false } }),
    // The head of a dialog is no banner of the page, of which there may be only one: a proof is asked for above another dialog.
    ModalHeader: Modal.Header.extend({ defaultProps: { role: "none" } }),
    Button: Button.extend({
      vars: (_, { variant, color }) =>
        color === undefined && (variant === undefined || variant === "filled")
          ? {
              root: {
                "--button-bg": "var(--accent)",
                "--button-hover": "var(--accent-press)",
                "--button-color": "var(--on-accent)",
              },
            }
          : { root: {} },
    }),
  },
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: "pointer",
});

/** Mantine takes its colours from our tokens, so that both apps look alike and one test covers the contrast of both. */
export const variables: CSSVariablesResolver = () => {
  const ours = {
    "--mantine-color-body": "var(--paper)",
    "--mantine-color-text": "var(--ink)",
    "--mantine-color-dimmed": "var(--ink-soft)",
    "--mantine-color-placeholder": "var(--ink-faint)",
    "--mantine-color-error": "var(--fail)",
    "--mantine-color-anchor": "var(--accent)",
    "--mantine-color-default": "var(--raised)",
    "--mantine-color-default-hover": "var(--sunken)",
    "--mantine-color-default-color": "var(--ink)",
    "--mantine-color-default-border": "var(--line-strong)",
  };
  return { variables: {}, light: ours, dark: ours };
};
