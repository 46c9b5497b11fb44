import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { identity, type PersonConfirmation, session } from '../api/identity.ts';

interface DialogProps {
  readonly isOpen: boolean;
  /** Called with whether the person gave the confirmation. */
  readonly end: (given: boolean) => void;
}

// Loaded on demand, because most visits never open these dialogs.
const IdentityDialog = lazy(() =>
  import('./identity-dialog.tsx').then((it) => ({ default: it.IdentityDialog })),
);
const SessionDialog = lazy(() =>
  import('./session-dialog.tsx').then((it) => ({ default: it.SessionDialog })),
);

/** Dialogs for requests that need a new sign-in or a confirmed identity. The requests continue afterwards. */
export const ConfirmDialogs = () => (
  <>
    <ConfirmationDialog confirmation={session} Dialog={SessionDialog} ignoresEscape />
    <ConfirmationDialog confirmation={identity} Dialog={IdentityDialog} />
  </>
);

interface Props {
  readonly confirmation: PersonConfirmation;
  readonly Dialog: ComponentType<DialogProps>;
  /** Keeps the dialog open on Escape, so that the page below loses no input. */
  readonly ignoresEscape?: boolean;
}

function ConfirmationDialog({ confirmation, Dialog, ignoresEscape = false }: Props) {
  const { isOpen, wasOpen, end } = useConfirmation(confirmation, ignoresEscape);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <Dialog isOpen={isOpen} end={end} />
    </Suspense>
  );
}

/** Opens one dialog for all waiting requests, and passes the outcome to each of them. */
function useConfirmation(confirmation: PersonConfirmation, ignoresEscape: boolean) {
  const waitingRequests = useRef<((given: boolean) => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const closeDialog = useCallback((given: boolean) => {
    setOpen(false);
    for (const resolveRequest of waitingRequests.current.splice(0)) resolveRequest(given);
  }, []);
  useEffect(() => {
    confirmation.set(
      () =>
        new Promise((resolve) => {
          waitingRequests.current.push(resolve);
          setOpen(true);
          setWasOpen(true);
        }),
    );
    // Handled in the capture phase: otherwise Escape would also close the dialogs below.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || waitingRequests.current.length === 0) return;
      event.stopImmediatePropagation();
      if (!ignoresEscape) closeDialog(false);
    };
    addEventListener('keydown', onEscape, { capture: true });
    return () => {
      removeEventListener('keydown', onEscape, { capture: true });
      confirmation.set(undefined);
      closeDialog(false);
    };
  }, [confirmation, ignoresEscape, closeDialog]);
  return { isOpen, wasOpen, end: closeDialog };
}
