import { UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../../parts/value/icon.tsx';
import classes from './palette-button.module.css';
import { collectKeys, type TypedAhead } from './typed-ahead.ts';

// Loaded on demand: the first page has no room for the dialog.
const loadPalette = () => import('./palette.tsx');
const Palette = lazy(() => loadPalette().then((it) => ({ default: it.Palette })));

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

/** Event of the window that opens the palette. */
const WANTED = 'florin-search';

/** Dialogs over which the palette does not open. The palette's own dialog stays for a moment after it was closed. */
const OTHER_DIALOG = '[aria-modal="true"]:not([data-palette])';

/** Button of the palette in the navigation of a phone, whose header has no room for the other one. */
export function PhonePaletteButton() {
  const t = useTexts('common');
  return (
    <UnstyledButton
      className={classes.phone ?? ''}
      aria-haspopup="dialog"
      onClick={() => dispatchEvent(new Event(WANTED))}
    >
      <Icon name="search" />
      {t('search')}
    </UnstyledButton>
  );
}

/** Header button of the palette, with its keys: Ctrl-K or Command-K, and `/` outside of text fields. */
export function PaletteButton() {
  const t = useTexts('common');
  const { isOpen, wasOpen, open, close, takeTyped } = usePalette();
  return (
    <>
      <UnstyledButton
        className={classes.button ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onPointerEnter={() => void loadPalette()}
        onClick={open}
      >
        <Icon name="search" size={16} />
        <span className={classes.text}>{t('search')}</span>
        <span className={classes.keys} aria-hidden="true">
          {isMac ? '⌘K' : 'Ctrl K'}
        </span>
      </UnstyledButton>
      {wasOpen && (
        <Suspense fallback={null}>
          <Palette isOpen={isOpen} onClose={close} takeTyped={takeTyped} />
        </Suspense>
      )}
    </>
  );
}

/** Opens the palette, and gives the focus back unless the palette has opened a page. */
function usePalette() {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const opener = useRef<Element>(null);
  const stopCollecting = useRef<() => TypedAhead>(undefined);
  const takeTyped = useCallback((): TypedAhead | undefined => {
    const typed = stopCollecting.current?.();
    stopCollecting.current = undefined;
    return typed;
  }, []);
  const close = useCallback(
    (opensPage: boolean): void => {
      takeTyped();
      setOpen(false);
      if (!opensPage && opener.current instanceof HTMLElement) opener.current.focus();
    },
    [takeTyped],
  );
  const open = useCallback(() => {
    if (isOpen) return;
    opener.current = document.activeElement;
    // The dialog and its texts load after the first opening, while a person types on.
    stopCollecting.current = collectKeys(() => close(false));
    loadPalette().catch(takeTyped);
    setWasOpen(true);
    setOpen(true);
  }, [close, isOpen, takeTyped]);
  useEffect(() => () => void takeTyped(), [takeTyped]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector(OTHER_DIALOG)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKeyDown);
    addEventListener(WANTED, open);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener(WANTED, open);
    };
  }, [open]);
  return { isOpen, wasOpen, open, close, takeTyped };
}

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey !== metaKey) return key.toLowerCase() === 'k' && !shiftKey;
  return key === '/' && !ctrlKey && !isTextField(target);
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));
