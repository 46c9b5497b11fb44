import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '../../platform/database/db.ts';
import { factOf } from '../../platform/database/installation/installation-facts.ts';
import {
  deleteRunHolder,
  hasLiveRun,
  RUN_LEASE_S,
  type RunHolder,
  storeRunHolder,
} from './sql/run-holder.ts';

const RENEWAL_MS = 10_000;

/** The only run that learns. Disposal frees it. */
export interface RunLease extends AsyncDisposable {
  /** Throws if the lease was lost: another run may have begun since. */
  require(): void;
  /** Renews the lease now. A timer does it too. */
  renew(): Promise<void>;
}

/**
 * Takes the lease of the run that learns, and renews it until its disposal. Throws an `Error` that names the process with a
 * live run.
 */
export async function takeRunLease(db: Db, begun_at: string): Promise<RunLease> {
  const holder = {
    token: randomUUID(),
    process: `${hostname()} (process ${process.pid})`,
    begun_at,
  };
  if (!(await storeRunHolder(db, holder))) throw new Error(await underWay(db));
  let isLost = false;
  let renewing = Promise.resolve();
  const renew = async (): Promise<void> => {
    isLost ||= !(await storeRunHolder(db, holder));
  };
  // A renewal that fails is repeated: the lease outlasts several.
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(() => undefined);
  }, RENEWAL_MS);
  return {
    renew,
    require() {
      if (isLost) throw new Error('this run lost its lease to another run');
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await renewing;
      // A lease that cannot be freed expires.
      await deleteRunHolder(db, holder).catch(() => undefined);
    },
  };
}

/** Throws an `Error` that names the process whose run learns, if there is one. */
export async function requireNoRun(db: Db): Promise<void> {
  if (await hasLiveRun(db)) throw new Error(await underWay(db));
}

async function underWay(db: Db): Promise<string> {
  const text = await factOf(db, 'restore_run');
  if (text === undefined) return 'another run has just ended. Repeat the command';
  const { process, begun_at } = JSON.parse(text) as RunHolder;
  return `${process} learns since ${begun_at}. Wait for its end. A run that died ends after ${RUN_LEASE_S} seconds`;
}
