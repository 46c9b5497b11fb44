import { run } from '../load.ts';
import { measureConfirmed } from '../payment-rows.ts';
import { cpuOf } from '../processor-time.ts';
import type { Testbed } from '../testbed.ts';
import { type HopRound, totalOf } from './render.ts';
import { type BenchRouter, startRouter } from './router.ts';

interface HopOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly warm_up_seconds: number;
}

/** Measures the same load of one cell in turns: directly, and through a router. */
export async function measureHop(
  home: Testbed,
  { seconds, rounds, warm_up_seconds }: HopOptions,
): Promise<readonly HopRound[]> {
  await using router = await startRouter(home);
  const routed = throughRouter(home, router);
  await measureConfirmed(routed, warm_up_seconds);
  const measured: HopRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const direct = totalOf([await measureConfirmed(home, seconds)]);
    const before_ms = routerTime(router);
    const measurement = await measureConfirmed(routed, seconds);
    const router_ms = (routerTime(router) - before_ms) / (measurement.operations ?? Number.NaN);
    measured.push({ direct, routed: totalOf([measurement]), router_ms });
  }
  return measured;
}

const throughRouter = (home: Testbed, { origin }: BenchRouter): Testbed => ({
  ...home,
  load: (options) => run({ origin, headers: home.headers, ...options }),
});

/** Processor time of a router in milliseconds; NaN where the machine does not tell. */
const routerTime = ({ pid }: BenchRouter): number =>
  process.platform === 'linux' ? cpuOf(pid) : Number.NaN;
