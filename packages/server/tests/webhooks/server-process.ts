import { startServer, type Wiring } from '@florin/dev-env/parts.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';

/** Parameters of a separate server process. */
export interface Life {
  readonly wiring: Wiring;
  /** Offset of its clock: leases of the previous process have expired. */
  readonly offset_seconds: number;
}

/** Small enough for a fourth attempt within seconds. */
const RETRY_SCALE = 0.002;

const { wiring, offset_seconds } = JSON.parse(process.argv[2] as string) as Life;
const system = systemClock();
await startServer(wiring, {
  clock: { now: () => system.now() + seconds(offset_seconds) },
  webhook_retry_scale: RETRY_SCALE,
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
