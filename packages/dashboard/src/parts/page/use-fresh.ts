import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useScope } from '../../api/scope.ts';

/** How soon a page is read again while something on it is on its way; what takes long is looked at ever less often. */
const POLL_MS = 1_500;
const POLL_GROWTH = 1.3;
const POLL_MAX_MS = 20_000;
/** So often more after that: events and webhooks come a moment later. */
const ROUNDS_AFTER = 2;

/** Reads all of the page again while something is under way, and shortly after it. */
export function useFresh(isUnderWay: boolean): void {
  const queries = useQueryClient();
  const { merchant, mode } = useScope();
  useEffect(() => {
    if (!isUnderWay) return;
    const read = () => {
      void queries.invalidateQueries({ queryKey: ['v2', merchant, mode] });
      void queries.invalidateQueries({ queryKey: ['dashboard', merchant, mode] });
    };
    const stop = repeat(read);
    return () => {
      stop();
      for (let round = 0; round < ROUNDS_AFTER; round += 1) setTimeout(read, round * POLL_MS);
    };
  }, [isUnderWay, queries, merchant, mode]);
}

/** Does it again and again, after ever longer pauses; returns how it is stopped. */
function repeat(read: () => void): () => void {
  let pause_ms = POLL_MS;
  let timer = setTimeout(next, pause_ms);
  function next(): void {
    read();
    pause_ms = Math.min(pause_ms * POLL_GROWTH, POLL_MAX_MS);
    timer = setTimeout(next, pause_ms);
  }
  return () => clearTimeout(timer);
}
