import {
  type ComponentType,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Asking, identity, session } from '../api/identity.ts';

interface DialogProps {
  readonly isOpen: boolean;
  /** Told whether what was asked for was given. */
  readonly end: (given: boolean) => void;
}

// They come when they are needed: most visits never see them.
const IdentityDialog = lazy(() =>
  import('./identity-dialog.tsx').then((it) => ({ default: it.IdentityDialog })),
);
const SessionDialog = lazy(() =>
  import('./session-dialog.tsx').then((it) => ({ default: it.SessionDialog })),
);

/** Where requests that lack something of the person ask for it; they go on after it. */
export const Askers = () => (
  <>
    <AskerFor asking={session} Dialog={SessionDialog} isFirm />
    <AskerFor asking={identity} Dialog={IdentityDialog} />
  </>
);

interface Props {
  readonly asking: Asking;
  readonly Dialog: ComponentType<DialogProps>;
  /** Whether Escape leaves it open: what is under it would be lost. */
  readonly isFirm?: boolean;
}

function AskerFor({ asking, Dialog, isFirm = false }: Props) {
  const { isOpen, wasOpen, end } = useAsker(asking, isFirm);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <Dialog isOpen={isOpen} end={end} />
    </Suspense>
  );
}

/** Opens for whoever asks, and tells all of them how it ended. */
function useAsker(asking: Asking, isFirm: boolean) {
  const waiting = useRef<((given: boolean) => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const end = useCallback((given: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(given);
  }, []);
  useEffect(() => {
    asking.set(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setOpen(true);
          setWasOpen(true);
        }),
    );
    // Heard before the dialogs below hear it, which Escape would close as well.
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || waiting.current.length === 0) return;
      event.stopImmediatePropagation();
      if (!isFirm) end(false);
    };
    addEventListener('keydown', onEscape, { capture: true });
    return () => {
      removeEventListener('keydown', onEscape, { capture: true });
      asking.set(undefined);
      end(false);
    };
  }, [asking, isFirm, end]);
  return { isOpen, wasOpen, end };
}
