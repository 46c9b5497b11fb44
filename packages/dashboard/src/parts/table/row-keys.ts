import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const PAGE_ROWS = 10;

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface Options {
  /** Element that scrolls. */
  readonly region: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Row with the focus, or the row that had it last. */
  readonly active: number;
  readonly show: (index: number) => void;
}

/**
 * Returns a handler that moves the focus between rows; the table is one Tab stop.
 * A row that must load first gets the focus when it appears, and so does a focused row that left memory.
 * Until then the scrolling element has the focus.
 */
export function useRowKeys({ region, count, active, show }: Options) {
  const awaited = useRef<number>(undefined);
  const wasWithin = useRef(false);
  // No dependency list, because every render may add or remove rows.
  // Before the browser paints, because a key pressed while nothing has the focus would be lost.
  useLayoutEffect(() => {
    const isWithin = region.current?.contains(document.activeElement) ?? false;
    const isLost = wasWithin.current && document.activeElement === document.body;
    if (isLost) {
      region.current?.focus({ preventScroll: true });
      awaited.current ??= active;
    } else if (!isWithin) awaited.current = undefined;
    const link = linkIn(region, awaited.current);
    if (link) {
      awaited.current = undefined;
      link.focus({ preventScroll: true });
    }
    wasWithin.current = isWithin || isLost;
  });
  return (event: KeyboardEvent) => {
    const step = steps[event.key];
    const { target, currentTarget } = event;
    const row = (target as HTMLElement).closest('tr')?.dataset.index;
    if (step === undefined || (row === undefined && target !== currentTarget)) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, Number(row ?? active) + step));
    awaited.current = next;
    show(next);
    linkIn(region, next)?.focus({ preventScroll: true });
  };
}

const linkIn = (region: RefObject<HTMLElement | null>, index: number | undefined) =>
  region.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
