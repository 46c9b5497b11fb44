import type { IconName } from '../../parts/value/icon.tsx';
import type { PaletteItem } from './item.ts';

/** A record that a person has opened in the palette. */
export interface RecentRecord {
  readonly path: string;
  readonly text: string;
  readonly icon: IconName;
}

const RECENT_MAX = 5;

/** Storage of the tab: names of customers do not outlive it. */
const keyOf = (owner: string): string => `florin.recent ${owner}`;

/** Records of an owner (account, merchant and mode), last one first. */
export function readRecent(owner: string): readonly RecentRecord[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(owner)) ?? '[]');
  return Array.isArray(stored) ? stored : [];
}

export function storeRecent(owner: string, { recent_path, text, icon }: PaletteItem): void {
  if (!recent_path) return;
  const others = readRecent(owner).filter(({ path }) => path !== recent_path);
  const records = [{ path: recent_path, text, icon }, ...others].slice(0, RECENT_MAX);
  sessionStorage.setItem(keyOf(owner), JSON.stringify(records));
}
