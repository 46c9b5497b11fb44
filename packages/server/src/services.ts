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
import type { Pulses } from './platform/workers/pulses.ts';
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
  readonly machine: Clock;
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
  readonly worlds: Worlds;
  /** Status of the work loops; absent in sandbox timelines. */
  readonly pulses?: Pulses | undefined;
  /** Rate limits of account emails. */
  readonly letter_limits: LetterLimits;
  /** What later features do when earlier ones change something. */
  readonly reactions: Reactions;
  /** Raised after a commit that left work due. */
  readonly wake: Readonly<
    Record<
      | 'authorise'
      | 'refund'
      | 'capture'
      | 'dispute'
      | 'balance'
      | 'deliver'
      | 'replay'
      | 'letters'
      | 'account_letters',
      Signal
    >
  >;
}

/** Runs in the transaction that changes payments, once the change is stored. Throws what undoes the transaction. */
export type PaymentReaction = (
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
) => Promise<void>;

/** Points at which later features react to what earlier ones do, in the same transaction and in the order given. */
export interface Reactions {
  readonly afterPaymentChange: readonly PaymentReaction[];
}

/** Whether one more letter may be written. What people ask for counts together, whoever asks, in all processes. */
export interface LetterLimits {
  /** Whether the address may be sent one more; of a transaction that is not committed it does not count. */
  address(email: string, tx?: Db): Promise<boolean>;
  /** Whether the address may be sent one more link to a new password. */
  reset(email: string): Promise<boolean>;
  network(network: string): Promise<boolean>;
  account(id: string): Promise<boolean>;
  merchant(id: string, tx?: Db): Promise<boolean>;
}

/** What is done at the time of one clock: of a merchant's sandbox, or of one customer. */
export interface World {
  readonly id: string;
  readonly merchant_id: string;
  readonly customer_id: string | null;
  /** Where the clock is going. */
  readonly target_at: string | null;
  /** Services whose clock is this one, which claim what is of this world, and have signals of their own. */
  readonly services: Services;
  /** How far it is ahead of the machine's, seconds. */
  ahead_s(): number;
  /** It goes on from `ahead_s`; never back. */
  move(ahead_s: number): void;
  /** While its loops run in this process its signals wake these alone. */
  attend(here: boolean): void;
}

/** Which clocks are moved, as this process knows it. */
export interface Worlds {
  /** Reads them anew. */
  refresh(): Promise<void>;
  /** Services with the time of a customer, or else of its merchant. */
  of(scope: Scope, customer_id?: string | null): Services;
  /** Whether customers of a merchant have clocks of their own. */
  haveCustomers(scope: Scope): boolean;
  find(id: string): World | undefined;
  readonly size: number;
  /** Raised when a world that is not attended to here may have something to do, or somewhere to go. */
  readonly wake: Signal;
  /** Worlds to look at now, each once: those that were woken, those that go somewhere, and in turns all others, at most so many. */
  next(others_max: number): World[];
}
