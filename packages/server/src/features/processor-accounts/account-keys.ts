import { instantText, type Micros } from '../../platform/time/clock.ts';
import { type AccountKeys, keyReadingOf } from '../../processors/account-keys.ts';
import type { ProcessorAccounts } from '../../processors/accounts.ts';
import type { WireAnswer } from '../../processors/port/message.ts';
import type { Services } from '../../services.ts';
import {
  addKeyRefusals,
  deleteKeyRefusals,
  type NewKeyRefusals,
  selectKeyRefusals,
} from './sql/key-refusals.ts';

/** Time between two writes of a process about one account. Refusals in between are counted in memory. */
export const KEY_REFUSALS_WRITE_MS = 60_000;

type KeyServices = Pick<Services, 'db' | 'logger' | 'system_clock' | 'processor_metrics'> & {
  readonly accounts: Pick<ProcessorAccounts, 'find'>;
};

/** Refusals that a process has counted and not stored. */
interface Counter {
  counted: NewKeyRefusals | undefined;
  /** Runs until the next write is allowed. */
  timer: NodeJS.Timeout | undefined;
}

/**
 * Creates the notices of a process. The first refusal is stored at once. An accepted message costs a write only while
 * its account has a notice.
 */
export function createAccountKeys(services: KeyServices): AccountKeys {
  const { db, accounts, system_clock, processor_metrics } = services;
  const counters = new Map<string, Counter>();
  let noticed = new Set<string>();
  let writing: Promise<void> = Promise.resolve();
  const write = (work: () => Promise<void>): void => {
    writing = writing.then(work).catch((error: unknown) => logFailure(services, error));
  };
  const store = (account_id: string, counter: Counter): void => {
    const { counted } = counter;
    clearTimeout(counter.timer);
    counter.timer = undefined;
    counter.counted = undefined;
    if (!counted) return;
    noticed.add(account_id);
    counter.timer = setTimeout(() => store(account_id, counter), KEY_REFUSALS_WRITE_MS).unref();
    write(() => storeRefusals(services, counted));
  };
  const refused = (refusal: Pick<Refusal, 'account_id' | 'status' | 'code'>): void => {
    const { account_id } = refusal;
    processor_metrics.countRefusedKey(account_id);
    const counter = counters.get(account_id) ?? { counted: undefined, timer: undefined };
    counters.set(account_id, counter);
    counter.counted = sumOf(counter.counted, { ...refusal, at: system_clock.now() });
    if (!counter.timer) store(account_id, counter);
  };
  const accepted = (account_id: string): void => {
    const counter = counters.get(account_id);
    if (counter) counter.counted = undefined;
    if (!noticed.delete(account_id)) return;
    const at = instantText(system_clock.now());
    write(() => deleteKeyRefusals(db, account_id, at));
  };
  return {
    observe(account_id, answer, operation) {
      const { readKey } = accounts.find(account_id)?.processor ?? {};
      const { key, code = null } = keyReadingOf(answer, operation, readKey);
      if (key === 'accepted') accepted(account_id);
      else if (key === 'refused') refused({ account_id, status: statusOf(answer), code });
    },
    async refresh() {
      await writing;
      noticed = new Set((await selectKeyRefusals(db)).keys());
    },
    async close() {
      for (const [account_id, counter] of counters) store(account_id, counter);
      for (const { timer } of counters.values()) clearTimeout(timer);
      await writing;
    },
  };
}

const statusOf = (answer: WireAnswer): number =>
  answer.outcome === 'answered' ? answer.status : 0;

interface Refusal {
  readonly account_id: string;
  readonly status: number;
  /** The processor's own code, if the status does not say that the key is refused. */
  readonly code: string | null;
  readonly at: Micros;
}

const sumOf = (
  before: NewKeyRefusals | undefined,
  { account_id, status, code, at }: Refusal,
): NewKeyRefusals => ({
  processor_account_id: account_id,
  count: (before?.count ?? 0) + 1,
  since: before?.since ?? instantText(at),
  last_at: instantText(at),
  last_status: status,
  last_code: code,
});

async function storeRefusals({ db, logger }: KeyServices, refusals: NewKeyRefusals): Promise<void> {
  const { processor_account_id, count, last_status: status, last_code: code } = refusals;
  logger.warn(
    { processor_account: processor_account_id, count, status, ...(code !== null && { code }) },
    'key of a processor account refused: create a key at the processor, and store it in the account',
  );
  await addKeyRefusals(db, refusals);
}

function logFailure({ logger }: KeyServices, error: unknown): void {
  const err = { code: (error as { code?: string }).code };
  logger.warn({ err }, 'notice of a refused key not stored: the next message repeats it');
}
