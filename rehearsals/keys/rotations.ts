import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Member } from '../support/cluster.ts';
import { tryFlorin } from '../support/command.ts';
import type { Payer, Resource } from '../support/payer.ts';
import { type Interruption, interrupt, killGroup } from './interrupt.ts';
import type { Receiver } from './receiver.ts';
import { restartServers, waitForServers } from './restart.ts';

/** One rotation, as the operators' page describes it. */
export interface Rotation {
  readonly name: string;
  /** Whether a process ends meanwhile, so that requests to it may break. */
  readonly ends_processes?: true;
  run(place: Place): Promise<void>;
}

export interface Place {
  readonly cluster: Cluster;
  readonly payer: Payer;
  readonly receiver: Receiver;
  readonly subscription: Resource;
  /** Sentences about what commands printed. */
  readonly log: string[];
  /** Time after `secrets rotate` at which new secrets sign. */
  readonly activation_ms: number;
  /** Pays the form that was open before the rotation. */
  payOpenForm(): Promise<void>;
}

export const ROTATIONS: readonly Rotation[] = [
  {
    name: 'sealing keys of forms',
    async run(place) {
      await florin(place, 'vault', 'rotate', 'seal');
      await florin(place, 'vault', 'rotate', 'seal', '--now');
    },
  },
  {
    name: 'keys of security codes',
    run: (place) => florin(place, 'vault', 'rotate', 'epoch'),
  },
  {
    name: 'merchant keys',
    run: (place) => florin(place, 'vault', 'rotate', 'kek'),
  },
  {
    name: 'merchant keys, vault killed',
    ends_processes: true,
    async run(place) {
      await killIn(place, 'vault', KEK_MIDDLE, ['vault', 'rotate', 'kek']);
      await florin(place, 'vault', 'rotate', 'kek');
    },
  },
  {
    name: 'root key, vault killed',
    ends_processes: true,
    async run(place) {
      await killIn(place, 'vault', ROOT_MIDDLE, ['vault', 'rotate', 'root']);
      // Continues. `rotate root` would create one more version.
      await florin(place, 'vault', 'rotate', 'due');
      await florin(place, 'vault', 'destroy', 'root', '1');
      const file = join(place.cluster.dataDir, 'vault', 'root.key');
      if (existsSync(file)) throw new Error('The old root key was not destroyed.');
    },
  },
  {
    name: 'instance secrets',
    async run(place) {
      await florin(place, 'secrets', 'rotate');
      await sleep(place.activation_ms);
      await place.payOpenForm();
      await florin(place, 'secrets', 'end-overlap');
    },
  },
  {
    name: 'secrets.key, command killed',
    ends_processes: true,
    run: rotateSecretsKey,
  },
  {
    name: 'secret of a webhook',
    async run({ payer, receiver, subscription }) {
      const path = `/v2/webhook_subscriptions/${subscription.id}/rotate_secret`;
      const { attributes } = await payer.send('PATCH', path, 'rotate webhook');
      receiver.addSecret(String(attributes.secret_key));
    },
  },
];

type Middle = Pick<Interruption, 'lock' | 'waiting'>;

/** The new key of a merchant exists, and no card has it. */
const KEK_MIDDLE: Middle = {
  lock: 'lock table vault.cards in share row exclusive mode',
  waiting: 'update vault.cards card%',
};
/** Most keys have the new root key, and some do not. */
const ROOT_MIDDLE: Middle = {
  lock: 'lock table vault.cvv_epochs in exclusive mode',
  waiting: '%vault.cvv_epochs%root_version < $1%',
};
/** Some columns have the new key, and others do not. */
const RESEAL_MIDDLE: Middle = {
  lock: 'lock table account_letters in access exclusive mode',
  waiting: 'select id as owner, id, body as stored from account_letters%',
};

const envOf = ({ dataDir, serverUrl }: Cluster): Record<string, string> => ({
  FLORIN_DATA: dataDir,
  DATABASE_URL: serverUrl,
});

async function florin({ cluster, log }: Place, ...words: string[]): Promise<void> {
  const { code, text } = await tryFlorin(envOf(cluster), ...words);
  log.push(`florin ${words.join(' ')}: ${text.trim().replaceAll('\n', ' | ')}`);
  if (code !== 0) throw new Error(`florin ${words.join(' ')} failed: ${text}`);
}

/** Kills the vault or the command with SIGKILL, while the command waits in its middle. */
async function killIn(
  { cluster, log }: Place,
  victim: 'vault' | 'command',
  middle: Middle,
  words: readonly string[],
): Promise<void> {
  const vault = cluster.members.find(({ role }) => role === 'vault') as Member;
  const printed = await interrupt({
    ...middle,
    adminUrl: cluster.adminUrl,
    env: envOf(cluster),
    words,
    kill: (command) => {
      if (victim === 'command') killGroup(command);
      else process.kill(vault.pid(), 'SIGKILL');
    },
  });
  log.push(`florin ${words.join(' ')}, ${victim} killed: ${printed.replaceAll('\n', ' | ')}`);
  if (victim === 'vault') await waitForVault(cluster);
}

/** Waits until the supervisor has started the vault again, and all servers reach it. */
async function waitForVault(cluster: Cluster): Promise<void> {
  const deadline = performance.now() + VAULT_LIMIT_MS;
  for (;;) {
    const { code, text } = await tryFlorin(envOf(cluster), 'vault', 'keys');
    if (code === 0) break;
    if (performance.now() > deadline) throw new Error(`The vault did not return: ${text}`);
  }
  await waitForServers(cluster);
}

const VAULT_LIMIT_MS = 60_000;

async function rotateSecretsKey(place: Place): Promise<void> {
  const { cluster } = place;
  const file = join(cluster.dataDir, 'secrets.key');
  const write = (...keys: string[]) => writeFile(file, `${keys.join('\n')}\n`, { mode: 0o600 });
  const old = (await readFile(file, 'utf8')).trim();
  const key = randomBytes(KEY_BYTES).toString('base64');
  for (const keys of [
    [old, key],
    [key, old],
  ]) {
    await write(...keys);
    await restartServers(cluster);
  }
  await killIn(place, 'command', RESEAL_MIDDLE, ['secrets', 'reseal']);
  await florin(place, 'secrets', 'reseal');
  await write(key);
  await restartServers(cluster);
}

const KEY_BYTES = 32;
