import {
  type StackAddresses,
  startServer,
  startSimulator,
  startVault,
} from '@florin/dev-env/parts.ts';
import type { PartName } from '@florin/dev-env/stack.ts';
import { watchMessages } from '../../../../faults/kill-points.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';

/** Parameters of a separate server process. */
export interface Life {
  readonly wiring: StackAddresses;
  /** Offset of its clock: leases of the previous process have expired. */
  readonly offset_seconds: number;
  /** Parts that run in the process besides the server. */
  readonly besides?: readonly Exclude<PartName, 'server'>[];
  /** Kill point whose `passage`-th passage kills the process. */
  readonly death?: { readonly place: string; readonly passage: number };
}

/** Small enough for a fourth attempt within seconds. */
const RETRY_SCALE = 0.002;

const life = JSON.parse(process.argv[2] as string) as Life;
const { wiring, offset_seconds, besides = [], death } = life;
const system = systemClock();
if (besides.includes('simulator')) {
  await startSimulator(wiring.dataDir, Number(new URL(wiring.simulatorUrl).port));
}
if (besides.includes('vault')) await startVault(wiring);
await startServer(wiring, {
  clock: { now: () => system.now() + seconds(offset_seconds) },
  webhook_retry_scale: RETRY_SCALE,
});
if (death) dieAt(death);
process.once('disconnect', () => process.exit());
process.send?.('ready');

function dieAt({ place, passage }: NonNullable<Life['death']>): void {
  let passages = 0;
  watchMessages((at) => {
    if (at === place && ++passages === passage) process.kill(process.pid, 'SIGKILL');
  });
}
