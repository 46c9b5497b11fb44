import type { Config } from './config/config.ts';
import type { Callers } from './features/merchants/sql/callers.ts';
import type { LetterLimits } from './features/people/emails/limits.ts';
import type { Worlds } from './features/timelines/worlds.ts';
import type { Models } from './jsonapi/model.ts';
import type { Sealer } from './platform/crypto/sealer.ts';
import type { Signer } from './platform/crypto/signer.ts';
import type { Catalog } from './platform/database/catalog.ts';
import type { Database, Db } from './platform/database/db.ts';
import type { DatabaseHealth } from './platform/database/health.ts';
import type { Within } from './platform/database/within.ts';
import type { Logger } from './platform/logger.ts';
import type { Clock } from './platform/time/clock.ts';
import type { Clocks } from './platform/time/clock-watch.ts';
import type { Pulses } from './platform/workers/pulses.ts';
import type { Signal } from './platform/workers/signal.ts';
import type { Processor } from './processors/processor.ts';
import type { Relay } from './processors/relay.ts';
import type { VaultState } from './processors/vault-watch.ts';

/** What features work with. Made once, in `app.ts`, and once more for each world whose clock is moved. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  /** The time outside, for what others compare with their own; the same but in worlds. */
  readonly machine: Clock;
  readonly logger: Logger;
  readonly db: Database;
  /** The same database over connections of their own, for what the interface reads. */
  readonly reads: Db;
  /** Whether the database answers on the connections of `db`, which the work loops always use. */
  readonly database_health: DatabaseHealth;
  readonly catalog: Catalog;
  readonly models: Models;
  /** Opens what is kept sealed in the database. */
  readonly sealer: Sealer;
  /** Signs the links with which customers come to their own page. */
  readonly customer_links: Signer;
  /** Hashes what is kept of people's tries and requests, so that what is stored names nobody. */
  readonly access_signer: Signer;
  /** Who the keys belong to. */
  readonly callers: Callers;
  /** The way to the vault, and through it to processors. */
  readonly relay: Relay;
  /** Whether the vault's and the database's clocks agree with this server's. */
  readonly clocks: Clocks;
  /** Whether the vault takes messages; while it does not, no payment is claimed. */
  readonly vault: VaultState;
  /** The processor that takes the new payments of a mode. */
  readonly processorOf: (mode: 'live' | 'sandbox') => Processor | undefined;
  /** The processor by its name, which attempts and disputes keep: all that comes later goes to that one. */
  readonly processorNamed: (name: string) => Processor | undefined;
  /** Which rows are to be claimed; all of them without it. */
  readonly within?: (() => Promise<Within | undefined>) | undefined;
  /** The services of the sandbox's worlds: of merchants and customers whose clocks are moved. */
  readonly worlds: Worlds;
  /** What work loops tell of themselves; those of worlds have none. */
  readonly pulses?: Pulses | undefined;
  /** How often people are written to about accounts. */
  readonly letter_limits: LetterLimits;
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
