import type { Logger } from '../../platform/logger.ts';
import type { CellAddress } from './cell-client.ts';

/** Interval between two questions to a cell. */
const ASK_MS = 1_000;
/** Longest wait for an answer: a cell that hangs is not ready. */
const ANSWER_MS = 2_000;

/** Knows which cells can take requests now. */
export interface Readiness extends Disposable {
  /** All cells: those that are ready come first, otherwise in their order. */
  inOrder(): readonly CellAddress[];
  isReady(cell: CellAddress): boolean;
}

/** Asks each cell for `/readyz`, again and again. Until its first answer, a cell counts as ready. */
export function watchReadiness(cells: readonly CellAddress[], logger: Logger): Readiness {
  const down = new Set<CellAddress>();
  const ended = new AbortController();
  async function ask(cell: CellAddress): Promise<void> {
    const isReady = await isCellReady(cell, ended.signal);
    if (ended.signal.aborted) return;
    if (isReady === down.has(cell))
      logger.warn({ cell: cell.name, ready: isReady }, 'cell changed');
    if (isReady) down.delete(cell);
    else down.add(cell);
    timers.set(cell, setTimeout(ask, ASK_MS, cell));
  }
  const timers = new Map<CellAddress, NodeJS.Timeout>();
  for (const cell of cells) void ask(cell);
  return {
    inOrder: () => [...cells.filter((cell) => !down.has(cell)), ...down],
    isReady: (cell) => !down.has(cell),
    [Symbol.dispose]() {
      ended.abort();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

async function isCellReady({ url }: CellAddress, signal: AbortSignal): Promise<boolean> {
  try {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const answer = await fetch(new URL('/readyz', url), { signal: limits });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
