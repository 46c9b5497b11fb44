import type { Config } from './config/config.ts';
import type { Models } from './jsonapi/model.ts';
import type { Callers } from './platform/caller.ts';
import type { Sealer } from './platform/crypto/sealer.ts';
import type { Signer } from './platform/crypto/signer.ts';
import type { Catalog } from './platform/database/catalog.ts';
import type { Database, Db } from './platform/database/db.ts';
import type { DatabaseHealth } from './platform/database/health.ts';
import type { Scope } from './platform/database/scope.ts';
import type { Changed } from './platform/database/transition.ts';
import type { Within } from './platform/database/within.ts';
import type { Logger } from './platform/logger.ts';
import type { Clock, Micros } from './platform/time/clock.ts';
import type { Clocks } from './platform/time/clock-watch.ts';
import type { LoopStatuses } from './platform/workers/loop-statuses.ts';
import type { Signal } from './platform/workers/signal.ts';
import type { Processor } from './processors/processor.ts';
import type { Relay } from './processors/relay.ts';
import type { VaultState } from './processors/vault-watch.ts';

/** Services that features use. Made once in `app.ts`, and once more for each sandbox timeline. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  /**
   * The system clock, for comparisons with other systems; `clock` differs from it in sandbox
   * timelines.
   */
  readonly system_clock: Clock;
  readonly logger: Logger;
  readonly db: Database;
  /** The same database over separate connections, for reads of the interface. */
  readonly reads: Db;
  /** Health of the database on the connections of `db`, which the work loops use. */
  readonly database_health: DatabaseHealth;
  readonly catalog: Catalog;
  readonly models: Models;
  /** Opens values that the database stores sealed. */
  readonly sealer: Sealer;
  /** Signs the links to customers' own pages. */
  readonly customer_links: Signer;
  /** Hashes subjects of people's attempts and requests, so that stored counts name nobody. */
  readonly access_signer: Signer;
  /** Finds the callers of keys. */
  readonly callers: Callers;
  /** Client of the vault, and through it of processors. */
  readonly relay: Relay;
  /** Whether the vault's and the database's clocks agree with this server's. */
  readonly clocks: Clocks;
  /** Whether the vault accepts messages; while it does not, no payment is claimed. */
  readonly vault: VaultState;
  /** The processor for new payments of a mode. */
  readonly processorOf: (mode: 'live' | 'sandbox') => Processor | undefined;
  /**
   * Finds a processor by name. Attempts and disputes store it: later messages go to the same one.
   */
  readonly processorNamed: (name: string) => Processor | undefined;
  /** Rows that workers may claim; absent: all. */
  readonly within?: (() => Promise<Within | undefined>) | undefined;
  /** Services of the sandbox timelines: of merchants and customers with advanced clocks. */
  readonly timelines: Timelines;
  /** Status of the work loops; absent in sandbox timelines. */
  readonly loop_statuses?: LoopStatuses | undefined;
  /** Rate limits of account emails. */
  readonly email_limits: EmailLimits;
  /** Reactions of later features to changes of earlier ones. */
  readonly reactions: Reactions;
  /** Signals after a commit that left due work. */
  readonly wake: Readonly<
    Record<
      | 'authorise'
      | 'refund'
      | 'capture'
      | 'dispute'
      | 'balance'
      | 'deliver'
      | 'replay'
      | 'emails'
      | 'account_emails',
      Signal
    >
  >;
}

/**
 * Runs in the transaction that changes payments, after the change is stored. An error undoes the
 * transaction.
 */
export type PaymentReaction = (
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
) => Promise<void>;

/**
 * Points at which later features react to earlier ones, in the same transaction and in the given
 * order.
 */
export interface Reactions {
  readonly afterPaymentChange: readonly PaymentReaction[];
}

/** Limits of account emails. Requests count together across callers and processes. */
export interface EmailLimits {
  /**
   * Counts an email to the address, in a transaction only if that commits; returns whether the
   * limit allows it.
   */
  address(email: string, tx?: Db): Promise<boolean>;
  /** Counts an email with a link to a new password; returns whether the limit allows it. */
  reset(email: string): Promise<boolean>;
  network(network: string): Promise<boolean>;
  account(id: string): Promise<boolean>;
  merchant(id: string, tx?: Db): Promise<boolean>;
}

/**
 * Sandbox timeline: the work at the time of one clock, of a merchant's sandbox or of one customer.
 */
export interface Timeline {
  readonly id: string;
  readonly merchant_id: string;
  readonly customer_id: string | null;
  /** Target of an advancing clock. */
  readonly target_at: string | null;
  /** Services with this clock, which claim rows of this timeline, and have signals of their own. */
  readonly services: Services;
  /** Offset from the system clock, in seconds. */
  offset_seconds(): number;
  /** Continues from the offset `offset_seconds`; never goes back. */
  move(offset_seconds: number): void;
  /** While its loops run in this process, its signals wake only these. */
  setRunning(here: boolean): void;
}

/** Advanced clocks, as this process knows them. */
export interface Timelines {
  /** Reads them again. */
  refresh(): Promise<void>;
  /** Services at the time of a customer, or else of its merchant. */
  of(scope: Scope, customer_id?: string | null): Services;
  /** Whether customers of a merchant have clocks of their own. */
  haveCustomers(scope: Scope): boolean;
  find(id: string): Timeline | undefined;
  readonly size: number;
  /** Wakes for a timeline that runs nowhere here and may have work or a target. */
  readonly wake: Signal;
  /**
   * Timelines to check now, each once: woken ones, advancing ones, and in turn at most `others_max`
   * others.
   */
  next(others_max: number): Timeline[];
}
