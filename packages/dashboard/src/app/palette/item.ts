import type { ReactNode } from 'react';
import type { IconName } from '../../parts/value/icon.tsx';

/** Something that the palette can open or do. */
export interface PaletteItem {
  /** Unique in the palette. */
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
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

/** Items whose text has every word of the search text. Texts that begin with it come first. */
export function matchingItems(items: readonly PaletteItem[], text: string): PaletteItem[] {
  const wanted = fold(text.trim());
  const words = wanted.split(/\s+/);
  const startsAt = (item: PaletteItem): number => (fold(item.text).startsWith(wanted) ? 0 : 1);
  return items
    .filter((item) => words.every((word) => fold(item.text).includes(word)))
    .toSorted((a, b) => startsAt(a) - startsAt(b));
}
