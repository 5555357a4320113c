/** WCAG 2.2 relative luminance of #rrggbb, 0 to 1. */
function luminance(colour: string): number {
  const channel = (at: number): number => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

/** WCAG 2.2 contrast ratio of two colours #rrggbb, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever can be read on a colour; one of the two always reaches 4.5 to 1. */
export const readableOn = (colour: string): "#000000" | "#ffffff" =>
  contrast("#ffffff", colour) >= 4.5 ? "#ffffff" : "#000000";
