import type { Config } from './config/config.ts';
import type { Models } from './jsonapi/model.ts';
import type { Callers } from './platform/caller.ts';
import type { BatchSizes } from './platform/concurrency/batch-sizes.ts';
import type { Limiter } from './platform/concurrency/limiter.ts';
import type { Thread } from './platform/concurrency/thread.ts';
import type { Sealer } from './platform/crypto/sealer.ts';
import type { Signer } from './platform/crypto/signer.ts';
import type { Catalog } from './platform/database/catalog.ts';
import type { Database, Db } from './platform/database/db.ts';
import type { DatabaseHealth } from './platform/database/health.ts';
import type { InstanceSecrets } from './platform/database/installation/instance-secrets.ts';
import type { RestoreGate } from './platform/database/installation/restore-gate.ts';
import type { Scope } from './platform/database/scope.ts';
import type { ChangedRow } from './platform/database/transition.ts';
import type { ClaimScope } from './platform/database/within.ts';
import type { Logger } from './platform/logger.ts';
import type { Clock, Micros } from './platform/time/clock.ts';
import type { Clocks } from './platform/time/clock-watch.ts';
import type { DueWatch } from './platform/workers/due-watch.ts';
import type { LoopStatuses } from './platform/workers/loop-statuses.ts';
import type { Signal } from './platform/workers/signal.ts';
import type { Wakes } from './platform/workers/wakes.ts';
import type { AccountKeys } from './processors/account-keys.ts';
import type { ProcessorAccounts } from './processors/accounts.ts';
import type { ProcessorMetrics } from './processors/metrics.ts';
import type { ProcessorAdapter } from './processors/port/define-adapter.ts';
import type { NetworkProcessor } from './processors/port/processor.ts';
import type { Relay } from './processors/wire/relay.ts';
import type { VaultState } from './processors/wire/vault-watch.ts';

/**
 * Services that features use. `app.ts` makes them for the default timeline, and then for each sandbox
 * timeline.
 */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  /** The system clock, for comparisons with other systems. In sandbox timelines `clock` differs from it. */
  readonly system_clock: Clock;
  readonly logger: Logger;
  /** Takes the line of each request; the same as `logger` unless it is separate. */
  readonly access_logger: Logger;
  readonly db: Database;
  /** Database of people and of instance secrets. The same object as `db`, unless it is apart. */
  readonly global: Database;
  /** The database of `db` over separate connections, for reads by API requests. */
  readonly reads: Database;
  /** Merchants that move to another cell. */
  readonly stops: Stops;
  /** Enters merchants, keys and links, so that other processes find their cell; absent if the database is no cell. */
  readonly directory?: CellDirectory | undefined;
  /** Runs the dashboard's sums, counts and searches, so that lists keep connections of `reads`. */
  readonly dashboard_limiter: Limiter;
  /** Health of the database on the connections of the work loops (`db`). */
  readonly database_health: DatabaseHealth;
  readonly catalog: Catalog;
  readonly models: Models;
  /** Decrypts values that the database stores encrypted. */
  readonly sealer: Sealer;
  /** Secrets of the installation, which sign and hash. Rotations change their keys while the process runs. */
  readonly instance_secrets: InstanceSecrets;
  /** Signs links to customer pages. */
  readonly customer_links: Signer;
  /**
   * Hashes email addresses and networks before their attempts are counted, so that counters hold no personal
   * data.
   */
  readonly access_signer: Signer;
  /** Derives the idempotency keys of messages to processors, which nobody else can guess. */
  readonly message_signer: Signer;
  /** Hashes the contents of requests with idempotency keys, so that a copy of the database confirms no guesses. */
  readonly request_signer: Signer;
  /** Authenticates API keys and sessions. */
  readonly callers: Callers;
  /** Renders documents as PDF in a thread of its own. */
  readonly documents: Thread<unknown>;
  /** Client of the vault, which relays messages to processors. */
  readonly relay: Relay;
  /** Whether the clocks of the vault and of the database agree with this server's clock. */
  readonly clocks: Clocks;
  /** Whether the installation is closed after a restore. Work loops and writes of the API wait for it. */
  readonly restore_gate: RestoreGate;
  /** Whether the vault accepts messages. Payments are claimed only while it does. */
  readonly vault: VaultState;
  /** The processor for new payments of a mode. */
  readonly processorOf: (mode: 'live' | 'sandbox') => NetworkProcessor | undefined;
  /**
   * Finds a processor by name. Attempts and disputes store the name, so that later messages go to the same
   * processor.
   */
  readonly processorNamed: (name: string) => NetworkProcessor | undefined;
  /** Adapters to payment processors, by name. */
  readonly adapters: Readonly<Record<string, ProcessorAdapter>>;
  /** Accounts at payment processors. */
  readonly accounts: ProcessorAccounts;
  /** Notices of accounts whose key their processor refuses. */
  readonly account_keys: AccountKeys;
  /** Counts of this process about processors, for `/metrics`. */
  readonly processor_metrics: ProcessorMetrics;
  /** Sizes of batches, for `/metrics`. */
  readonly batch_sizes?: BatchSizes | undefined;
  /** Payment messages in flight. Each sandbox timeline that runs has its own. */
  readonly in_flight: PaymentsInFlight;
  /** Restricts which rows workers may claim; absent: all rows. */
  readonly within?: (() => Promise<ClaimScope | undefined>) | undefined;
  /** Services of the sandbox timelines, which belong to merchants and customers with advanced clocks. */
  readonly timelines: Timelines;
  /** Wakes work loops that have due rows; absent in sandbox timelines. */
  readonly due_watch?: DueWatch | undefined;
  /** Status of the work loops; absent in sandbox timelines. */
  readonly loop_statuses?: LoopStatuses | undefined;
  /** Rate limits of account emails. */
  readonly email_limits: EmailLimits;
  /** Reactions of later features to changes made by earlier features. */
  readonly reactions: Reactions;
  /** Wakes a work loop after a commit that created due work. */
  readonly wake: Wakes;
}

/** Concurrency limits of a sender of payments. */
export interface SendLimiters {
  /** Messages in flight, by merchant. */
  readonly messages: Limiter;
  /** The same messages, by account at a processor. */
  readonly accounts: Limiter;
  /** Relay calls to the vault. */
  readonly relays: Limiter;
}

/** Limits that the work loop and the requests of a process share. */
export interface PaymentsInFlight extends SendLimiters {
  /** Whether the work loop runs, which waits for all messages in flight before the process ends. */
  isOpen(): boolean;
  open(): void;
  close(): void;
}

/** Reacts to a changed payment in the transaction of the change. An error rolls the transaction back. */
export type PaymentReaction = (
  services: Services,
  tx: Db,
  changedRows: readonly ChangedRow[],
  now: Micros,
) => Promise<void>;

/** Reactions of later features to changes by earlier features: same transaction, listed order. */
export interface Reactions {
  readonly afterPaymentChange: readonly PaymentReaction[];
}

/** Entry of the directory: hash of a key, in hex, or code of a payment link. */
export interface DirectoryEntry {
  readonly value: string;
  readonly merchant_id: string;
}

/** The directory of an installation with cells. Each entry is stored before the cell has what it names. */
export interface CellDirectory {
  /** Enters a merchant, in a transaction on the global database. */
  enterMerchant(tx: Db, merchant_id: string): Promise<void>;
  enterKey(entry: DirectoryEntry): Promise<void>;
  enterLink(entry: DirectoryEntry): Promise<void>;
  /** Name of the other cell that has the key of this hash; undefined if none has, or the directory does not answer. */
  otherCellOfKey(key_hash: string): Promise<string | undefined>;
}

/**
 * State of a merchant that a cell does not serve. `leaving`: for reads only. `fenced`: the same, and no transaction may
 * write. `arriving`: the other cell still serves it. `moved`: the other cell serves it for good.
 */
export type StopState = 'leaving' | 'fenced' | 'arriving' | 'moved';

/** Why a cell does not serve a merchant. */
export interface Stop {
  readonly state: StopState;
  readonly other_cell: string;
}

/** Merchants of a cell that move, at most 500 ms old. */
export interface Stops {
  current(): ReadonlyMap<string, Stop> | Promise<ReadonlyMap<string, Stop>>;
}

/** Limits of account emails, counted across all callers and processes. */
export interface EmailLimits {
  /** Counts an email to the address, within `tx` if given. Returns whether the limit allows the email. */
  countEmailTo(email: string, tx?: Db): Promise<boolean>;
  /** Counts an email with a password reset link. Returns whether the limit allows the email. */
  countReset(email: string): Promise<boolean>;
  countNetwork(network: string): Promise<boolean>;
  countAccount(id: string): Promise<boolean>;
  countMerchant(id: string, tx?: Db): Promise<boolean>;
}

/** Sandbox timeline: everything that happens at the time of one sandbox clock. */
export interface Timeline {
  readonly id: string;
  readonly merchant_id: string;
  readonly customer_id: string | null;
  /** Instant to which the clock is being advanced; null if it is not advancing. */
  readonly target_at: string | null;
  /**
   * Services at the time of this clock. Their workers claim only rows of this timeline, and their signals wake only
   * these workers.
   */
  readonly services: Services;
  /** Offset from the system clock, in seconds. */
  offset_seconds(): number;
  /** Sets the offset. A smaller offset than the current one is ignored. */
  move(offset_seconds: number): void;
  /** While this process runs the timeline's loops, the timeline's signals wake only these loops. */
  setRunning(isRunningHere: boolean): void;
  isRunning(): boolean;
}

/** Timelines of the advanced clocks that this process knows. */
export interface Timelines {
  /** Reads the advanced clocks from the database again. */
  refresh(): Promise<void>;
  /** Services of the customer's timeline; without one, of the merchant's. */
  of(scope: Scope, customer_id?: string | null): Services;
  /** Whether customers of the merchant have clocks of their own. */
  haveCustomers(scope: Scope): boolean;
  find(id: string): Timeline | undefined;
  readonly size: number;
  /** Wakes when a timeline that this process does not run has due work or a target. */
  readonly wake: Signal;
  /** Wakes the loops of all timelines that this process runs, and checks others. */
  wakeAll(): void;
  /** Timelines to check now: woken and advancing ones, then at most `others_max` others in turn. */
  next(others_max: number): Timeline[];
}
