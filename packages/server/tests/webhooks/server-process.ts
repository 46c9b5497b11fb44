import { startServer, type Wiring } from '@florin/dev-env/parts.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';

/** Parameters of a separate server process. */
export interface Life {
  readonly wiring: Wiring;
  /** Offset of its clock: leases of the previous process have expired. */
  readonly ahead_s: number;
}

/** Small enough for a fourth attempt within seconds. */
const RETRY_SCALE = 0.002;

const { wiring, ahead_s } = JSON.parse(process.argv[2] as string) as Life;
const system = systemClock();
await startServer(wiring, {
  clock: { now: () => system.now() + seconds(ahead_s) },
  webhook_retry_scale: RETRY_SCALE,
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
