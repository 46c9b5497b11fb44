import { useCallback, useState } from 'react';

/** Subject of a dialog. Kept while the dialog closes, so that the focus returns to its trigger. */
export interface Asked<T> {
  /** The latest subject. */
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
