import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { createHosts } from '@florin/contract/database/hosts.ts';
import { type Config, runsWork } from './config/config.ts';
import { createHostClient } from './platform/database/wire/host-client.ts';
import { createSignal, type Signal } from './platform/workers/signal.ts';
import { startWakeListener, type WakeListener } from './platform/workers/wake-listener.ts';
import { createPublishedSignal, createWakePublisher } from './platform/workers/wake-publisher.ts';
import { createWakes, type Wakes, wakeNames } from './platform/workers/wakes.ts';
import type { Services } from './services.ts';

/** Channel of work that belongs to a sandbox timeline. */
const TIMELINES = 'timelines';

export interface WorkSignals extends AsyncDisposable {
  readonly wake: Wakes;
  /** Checks the sandbox timelines. */
  readonly timelines_wake: Signal;
}

/** Creates the signals of a process. Without work loops of its own, they wake those of other processes. */
export function createWorkSignals({
  config,
  db,
  logger,
}: Pick<Services, 'config' | 'db' | 'logger'>): WorkSignals {
  const publisher = runsWork(config)
    ? undefined
    : createWakePublisher(db, schemaOf(config), logger);
  const signalOf = (loop: string): Signal =>
    publisher ? createPublishedSignal(loop, publisher) : createSignal();
  return {
    wake: createWakes(signalOf),
    timelines_wake: signalOf(TIMELINES),
    [Symbol.asyncDispose]: async () => publisher?.[Symbol.asyncDispose](),
  };
}

const schemaOf = ({ database_url }: Pick<Config, 'database_url'>): string =>
  parseDatabaseAddress(database_url).schema;

const CONNECT_MS = 5_000;

/** Wakes the work loops when a process without loops has made work for them. */
export function startListening({ config, logger, wake, timelines }: Services): WakeListener {
  const hosts = createHosts(config.listen_database_url ?? config.database_url);
  return startWakeListener({
    loops: [...wakeNames, TIMELINES],
    schema: schemaOf(config),
    logger,
    createClient: () =>
      createHostClient(hosts, {
        application_name: 'florin listener',
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
      }),
    onWake(loop) {
      if (loop === TIMELINES) timelines.wakeAll();
      else wake[loop as keyof typeof wake].raise();
    },
  });
}
