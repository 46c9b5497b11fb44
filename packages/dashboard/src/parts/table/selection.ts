import { useState } from 'react';

/** Rows that the person has chosen, by id. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Maximum number of rows. */
  readonly max: number;
  toggle(id: string): void;
  /** Adds rows up to the limit. */
  add(ids: readonly string[]): void;
  clear(): void;
}

const none: ReadonlySet<string> = new Set();

/** Holds the chosen rows of a list. Another `list`, such as another address, has another selection. */
export function useSelection(list: string, max: number): Selection {
  const [chosen, choose] = useState({ list, ids: none });
  const ids = chosen.list === list ? chosen.ids : none;
  const set = (next: Iterable<string>) => choose({ list, ids: new Set([...next].slice(0, max)) });
  return {
    ids,
    max,
    toggle: (id) => set(ids.has(id) ? [...ids].filter((it) => it !== id) : [...ids, id]),
    add: (more) => set(new Set([...ids, ...more])),
    clear: () => set([]),
  };
}
