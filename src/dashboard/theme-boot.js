// Applies the chosen theme before the first paint. Without a choice, the style sheet follows the system.
try {
  const theme = localStorage.getItem('blazon-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked, so the system's theme is used.
}
