import { useCallback, useState } from 'react';

/** Subject of a dialog. Stored while the dialog closes, so that the focus returns to its trigger. */
export interface ActionDialogState<T> {
  /** Latest subject, also after the dialog has closed. */
  readonly subject: T | undefined;
  readonly isOpen: boolean;
  readonly ask: (subject: T) => void;
  readonly close: () => void;
}

export function useActionDialog<T>(): ActionDialogState<T> {
  const [subject, setSubject] = useState<T>();
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback((next: T) => {
    setSubject(next);
    setOpen(true);
  }, []);
  const close = useCallback(() => setOpen(false), []);
  return { subject, isOpen, ask, close };
}
