import { UnstyledButton } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Language } from '../../i18n/languages.ts';
import { loadTextsAgain } from '../../i18n/texts.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../../parts/feedback/notices.ts';
import { Icon } from '../../parts/value/icon.tsx';
import { loadWithoutReload } from '../reload.ts';
import type { Palette } from './palette.tsx';
import classes from './palette-button.module.css';
import { collectKeys, type KeyCollector, type KeysAhead } from './typed-ahead.ts';

/** Time after the first view in which nobody waits for the palette's files. */
const PRELOAD_MS = 3_000;

/**
 * Loads the palette with the texts of its results: the first view has no room for them. A dialog whose parts load one
 * after the other would suspend, and React shows each of them 300 ms later at the earliest.
 */
async function loadPalette(language: Language): Promise<typeof Palette> {
  const [{ Palette }] = await loadWithoutReload(
    () =>
      [
        import('./palette.tsx'),
        loadTextsAgain(language, 'palette'),
        loadTextsAgain(language, 'names'),
        loadTextsAgain(language, 'events'),
      ] as const,
  );
  return Palette;
}

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
  const { Palette, isOpen, open, close, ahead, preload } = usePalette();
  return (
    <>
      <UnstyledButton
        className={classes.button ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onPointerEnter={preload}
        onClick={open}
      >
        <Icon name="search" size={16} />
        <span className={classes.text}>{t('search')}</span>
        <span className={classes.keys} aria-hidden="true">
          {isMac ? '⌘K' : 'Ctrl K'}
        </span>
      </UnstyledButton>
      {Palette && <Palette isOpen={isOpen} onClose={close} ahead={ahead} />}
    </>
  );
}

/** Opens the palette, and gives the focus back unless the palette has opened a page. */
function usePalette() {
  const [isOpen, setOpen] = useState(false);
  /** Set when the palette is opened for the first time. */
  const [shown, setShown] = useState<{ readonly Palette: typeof Palette }>();
  const { language } = useLanguage();
  const t = useTexts('common');
  const notify = useNotify();
  /** Element that had the focus, while the palette is open. */
  const opener = useRef<Element>(null);
  const collector = useRef<KeyCollector>(undefined);
  const ahead = useMemo(
    (): KeysAhead => ({
      read: () => collector.current?.read(),
      stop() {
        collector.current?.stop();
        collector.current = undefined;
      },
    }),
    [],
  );
  const close = useCallback(
    (opensPage: boolean): void => {
      ahead.stop();
      setOpen(false);
      if (!opensPage && opener.current instanceof HTMLElement) opener.current.focus();
      opener.current = null;
    },
    [ahead],
  );
  const fail = useCallback((): void => {
    if (opener.current) notify(t('search_failed'), 'problem');
    close(false);
  }, [close, notify, t]);
  const open = useCallback(() => {
    if (isOpen) return;
    opener.current = document.activeElement;
    // The dialog and its texts may still load, while a person types on.
    ahead.stop();
    collector.current = collectKeys(() => close(false));
    setOpen(true);
    loadPalette(language).then((Palette) => setShown({ Palette }), fail);
  }, [ahead, close, fail, isOpen, language]);
  const preload = useCallback(() => void loadPalette(language).catch(() => {}), [language]);
  useEffect(() => {
    const timer = setTimeout(preload, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, [preload]);
  useEffect(() => ahead.stop, [ahead]);
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
  return { Palette: shown?.Palette, isOpen, open, close, ahead, preload };
}

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey !== metaKey) return key.toLowerCase() === 'k' && !shiftKey;
  return key === '/' && !ctrlKey && !isTextField(target);
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'));
