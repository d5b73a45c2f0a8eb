// Copying to the clipboard, with its result for a moment.
import { useEffect, useState } from 'react';

const SHOWN_MS = 2000;

export type CopyState = 'idle' | 'copied' | 'failed';

export function useCopy(): readonly [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string): void => {
    // Browsers offer the clipboard to secure pages only.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    void (clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return [state, copy];
}
