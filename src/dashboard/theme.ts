// Light or dark: by the system's preference, or by the visitor's choice.
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const KEY = 'blazon-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function systemTheme(): Theme {
  return system.matches ? 'dark' : 'light';
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : systemTheme();
}

/** Choosing what the system says is no choice: it follows the system again. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  try {
    if (theme === systemTheme()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is blocked: the choice holds for this page.
  }
  if (theme === systemTheme()) delete dataset.theme;
  else dataset.theme = theme;
  notify();
}

function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(onThemeChange, currentTheme);
}

function notify(): void {
  for (const listener of listeners) listener();
}

system.addEventListener('change', notify);
// Another tab has chosen.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== KEY) return;
  if (newValue === 'light' || newValue === 'dark') document.documentElement.dataset.theme = newValue;
  else delete document.documentElement.dataset.theme;
  notify();
});
