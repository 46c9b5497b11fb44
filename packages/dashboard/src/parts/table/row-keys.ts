import type { KeyboardEvent, RefObject } from 'react';

const PAGE_ROWS = 10;

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_ROWS,
  PageUp: -PAGE_ROWS,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Moves the focus from row to row; the table as a whole is one stop of the Tab key. */
export function useRowKeys(
  region: RefObject<HTMLElement | null>,
  count: number,
  show: (index: number) => void,
): (event: KeyboardEvent) => void {
  return (event) => {
    const step = steps[event.key];
    const row = (event.target as HTMLElement).closest('tr')?.dataset.index;
    if (step === undefined || row === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(count - 1, Number(row) + step));
    show(next);
    focusRow(region, next, TRIES);
  };
}

/** Frames that a row may take to come into the page. */
const TRIES = 10;

function focusRow(region: RefObject<HTMLElement | null>, index: number, tries: number): void {
  const link = region.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`);
  if (link) link.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(region, index, tries - 1));
}
