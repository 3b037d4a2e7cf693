/** Hands the reader a file. */
export function downloadBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Hands the reader a text file; `name` has no ending. */
export const downloadText = (name: string, content: string): void =>
  downloadBlob(`${name}.txt`, new Blob([content], { type: "text/plain;charset=utf-8" }));

/** Hands the reader a CSV file; `name` has no ending. */
export const downloadCsv = (name: string, content: string): void =>
  downloadBlob(`${name}.csv`, new Blob([content], { type: "text/csv;charset=utf-8" }));
