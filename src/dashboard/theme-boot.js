// Applies the chosen theme before the first paint; without a choice the style sheet follows the system.
try {
  const theme = localStorage.getItem('blazon-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme holds.
}
