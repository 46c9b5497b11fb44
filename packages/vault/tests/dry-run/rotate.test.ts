import { describe, expect, test } from 'vitest';
import { openKms } from '../../src/keys/kms/open-kms.ts';
import { createVaultSelf } from '../../src/keys/vaults.ts';
import { previewRoot } from '../../src/rotation/preview/root.ts';
import { openDatabase } from '../../src/store/db.ts';
import type { TestVault } from '../support/vault.ts';
import { announce, expectTrial, type Trial, useFreshVault } from './try-command.ts';

const DAY = 24 * 60 * 60_000;

let vault: TestVault;
useFreshVault((fresh) => {
  vault = fresh;
});

const rotate = ({ admin }: TestVault, key: string) => admin('/rotate', { key });
const change = ({ database }: TestVault, sql: string, values: unknown[] = []) =>
  database.query(sql, values);
const age = (vault: TestVault, days: number) =>
  change(
    vault,
    `update vault.sealing_keys set active_at = active_at - $1 * interval '1 day',
       created_at = created_at - $1 * interval '1 day'`,
    [days],
  );

const PUBLISHED = ['live', 'sandbox'].map((mode) => `The ${mode} sealing key KID is published.`);
const WAITS =
  'The version becomes active within two minutes after all vaults have it. Remove a vault that no longer exists: npm run florin -- vault retire NAME. Vaults that are silent for 7 days are ignored.';
const OTHER = 'Vaults without it: other:/vault (last seen 2026-11-21T12:00:00.000Z).';
const COPY = 'Copy root-2.key (fingerprint HEX) from HOST:DIR to each of them.';
const NEW_ROOT = 'New keys are now wrapped with version 2 of the root key: DIR/root-2.key.';
const REWRAPPED = 'Rewrapped 2 keys with the newest version of the root key.';

const trials: Trial[] = [
  {
    name: 'rotate seal',
    path: '/rotate',
    body: { key: 'seal' },
    dry: [
      'Would publish a new live sealing key, for forms from 2026-11-22T12:00:00.000Z on.',
      'Would publish a new sandbox sealing key, for forms from 2026-11-22T12:00:00.000Z on.',
    ],
    earnest: PUBLISHED,
  },
  {
    name: 'rotate seal --now',
    path: '/rotate',
    body: { key: 'seal', at_once: true },
    prepare: (vault) => age(vault, 1),
    dry: ['live', 'sandbox'].flatMap((mode) => [
      `Would publish a new ${mode} sealing key, for forms from 2026-11-21T12:00:00.000Z on.`,
      `Would retire the ${mode} sealing key KID: it opens cards until 2026-11-23T12:00:00.000Z.`,
    ]),
    earnest: ['live', 'sandbox'].flatMap((mode) => [
      `The ${mode} sealing key KID is published.`,
      `The ${mode} sealing key KID is retired.`,
    ]),
  },
  {
    name: 'rotate seal of published keys, which destroys a key that was retired long ago',
    path: '/rotate',
    body: { key: 'seal' },
    prepare: async (vault) => {
      await age(vault, 1);
      await vault.admin('/rotate', { key: 'seal', at_once: true });
      await rotate(vault, 'seal');
      await change(
        vault,
        `update vault.sealing_keys set retired_at = retired_at - interval '2 days' where mode = 'live'`,
      );
    },
    dry: ['Would destroy the retired live sealing key KID.'],
    earnest: ['The live sealing key KID is destroyed.'],
  },
  {
    name: 'rotate seal of published keys',
    path: '/rotate',
    body: { key: 'seal' },
    prepare: (vault) => rotate(vault, 'seal'),
    dry: ['The next sealing keys are already published.'],
    earnest: ['The next sealing keys are already published.'],
  },
  {
    name: 'rotate kek',
    path: '/rotate',
    body: { key: 'kek' },
    prepare: async ({ ingest }) => {
      for (const merchant_id of ['merchant-a', 'merchant-b', 'merchant-a'])
        await ingest({ merchant_id });
    },
    dry: [
      'Would replace 2 merchant keys, and rewrap 3 cards.',
      'merchant-a (sandbox): version 2, 2 cards.',
      'merchant-b (sandbox): version 2, 1 cards.',
    ],
    earnest: [
      'merchant-a (sandbox): 2 rewrapped, 0 unreadable.',
      'merchant-b (sandbox): 1 rewrapped, 0 unreadable.',
    ],
  },
  {
    name: 'rotate kek of one merchant',
    path: '/rotate',
    body: { key: 'kek', merchant_id: 'merchant-b', mode: 'sandbox' },
    prepare: async ({ ingest }) => {
      for (const merchant_id of ['merchant-a', 'merchant-b']) await ingest({ merchant_id });
    },
    dry: [
      'Would replace 1 merchant keys, and rewrap 1 cards.',
      'merchant-b (sandbox): version 2, 1 cards.',
    ],
    earnest: ['merchant-b (sandbox): 1 rewrapped, 0 unreadable.'],
  },
  {
    name: 'rotate kek of many merchants, which names twenty',
    path: '/rotate',
    body: { key: 'kek' },
    prepare: async ({ ingest }) => {
      for (let n = 10; n < 32; n++) await ingest({ merchant_id: `m${n}` });
    },
    dry: [
      'Would replace 22 merchant keys, and rewrap 22 cards.',
      ...Array.from({ length: 20 }, (_, n) => `m${n + 10} (sandbox): version 2, 1 cards.`),
      'And 2 more.',
    ],
    earnest: Array.from(
      { length: 22 },
      (_, n) => `m${n + 10} (sandbox): 1 rewrapped, 0 unreadable.`,
    ),
  },
  {
    name: 'rotate kek of nobody',
    path: '/rotate',
    body: { key: 'kek', merchant_id: 'nobody' },
    dry: ['No key matches.'],
    earnest: ['No key matches.'],
  },
  {
    name: 'rotate root',
    path: '/rotate',
    body: { key: 'root' },
    dry: [
      'Would create version 2 of the root key: DIR/root-2.key.',
      'Would wrap new keys with version 2, and rewrap 2 stored keys with it.',
    ],
    earnest: [NEW_ROOT, REWRAPPED],
  },
  {
    name: 'rotate root beside a vault that would lack the key',
    path: '/rotate',
    body: { key: 'root' },
    prepare: (vault) => announce(vault, 'other:/vault'),
    is_refused: true,
    dry: [
      'Would create version 2 of the root key: DIR/root-2.key.',
      `Version 2 of the root key is not active yet. ${OTHER} Each of them needs DIR/root-2.key. ${WAITS} Nothing was changed.`,
    ],
    earnest: [`Version 2 of the root key is not active yet. ${OTHER} ${COPY} ${WAITS}`],
  },
  {
    name: 'rotate root while a vault lacks the key',
    path: '/rotate',
    body: { key: 'root' },
    prepare: async (vault) => {
      await announce(vault, 'other:/vault');
      await rotate(vault, 'root');
    },
    is_refused: true,
    dry: [
      `Version 2 of the root key is not active yet. ${OTHER} ${COPY} ${WAITS} Nothing was changed.`,
    ],
    earnest: [`Version 2 of the root key is not active yet. ${OTHER} ${COPY} ${WAITS}`],
  },
  {
    name: 'rotate root once every vault has the key',
    path: '/rotate',
    body: { key: 'root' },
    prepare: async (vault) => {
      await announce(vault, 'other:/vault');
      await rotate(vault, 'root');
      await change(vault, `update vault.vaults set holds = '{1,2}' where name = 'other:/vault'`);
    },
    dry: ['Would wrap new keys with version 2, and rewrap 2 stored keys with it.'],
    earnest: [NEW_ROOT, REWRAPPED],
  },
  {
    name: 'rotate root beside a vault that is absent',
    path: '/rotate',
    body: { key: 'root' },
    prepare: (vault) => announce(vault, 'old:/vault', { silent_ms: 8 * DAY }),
    dry: [
      'Would create version 2 of the root key: DIR/root-2.key.',
      'Would wrap new keys with version 2, and rewrap 2 stored keys with it.',
      'Would not wait for vaults that were silent for 7 days: old:/vault (last seen 2026-11-13T12:00:00.000Z). Copy the key to any that starts again: until then it serves no cards.',
    ],
    earnest: [
      NEW_ROOT,
      'The rotation did not wait for vaults that were silent for 7 days: old:/vault (last seen 2026-11-13T12:00:00.000Z). Copy the key to any that starts again: until then it serves no cards.',
      REWRAPPED,
    ],
  },
  {
    name: 'rotate epoch',
    path: '/rotate',
    body: { key: 'epoch' },
    dry: ['Would start a new epoch of verification values in both modes.'],
    earnest: ['A new epoch started in both modes.'],
  },
  {
    name: 'rotate everything',
    path: '/rotate',
    body: { key: 'everything' },
    is_refused: true,
    dry: ['key must be seal, kek, root, epoch or due.'],
    earnest: ['key must be seal, kek, root, epoch or due.'],
  },
];

/** Rotations that are due, and the sentences of the dry run. */
const due: Pick<Trial, 'name' | 'prepare' | 'dry'>[] = [
  { name: 'nothing', dry: ['No rotation is due.'] },
  {
    name: 'every key',
    prepare: async (vault) => {
      await vault.ingest();
      await age(vault, 30);
      for (const table of ['keks', 'root_keys'])
        await change(vault, `update vault.${table} set rotate_at = created_at`);
    },
    dry: [
      'Would publish a new live sealing key, for forms from 2026-11-22T12:00:00.000Z on.',
      'Would publish a new sandbox sealing key, for forms from 2026-11-22T12:00:00.000Z on.',
      'Would replace 1 merchant keys, and rewrap 1 cards.',
      'merchant-a (sandbox): version 2, 1 cards.',
      'Would create version 2 of the root key: DIR/root-2.key.',
      'Would wrap new keys with version 2, and rewrap 6 stored keys with it.',
    ],
  },
  {
    name: 'an interrupted rotation of a merchant’s key',
    prepare: async (vault) => {
      await vault.ingest();
      const [card] = await change(vault, 'select kek_version, wrapped_dek from vault.cards');
      await rotate(vault, 'kek');
      await change(vault, 'update vault.cards set kek_version = $1, wrapped_dek = $2', [
        card?.kek_version,
        card?.wrapped_dek,
      ]);
      await change(vault, `update vault.keks set rewrap_cursor = '' where version = 2`);
    },
    dry: [
      'Would finish 1 interrupted rotations of merchant keys, and rewrap 1 cards.',
      'merchant-a (sandbox): version 2, 1 cards.',
    ],
  },
  {
    name: 'the deletion of a replaced key of a merchant',
    prepare: async (vault) => {
      await vault.ingest();
      await rotate(vault, 'kek');
      await change(vault, 'update vault.keks set destroy_at = created_at where version = 1');
    },
    dry: ['Would delete replaced merchant keys that no card needs: 1.'],
  },
  {
    name: 'the end of an interrupted rotation of the root key',
    prepare: async (vault) => {
      await rotate(vault, 'root');
      await change(vault, 'update vault.root_keys set destroy_at = null');
    },
    dry: ['Would rewrap 0 stored keys with version 2 of the root key.'],
  },
  {
    name: 'the destruction of a replaced root key',
    prepare: async (vault) => {
      await rotate(vault, 'root');
      await change(vault, 'update vault.root_keys set destroy_at = created_at where version = 1');
    },
    dry: ['Would destroy version 1 of the root key.'],
  },
  {
    name: 'the end of an interrupted destruction of a root key',
    prepare: async (vault) => {
      await rotate(vault, 'root');
      await change(vault, 'delete from vault.root_keys where version = 1');
    },
    dry: ['Would finish the destruction of version 1 of the root key.'],
  },
  {
    name: 'a rotation of the root key that needs an operator',
    prepare: async (vault) => {
      await announce(vault, 'other:/vault');
      await change(vault, 'update vault.root_keys set rotate_at = created_at');
    },
    dry: ['A rotation of the root key is due, and needs an operator: rotate root.'],
  },
  {
    name: 'a root key that a vault lacks',
    prepare: async (vault) => {
      await announce(vault, 'other:/vault');
      await rotate(vault, 'root');
    },
    dry: [`Version 2 of the root key is not active yet. ${OTHER} ${COPY} ${WAITS}`],
  },
];

describe('--dry-run says what the command does, or why it refuses, and changes nothing:', () => {
  test.each(trials)('$name', async (trial) => {
    await expectTrial(vault, trial);
  });

  test.each(due)('rotate due with $name', async (trial) => {
    // The schedule has then run once, and runs again after a minute.
    await rotate(vault, 'due');
    await expectTrial(vault, {
      ...trial,
      path: '/rotate',
      body: { key: 'due' },
      earnest: ['All rotations that were due are done. The audit log lists them.'],
    });
  });
});

test('rotate root with an HSM waits until other vaults have read the key, and needs no operator', async () => {
  await announce(vault, 'other:/vault');
  await using db = await openDatabase(vault.config.databaseUrl, () => {});
  await using kms = await openKms({ provider: 'file' }, vault.config.dataDir);
  const hsm = { ...kms, describe: async () => ({ provider: 'pkcs11', versions: [1] }) as const };
  const sentences: string[] = [];
  const deps = {
    db,
    kms: hsm,
    clock: () => vault.clock.now,
    self: createVaultSelf(vault.config),
    keyWatch: { status: () => ({ holds: [1], lacks: [], is_due: false, key_ages: {} }) },
  };
  await previewRoot(deps, (sentence) => sentences.push(sentence));
  expect(sentences.slice(1)).toEqual([
    'Would wait until these vaults have read it: other:/vault (last seen 2026-11-21T12:00:00.000Z).',
    'Would wrap new keys with version 2, and rewrap 2 stored keys with it.',
  ]);
});
