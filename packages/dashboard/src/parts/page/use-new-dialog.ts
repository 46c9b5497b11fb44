import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Dialog that the page opens on arrival. */
    opens?: 'new';
  }
}

/** State of the dialog for a new record. Opened by the page, or by a navigation that asks for it. */
export function useNewDialog(): [isOpen: boolean, { open(): void; close(): void }] {
  const isWanted = useLocation({ select: ({ state }) => state.opens === 'new' });
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isWanted) return;
    setOpen(true);
    // A reload must not open the dialog again.
    void navigate({ to: '.', search: true, state: {}, replace: true });
  }, [isWanted, navigate]);
  return [isOpen, { open: () => setOpen(true), close: () => setOpen(false) }];
}
