import { useEffect, useState } from 'react';

/** Milliseconds after the last key or click in which a person counts as active. */
const ACTIVE_MS = 10 * 60_000;
const EVENTS = ['pointerdown', 'keydown'] as const;

/** Whether the person uses the page. Polls of an unattended page would keep its session alive. */
export function useIsActive(): boolean {
  const [isActive, setActive] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const onUse = () => {
      clearTimeout(timer);
      setActive(true);
      timer = setTimeout(() => setActive(false), ACTIVE_MS);
    };
    onUse();
    for (const name of EVENTS) addEventListener(name, onUse, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of EVENTS) removeEventListener(name, onUse);
    };
  }, []);
  return isActive;
}
