/** Saves a document as a file of JSON, as it is. */
export function save(name: string, document_: unknown): void {
  const url = URL.createObjectURL(new Blob([textOf(document_)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const textOf = (document_: unknown): string => `${JSON.stringify(document_, null, 2)}\n`;
