/** Saves a file through the browser. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves a text file through the browser; `name` has no extension. */
export const downloadText = (name: string, content: string): void =>
  downloadBlob(`${name}.txt`, new Blob([content], { type: "text/plain;charset=utf-8" }));

/** Saves a CSV file through the browser; `name` has no extension. */
export const downloadCsv = (name: string, content: string): void =>
  downloadBlob(`${name}.csv`, new Blob([content], { type: "text/csv;charset=utf-8" }));
