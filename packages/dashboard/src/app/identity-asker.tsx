import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { setIdentityAsker } from '../api/identity.ts';

/** Comes when it is needed: most visits never see it. */
const IdentityDialog = lazy(() =>
  import('./identity-dialog.tsx').then((it) => ({ default: it.IdentityDialog })),
);

/** Where requests that take a sign-in of lately ask for it; they go on after it. */
export function IdentityAsker() {
  const { isOpen, wasOpen, end } = useAsker();
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <IdentityDialog isOpen={isOpen} end={end} />
    </Suspense>
  );
}

/** Opens for whoever asks, and tells all of them how it ended. */
function useAsker() {
  const waiting = useRef<((shown: boolean) => void)[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  useEffect(() => {
    setIdentityAsker(
      () =>
        new Promise((resolve) => {
          waiting.current.push(resolve);
          setOpen(true);
          setWasOpen(true);
        }),
    );
    return () => setIdentityAsker(undefined);
  }, []);
  const end = useCallback((shown: boolean) => {
    setOpen(false);
    for (const resolve of waiting.current.splice(0)) resolve(shown);
  }, []);
  return { isOpen, wasOpen, end };
}
