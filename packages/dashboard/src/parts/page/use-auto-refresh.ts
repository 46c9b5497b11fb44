import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useScope } from '../../api/scope.ts';

/** First polling interval while a record of the page is in progress. Later intervals grow. */
const POLL_MS = 1_500;
const POLL_GROWTH = 1.3;
const POLL_MAX_MS = 20_000;
/** Additional polls at the end, because events and webhooks arrive a moment later. */
const EXTRA_ROUNDS = 2;

/** Refreshes the page while a record is in progress, and shortly afterwards. */
export function useAutoRefresh(isInProgress: boolean): void {
  const queries = useQueryClient();
  const { merchant, mode } = useScope();
  useEffect(() => {
    if (!isInProgress) return;
    const read = () => {
      void queries.invalidateQueries({ queryKey: ['v2', merchant, mode] });
      void queries.invalidateQueries({ queryKey: ['dashboard', merchant, mode] });
    };
    const stop = repeatRead(read);
    return () => {
      stop();
      for (let round = 0; round < EXTRA_ROUNDS; round += 1) setTimeout(read, round * POLL_MS);
    };
  }, [isInProgress, queries, merchant, mode]);
}

/** Calls `read` with growing intervals. Returns a function that stops the calls. */
function repeatRead(read: () => void): () => void {
  let pause_ms = POLL_MS;
  let timer = setTimeout(next, pause_ms);
  function next(): void {
    read();
    pause_ms = Math.min(pause_ms * POLL_GROWTH, POLL_MAX_MS);
    timer = setTimeout(next, pause_ms);
  }
  return () => clearTimeout(timer);
}
