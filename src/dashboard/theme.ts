// Light or dark theme, by the system's preference or by the visitor's choice.
import { createStore, useStore } from './store.js';

type Theme = 'light' | 'dark';

const STORAGE_ITEM = 'blazon-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const { dataset } = document.documentElement;
const theme = createStore(currentTheme());

function systemTheme(): Theme {
  return system.matches ? 'dark' : 'light';
}

function isTheme(text: string | null | undefined): text is Theme {
  return text === 'light' || text === 'dark';
}

function currentTheme(): Theme {
  return isTheme(dataset.theme) ? dataset.theme : systemTheme();
}

export function useTheme(): Theme {
  return useStore(theme);
}

/**
 * Stores the visitor's choice. Choosing the system's theme clears the choice, so that the page follows the system
 * again.
 */
export function chooseTheme(chosen: Theme): void {
  const choice = chosen === systemTheme() ? null : chosen;
  try {
    if (choice === null) localStorage.removeItem(STORAGE_ITEM);
    else localStorage.setItem(STORAGE_ITEM, choice);
  } catch {
    // Storage is blocked, so the choice is only valid for this page.
  }
  apply(choice);
}

function apply(choice: string | null): void {
  if (isTheme(choice)) dataset.theme = choice;
  else delete dataset.theme;
  theme.set(currentTheme());
}

system.addEventListener('change', () => theme.set(currentTheme()));
// Another tab has changed the theme.
addEventListener('storage', ({ key, newValue }) => {
  if (key === STORAGE_ITEM) apply(newValue);
});
