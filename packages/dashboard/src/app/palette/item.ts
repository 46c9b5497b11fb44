import type { ReactNode } from 'react';
import type { IconName } from '../../parts/value/icon.tsx';

/** Something that the palette can open or do. */
export interface PaletteItem {
  /** Unique in the palette. */
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  /** Other words for the item, which people may type. The palette does not show them. */
  readonly also?: string;
  readonly detail?: ReactNode;
  /** Content at the end of the line, such as a state. */
  readonly aside?: ReactNode;
  /** Whether the item leads to another page, whose heading takes the focus. */
  readonly opens_page: boolean;
  /** Path of the page that `run` opens, for records: the palette offers them again. */
  readonly recent_path?: string;
  run(): void;
}

export interface PaletteGroup {
  readonly id: string;
  readonly title: string;
  readonly items: readonly PaletteItem[];
  /** Opens the list with all records of the group; absent if the items are all. */
  readonly whole?: PaletteItem;
}

/** Items of a group that can be chosen, in order. */
export const selectableItems = ({ items, whole }: PaletteGroup): readonly PaletteItem[] =>
  whole ? [...items, whole] : items;

/** Lower case without accents. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Shorter words must be a whole other word: they begin too many. */
const SYNONYM_MIN = 3;

/** Whether the word is, or begins, one of the item's other words. */
function isSynonym({ also = '' }: PaletteItem, word: string): boolean {
  const others = fold(also).split(/[^\p{L}\p{N}]+/u);
  return others.some((other) =>
    word.length < SYNONYM_MIN ? other === word : other.startsWith(word),
  );
}

/**
 * Items whose text or other words have every word of the search text. Texts that begin with it come first, those that
 * only other words match come last.
 */
export function matchingItems(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const wanted = fold(text.trim());
  const words = wanted.split(/[\s-]+/);
  const rankOf = (item: PaletteItem): number => {
    const own = fold(item.text);
    if (own.startsWith(wanted)) return 0;
    return words.every((word) => own.includes(word)) ? 1 : 2;
  };
  return items
    .filter((item) =>
      words.every((word) => fold(item.text).includes(word) || isSynonym(item, word)),
    )
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}
