/** Milliseconds until the browser has read the file for certain. It reads it some time after the click, a slow one seconds later. */
const readWithinMs = 60_000;

export function saveFile(file: File): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), readWithinMs);
}
