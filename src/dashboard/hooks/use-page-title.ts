// Title of the window.
import { useEffect } from 'react';

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Blazon: logos by API' : `${title} – Blazon`;
  }, [title]);
}
