import { interruption, untilInterrupted } from '../interruption.ts';
import { run } from '../load.ts';
import type { Rounds } from '../measure-rows.ts';
import type { Contender } from './contenders.ts';
import type { PeerResult } from './render.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 2;

type Stage = (text: string) => void;

/** Measures the programs in turn, in rounds after a warm-up. A program whose requests are refused is left out then. */
export async function measureContenders(
  contenders: readonly Contender[],
  { rounds, seconds }: Rounds,
  onStage: Stage,
): Promise<PeerResult[]> {
  const figures = contenders.map(() => ({ creates: [] as number[], pages: [] as number[] }));
  const errors = contenders.map((): string | undefined => undefined);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, contender] of contenders.entries()) {
      if (errors[at]) continue;
      onStage(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${contender.name}`);
      try {
        const duration = round === 0 ? WARM_UP_SECONDS : seconds;
        const { creates, pages } = await untilInterrupted(measureContender(contender, duration));
        if (round > 0) figures[at]?.creates.push(creates);
        if (round > 0) figures[at]?.pages.push(pages);
      } catch (error) {
        interruption.throwIfAborted();
        errors[at] = (error as Error).message;
      }
    }
  }
  return contenders.map(({ name, keeps }, at) => ({
    name,
    keeps,
    ...(figures[at] as { creates: number[]; pages: number[] }),
    ...(errors[at] && { error: errors[at] }),
  }));
}

/** Creates and pages per second over 64 connections, one after the other. */
async function measureContender(contender: Contender, seconds: number) {
  const { create, page } = contender;
  const creates = await rateOf(contender, { method: 'POST', ...create }, seconds);
  const pages = await rateOf(contender, { method: 'GET', path: page }, seconds);
  return { creates, pages };
}

type Request = { method: 'GET' | 'POST'; path: string; body?: string };

async function rateOf({ origin, headers }: Contender, request: Request, seconds: number) {
  const load = { origin, headers, seconds, connections: CONNECTIONS, next: () => request };
  const { per_second, refused, count } = await run(load);
  if (refused === 0) return per_second;
  throw new Error(`${refused} of ${count} requests to ${request.path} were refused`);
}
