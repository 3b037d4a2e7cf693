/** Hands the reader a text file of that name. */
export function downloadText(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
