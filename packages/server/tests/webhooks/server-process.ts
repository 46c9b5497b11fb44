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
export interface ServerProcessOptions {
  readonly wiring: StackAddresses;
  /** Offset of its clock. A minute or more expires the leases of a previous process. */
  readonly offset_seconds: number;
  /** Parts that run in the process besides the server. */
  readonly otherParts?: readonly Exclude<PartName, 'server'>[];
  /** Kill point whose `passage`-th passage kills the process. */
  readonly kill?: { readonly point: string; readonly passage: number };
}

/** Small enough for a fourth attempt within seconds. */
const RETRY_SCALE = 0.002;

const options = JSON.parse(process.argv[2] as string) as ServerProcessOptions;
const { wiring, offset_seconds, otherParts = [], kill } = options;
const system = systemClock();
if (otherParts.includes('simulator')) {
  await startSimulator(wiring.dataDir, Number(new URL(wiring.simulatorUrl).port));
}
if (otherParts.includes('vault')) await startVault(wiring);
await startServer(wiring, {
  clock: { now: () => system.now() + seconds(offset_seconds) },
  webhook_retry_scale: RETRY_SCALE,
});
if (kill) killAt(kill);
process.once('disconnect', () => process.exit());
process.send?.('ready');

function killAt({ point, passage }: NonNullable<ServerProcessOptions['kill']>): void {
  let passages = 0;
  watchMessages((passedPoint) => {
    if (passedPoint === point && ++passages === passage) process.kill(process.pid, 'SIGKILL');
  });
}
