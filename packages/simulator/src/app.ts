import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { localOrigin } from '@florin/contract/origin.ts';
import { createBank } from './acs/site.ts';
import { createAdyen } from './adyen/create.ts';
import { createCheckoutCom } from './checkout-com/create.ts';
import { type FaultOf, faultOfAmount } from './faults.ts';
import { closeServer, createHttpServer } from './http.ts';
import { type NetworkLedger, openLedger } from './ledger.ts';
import { createNetwork, type Network } from './network.ts';
import { createDoor, type Door } from './stand-in/door.ts';
import { type BehaviourOf, behaviourOfAmount } from './threeds/behaviours.ts';
import { type Challenges, createChallenges } from './threeds/challenges.ts';
import { createDirectory } from './threeds/directory.ts';
import { createResultSender } from './threeds/results.ts';
import { createWalletSheet } from './wallets/sheet.ts';
import { createWorldpayCnp } from './worldpay-cnp/create.ts';

export interface SimulatorConfig {
  /** Directory of the ledger; only one simulator may use it at a time. */
  readonly dataDir: string;
  /** Listening port; 0 selects a free port. */
  readonly port: number;
  /** Listening address. Default: loopback only. */
  readonly host?: string;
  readonly faults?: FaultOf;
  readonly behaviours?: BehaviourOf;
  /** Multiplies the delays of the bank and the directory server; default 1. */
  readonly pace?: number;
  /** Origin of the bank's pages for browsers; default `acs.localhost` at the same port. */
  readonly acsUrl?: string;
  readonly now?: () => Date;
  /** Last ports of the stand-ins' own addresses, by their prefixes. Absent: they have none. */
  readonly doorPorts?: Readonly<Record<string, number>>;
}

export interface Simulator extends AsyncDisposable {
  readonly url: string;
  /** Own addresses of the stand-ins, by their prefixes. */
  readonly doors: Readonly<Record<string, string>>;
}

const LOOPBACK = '127.0.0.1';
const ACS_HOST = 'acs.localhost';

/** Starts a sandbox card network, which serves once the promise resolves and stops when it is disposed of. */
export async function createSimulator(config: SimulatorConfig): Promise<Simulator> {
  const { dataDir, port, host = LOOPBACK } = config;
  const ledger = openLedger(dataDir, config.now);
  const closingController = new AbortController();
  const pace = config.pace ?? 1;
  const challenges = createChallenges({
    send: createResultSender(pace, closingController.signal),
    pace,
  });
  const origins = { acs: '' };
  const doorUrls: Record<string, string> = {};
  const processors = [createCheckoutCom(config), createAdyen(config), createWorldpayCnp(config)];
  const doors = processors.map((processor) => createDoor(processor, host));
  const server = createHttpServer({
    network: assembleNetwork(config, {
      ledger,
      challenges,
      closingSignal: closingController.signal,
      origins,
    }),
    bank: createBank({ challenges, pace, closingSignal: closingController.signal }),
    walletSheet: createWalletSheet(config.now ?? (() => new Date())),
    bankHost: new URL(config.acsUrl ?? `http://${ACS_HOST}`).hostname,
    standIns: doors,
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
    if (config.doorPorts) Object.assign(doorUrls, await openDoors(doors, config.doorPorts));
  } catch (error) {
    for (const processor of processors) processor[Symbol.dispose]();
    ledger[Symbol.dispose]();
    throw error;
  }
  const { port: listeningPort } = server.address() as AddressInfo;
  origins.acs = config.acsUrl ?? `http://${ACS_HOST}:${listeningPort}`;
  return {
    url: localOrigin(host, listeningPort),
    doors: doorUrls,
    async [Symbol.asyncDispose]() {
      closingController.abort();
      challenges.close();
      await Promise.all([closeServer(server), ...doors.map((door) => door[Symbol.asyncDispose]())]);
      for (const processor of processors) processor[Symbol.dispose]();
      ledger[Symbol.dispose]();
    },
  };
}

/** Opens the stand-ins' own addresses, at their last ports where these are free. */
async function openDoors(
  doors: readonly Door[],
  ports: Readonly<Record<string, number>>,
): Promise<Record<string, string>> {
  const urls = doors.map(async (door) => [door.prefix, await door.open(ports[door.prefix] ?? 0)]);
  return Object.fromEntries(await Promise.all(urls));
}

interface NetworkResources {
  readonly ledger: NetworkLedger;
  readonly challenges: Challenges;
  readonly closingSignal: AbortSignal;
  /** Origins for browsers. `acs` is set when the port is known, after the server listens. */
  readonly origins: { readonly acs: string };
}

function assembleNetwork(
  {
    faults = faultOfAmount,
    behaviours = behaviourOfAmount,
    now = () => new Date(),
  }: SimulatorConfig,
  { ledger, challenges, closingSignal, origins }: NetworkResources,
): Network {
  const directory = createDirectory({
    challenges,
    behaviourOf: behaviours,
    acsUrl: () => origins.acs,
  });
  return createNetwork({ ledger, directory, faultOf: faults, now, closingSignal });
}
