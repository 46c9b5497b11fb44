import { useSyncExternalStore } from 'react';

let cell: string | undefined;
const listeners = new Set<() => void>();

/** Remembers the cell that a router names in its answers to operators. */
export function noteCell(response: Response | undefined): void {
  const name = response?.headers.get('florin-cell') ?? cell;
  if (name === cell) return;
  cell = name;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Cell whose records pages of one cell show; undefined without a router. */
export const useOperatorCell = (): string | undefined =>
  useSyncExternalStore(subscribe, () => cell);
