import { Gauge, type Registry } from 'prom-client';
import { seconds } from '../../platform/time/clock.ts';
import { type Clocks, isApart } from '../../platform/time/clock-watch.ts';
import type { Services } from '../../services.ts';

const inSeconds = (by: number): number => by / seconds(1);

/** Sentences for operators about clocks that differ. The server stays ready, since payments are unaffected. */
export const clockNotes = (clocks: Clocks): string[] =>
  [...clocks.ahead()]
    .filter(([, by]) => isApart(by))
    .map(([other, by]) => {
      const far = `${Math.abs(inSeconds(by)).toFixed(1)} s ${by > 0 ? 'ahead of' : 'behind'}`;
      return `The clock of the ${other} is ${far} this server's: set the machines to the same time. Messages that may never have left stay open until then.`;
    });

/** Gauge of clock differences. A clock that was never compared has no value. */
export function registerClocks(register: Registry, { clocks }: Pick<Services, 'clocks'>): void {
  new Gauge({
    name: 'florin_clock_ahead_seconds',
    help: "Smallest possible offset of another clock from this server's; negative if it is slow",
    labelNames: ['clock'],
    registers: [register],
    collect() {
      for (const [clock, by] of clocks.ahead()) this.set({ clock }, inSeconds(by));
    },
  });
}
