// Saves an answer as a file.

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After ten seconds, the browser has started to read the file and no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
