// Seconds that are left of a wait.
import { useEffect, useState } from 'react';

/** Begins anew with each `subject`. */
export function useCountdown(subject: object, seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endMs = Date.now() + seconds * 1000;
    const update = (): void => setLeft(Math.max(0, Math.ceil((endMs - Date.now()) / 1000)));
    update();
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [subject, seconds]);
  return left;
}
