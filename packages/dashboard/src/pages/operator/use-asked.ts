import { useCallback, useState } from 'react';

/** What a dialog is about. It stays in the page while it closes, so that the focus goes back to where it came from. */
export interface Asked<T> {
  /** What it was opened for last. */
  readonly about: T | undefined;
  readonly isOpen: boolean;
  readonly ask: (about: T) => void;
  readonly close: () => void;
}

export function useAsked<T>(): Asked<T> {
  const [about, setAbout] = useState<T>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((next: T) => {
    setAbout(next);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { about, isOpen, ask, close };
}
