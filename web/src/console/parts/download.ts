/** Saves a file in the browser's downloads. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // some browsers read it only after the click has returned
}

/** Returns a document as indented JSON. */
export const jsonOf = (content: unknown): string => `${JSON.stringify(content, null, 2)}\n`;

/** Saves a document as a file of JSON. */
export const downloadJSON = (name: string, content: unknown): void =>
  download(name, new Blob([jsonOf(content)], { type: "application/json" }));

/** Saves the text of a table, already CSV. */
export const downloadCSV = (name: string, content: string): void =>
  download(name, new Blob([content], { type: "text/csv;charset=utf-8" }));
