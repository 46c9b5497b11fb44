import type { Config } from '../config/config.ts';
import type { Models } from '../jsonapi/model.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Sealer } from '../kernel/sealer.ts';
import type { Signal } from '../kernel/signal.ts';
import type { Processor } from '../processors/processor.ts';
import type { Relay } from '../processors/relay.ts';
import type { Callers } from '../store/callers.ts';
import type { Catalog } from '../store/catalog.ts';
import type { Database, Db } from '../store/db.ts';

/** What features work with. Made once, in `app.ts`. */
export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly db: Database;
  /** The same database over connections of their own, for what the interface reads. */
  readonly reads: Db;
  readonly catalog: Catalog;
  readonly models: Models;
  /** Opens what is kept sealed in the database. */
  readonly sealer: Sealer;
  /** Who the keys belong to. */
  readonly callers: Callers;
  /** The way to the vault, and through it to processors. */
  readonly relay: Relay;
  /** The processor that takes the payments of a mode. */
  readonly processorOf: (mode: 'live' | 'sandbox') => Processor | undefined;
  /** Raised after a commit that left work due. */
  readonly wake: Readonly<
    Record<
      'authorise' | 'refund' | 'capture' | 'dispute' | 'balance' | 'deliver' | 'replay',
      Signal
    >
  >;
}
