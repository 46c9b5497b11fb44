import { problem } from '@florin/contract/errors.ts';
import type { StandInFaults } from '@florin/contract/protocol/processor-command.ts';
import type { Db } from '../../../platform/database/db.ts';
import { ACCOUNTS_MAX } from '../accounts.ts';
import { selectAccounts } from '../sql.ts';
import { postControl, requireStandIn, sendControl, standInAddressOf } from './control.ts';
import type { ControlRequest, StandIn } from './stand-ins.ts';

/** Longest fault in milliseconds. Nobody has to remember to end one. */
const FAULT_MS_MAX = 60 * 60_000;
/** Most messages that one command makes fail. */
const TIMES_MAX = 1_000;
/** Every message that arrives while a fault of some duration lasts. */
const EVERY = 1_000_000;

/** A fault of a stand-in, and where it is to be sent. */
interface FaultPlace {
  readonly simulator_url: string;
  readonly processor: string;
}

/** Makes a stand-in fail for a while. Throws 422 that names the wrong option, and adds no fault then. */
export async function addFaults(
  { db }: { readonly db: Db },
  { simulator_url, processor }: FaultPlace,
  faults: StandInFaults,
): Promise<void> {
  const standIn = requireStandIn(processor);
  const requests = requestsOf(standIn, faults);
  checkBounds(faults);
  if (faults.refuse_connections_ms) await requireOwnAddress(db, simulator_url, processor, standIn);
  for (const request of requests) await postControl(simulator_url + standIn.path, request);
}

/** Ends all faults of a stand-in. Notifications that are late already stay late. */
export async function clearFaults({ simulator_url, processor }: FaultPlace): Promise<void> {
  const standIn = requireStandIn(processor);
  const url = simulator_url + standIn.path;
  await sendControl(url, 'DELETE', { path: '/faults' });
  await sendControl(url, 'DELETE', { path: '/notification-faults' });
  await sendControl(url, 'DELETE', { path: '/refused-keys' });
  if (await hasOwnAddress(simulator_url, standIn)) await postControl(url, refusal(0));
}

const refusal = (refuse_ms: number): ControlRequest => ({ path: '/door', body: { refuse_ms } });

/** Requests to the control surface, one for each fault. */
function requestsOf(standIn: StandIn, faults: StandInFaults): readonly ControlRequest[] {
  const { lose_answers, hang_ms, refuse_connections_ms, decline, times } = faults;
  const { lose_notifications, double_notifications, delay_notifications_ms } = faults;
  const { wrong_signatures } = faults;
  const message = (fault: object): ControlRequest => ({
    path: '/faults',
    body: { method: 'POST', ...fault },
  });
  const notification = (fault: object): ControlRequest => {
    if (standIn.disputes) return { path: '/notification-faults', body: fault };
    throw problem('invalid', 'The processor sends no notifications, so none can be wrong.');
  };
  const all: readonly (ControlRequest | undefined | false | 0 | '')[] = [
    // The only fault that the stand-in may refuse is the first: no other remains then.
    decline && message({ kind: 'decline', outcome: decline, times, path: standIn.payment_path }),
    lose_answers && message({ kind: 'lose_answer', times: lose_answers }),
    // Questions about a payment are answered late too.
    hang_ms && {
      path: '/faults',
      body: { kind: 'late_answer', delay_ms: hang_ms, for_ms: hang_ms, times: EVERY },
    },
    lose_notifications && notification({ kind: 'lost', times: lose_notifications }),
    double_notifications && notification({ kind: 'doubled', times: double_notifications }),
    delay_notifications_ms &&
      notification({ kind: 'late', delay_ms: delay_notifications_ms, times }),
    wrong_signatures && notification({ kind: 'wrong_signature', times: wrong_signatures }),
    refuse_connections_ms && refusal(refuse_connections_ms),
  ];
  return all.filter((request) => typeof request === 'object');
}

function checkBounds(faults: StandInFaults): void {
  const { hang_ms, refuse_connections_ms, delay_notifications_ms, decline: _, ...counts } = faults;
  const durations = { hang_ms, refuse_connections_ms, delay_notifications_ms };
  for (const [name, count = 1] of Object.entries(counts))
    if (!Number.isInteger(count) || count < 1 || count > TIMES_MAX)
      throw problem('invalid', `${optionOf(name)} must be a number from 1 to ${TIMES_MAX}.`);
  for (const [name, ms = 0] of Object.entries(durations))
    if (ms > FAULT_MS_MAX) throw problem('invalid', `${optionOf(name)} must be at most 1h.`);
}

const optionOf = (name: string): string => `--${name.replace(/_ms$/, '').replaceAll('_', '-')}`;

async function hasOwnAddress(simulator_url: string, standIn: StandIn): Promise<boolean> {
  return (await standInAddressOf(simulator_url, standIn)) !== simulator_url + standIn.path;
}

/** Only the stand-in's own address can refuse connections. Throws 422 if no account uses it. */
async function requireOwnAddress(
  db: Db,
  simulator_url: string,
  processor: string,
  standIn: StandIn,
): Promise<void> {
  const own_url = await standInAddressOf(simulator_url, standIn);
  const accounts = (await selectAccounts(db, ACCOUNTS_MAX)).filter(
    (row) => row.processor === processor && row.status !== 'removed',
  );
  const uses = ({ settings }: { readonly settings?: string | null }) =>
    JSON.parse(settings ?? '{}').api_url === own_url;
  if ((await hasOwnAddress(simulator_url, standIn)) && accounts.some(uses)) return;
  throw problem(
    'invalid',
    `No account uses an address of the stand-in alone, which could refuse connections. Connect one: npm run florin -- processors try ${processor}`,
  );
}
