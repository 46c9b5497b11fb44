import type { Readiness } from '../support/readiness.ts';

/** Each other state than `ready`, with its first and last second after `from`. */
export function describeUnready(seen: readonly Readiness[], from: number): string[] {
  const second = (at = 0): string => ((at - from) / 1_000).toFixed(1);
  const unready = seen.filter(({ state }) => state !== 'ready').toSorted((a, b) => a.at - b.at);
  return [...Map.groupBy(unready, ({ state }) => state)].map(
    ([state, group]) => `${state} from ${second(group[0]?.at)} to ${second(group.at(-1)?.at)} s`,
  );
}
