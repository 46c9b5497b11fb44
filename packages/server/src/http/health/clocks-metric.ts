import { Gauge, type Registry } from 'prom-client';
import { seconds } from '../../platform/time/clock.ts';
import { type Clocks, isApart } from '../../platform/time/clock-watch.ts';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

const inSeconds = (offset: number): number => offset / seconds(1);

/** Sentences for operators about clocks that differ. The server stays ready, since payments are unaffected. */
export const clockNotes = (clocks: Clocks): string[] =>
  [...clocks.offsets()]
    .filter(([, offset]) => isApart(offset))
    .map(([otherClock, offset]) => {
      const offsetText = `${Math.abs(inSeconds(offset)).toFixed(1)} s ${offset > 0 ? 'ahead of' : 'behind'}`;
      return `The clock of the ${otherClock} is ${offsetText} this server's. Synchronise both: until then, some messages stay without an outcome.`;
    });

/** Gauge of clock differences. A clock that was never compared has no value. */
export function registerClocks(register: Registry, { clocks }: Pick<Services, 'clocks'>): void {
  new Gauge({
    ...metricOptions('florin_clock_ahead_seconds'),
    registers: [register],
    collect() {
      for (const [clock, offset] of clocks.offsets()) this.set({ clock }, inSeconds(offset));
    },
  });
}
