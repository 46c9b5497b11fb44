import { startServer, type Wiring } from '@florin/dev-env/parts.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';

/** How a server is started in a process of its own. */
export interface Life {
  readonly wiring: Wiring;
  /** By how much its clock is ahead: leases of the life before are over at once. */
  readonly ahead_s: number;
}

/** So that the fourth attempt is made within seconds. */
const RETRY_SCALE = 0.002;

const { wiring, ahead_s } = JSON.parse(process.argv[2] as string) as Life;
const system = systemClock();
await startServer(wiring, {
  clock: { now: () => system.now() + seconds(ahead_s) },
  webhook_retry_scale: RETRY_SCALE,
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
