import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Manifest, manifestName } from './base-backup.ts';
import { keyNotes, readCatalog, segmentNotes, suspectSegments } from './catalog.ts';
import { addBackupKey, ensureBackupKey, readBackupKey } from './keys/backup-key.ts';
import { segmentAfter } from './log-segments.ts';
import {
  ensureRepository,
  openRepository,
  openToWrite,
  type Repository,
  sealingKeyOf,
  storeJson,
} from './repository.ts';
import { planRestore } from './restore-plan.ts';
import { rolledBack } from './rolled-back.ts';
import { LOG_STATE, logName } from './ship-log.ts';

const ID = 'repository-1';
const FIRST = '000000010000000000000010';
const segment = (number: number) => segmentAfter(FIRST, number);
const at = (minute: number) => `2026-11-28T10:${minute}:00.000Z`;

let root: string;
let directory: string;
let keyFile: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'florin-catalog-'));
  [directory, keyFile] = [join(root, 'repository'), join(root, 'key')];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Stores a base backup of a minute, and the segments until the next minute. */
async function backUp(repository: Repository, minute: number): Promise<void> {
  const manifest: Manifest = {
    label: `2026112810${minute}`,
    stopped_at: at(minute),
    start_segment: segment(minute),
    stop_segment: segment(minute + 1),
    postgres_major: '18',
    migrations: { server: '', vault: '' },
    passwords: { postgres: '', florin_owner: '', florin_server: '', florin_vault: '' },
    keys: [],
    directories: [],
    files: [],
  };
  await mkdir(dirname(join(directory, manifestName(manifest.label))), { recursive: true });
  await storeJson(repository, manifestName(manifest.label), manifest);
  for (const number of [minute, minute + 1, minute + 2])
    await storeJson(repository, logName(segment(number)), 'log');
  const log = { covers_until: at(minute + 2), last_segment: segment(minute + 2) };
  await storeJson(repository, LOG_STATE, log);
}

/** A repository with one base backup, and the key file that sealed it. */
async function firstBackup() {
  const { key } = await ensureBackupKey(keyFile);
  const repository = await ensureRepository(directory, key, ID);
  await backUp(repository, 10);
  return { key, repository };
}

async function rotate() {
  const key = await addBackupKey(keyFile);
  return { key, repository: await openToWrite(directory, key, ID) };
}

describe('a copy of the key file from before a rotation', () => {
  it('restores everything that was sealed before the rotation', async () => {
    const { key } = await firstBackup();
    await rotate();
    const old = await openRepository(directory, key);
    const catalog = await readCatalog(old);
    expect(catalog).toMatchObject({ bases: [{ label: '202611281010' }], shut: 0 });
    expect(catalog.log?.covers_until).toBe(at(12));
    expect(keyNotes(old, catalog)).toEqual([expect.stringMatching(/before a rotation.* 0 base/)]);
  });

  it('leaves what came after it, and restores to the last segment that opens', async () => {
    const { key } = await firstBackup();
    const { repository } = await rotate();
    await backUp(repository, 13);
    const old = await openRepository(directory, key);
    const catalog = await readCatalog(old);
    expect(catalog).toMatchObject({ shut: 4, log: { covers_until: at(10) } });
    expect(planRestore(catalog)).toMatchObject({
      plan: {
        base: { label: '202611281010' },
        segments: [segment(10), segment(11), segment(12)],
        is_whole: true,
        knows_until: at(10),
      },
    });
    expect(keyNotes(old, catalog)).toEqual([
      expect.stringContaining('4 base backups and segments'),
    ]);
  });

  it('is refused if it opens nothing, and never seals', async () => {
    await firstBackup();
    const { key } = await ensureBackupKey(join(root, 'other'));
    const refusal = /The key does not fit: /;
    await expect(readCatalog(await openRepository(directory, key))).rejects.toThrow(refusal);
    await expect(openToWrite(directory, key, ID)).rejects.toThrow(refusal);
  });

  it('is not made of the whole key file by a changed description, which would hide later backups', async () => {
    const { key } = await firstBackup();
    const path = join(directory, 'florin-backup.json');
    const description = JSON.parse(readFileSync(path, 'utf8'));
    for (const proofs of [description.proofs, undefined, {}]) {
      const changed = { ...description, key_fingerprint: '0123456789abcdef', proofs };
      writeFileSync(path, JSON.stringify(changed));
      const opened = await openRepository(directory, key);
      await expect(readCatalog(opened)).rejects.toThrow(/does not confirm that/);
    }
  });

  it('is not needed for a description of an earlier release, which the next write proves', async () => {
    const { key } = await firstBackup();
    const path = join(directory, 'florin-backup.json');
    const { proofs, ...description } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify(description));
    expect(await readCatalog(await openRepository(directory, key))).toMatchObject({ shut: 0 });
    await openToWrite(directory, key, ID);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...description, proofs });
  });

  it('does not take the rotation back when a process still holds it', async () => {
    const { key } = await firstBackup();
    const rotated = await rotate();
    await expect(openToWrite(directory, key, ID)).rejects.toThrow(/The key does not fit: /);
    expect(await sealingKeyOf(directory)).toBe(rotated.key.fingerprint);
  });
});

describe('the whole key file', () => {
  it('reads every base backup, and warns about one that an older key sealed later', async () => {
    const { repository: before } = await firstBackup();
    const { key, repository } = await rotate();
    await backUp(repository, 13);
    const sound = await readCatalog(repository);
    expect(sound).toMatchObject({ shut: 0, suspects: [], bases: [{}, {}] });
    expect(keyNotes(repository, sound)).toEqual([]);

    await backUp(before, 16);
    const opened = await openRepository(directory, key);
    const catalog = await readCatalog(opened);
    expect(catalog.suspects).toEqual(['202611281016']);
    expect(keyNotes(opened, catalog)).toEqual([expect.stringMatching(/202611281016.*forged/)]);
  });

  it.each([
    ['no segments in order', 'old', ['old', 'old', 'new', 'new'], []],
    ['a segment after a newer one', 'old', ['old', 'new', 'old', 'new'], [12]],
    ['segments after a base backup with a newer key', 'new', ['old', 'old', 'old'], [12]],
  ] as const)('suspects %s', async (_, base, seals, suspects) => {
    const { repository: before } = await firstBackup();
    const { key, repository } = await rotate();
    await backUp(base === 'new' ? repository : before, 10);
    const opened = await openRepository(directory, key);
    const fingerprints = { old: before.key.fingerprint, new: key.fingerprint };
    const keys = new Map(seals.map((seal, at) => [segment(10 + at), fingerprints[seal]]));
    const found = suspectSegments(opened, await readCatalog(opened), keys);
    expect(found).toEqual(suspects.map(segment));
    expect(segmentNotes(found)).toHaveLength(suspects.length);
  });

  it('still refuses a manifest that was changed', async () => {
    await firstBackup();
    const path = join(directory, manifestName('202611281010'));
    writeFileSync(path, 'changed');
    appendFileSync(path, Buffer.alloc(40));
    const repository = await openRepository(directory, readBackupKey(keyFile));
    await expect(readCatalog(repository)).rejects.toThrow(/is no sealed file/);
  });
});

describe('a repository that somebody else can write to', () => {
  it('is known to be an earlier state once it ends before the time that it had reached', async () => {
    const { repository } = await firstBackup();
    const catalog = await readCatalog(repository);
    const shipped = (minute: number, repository_id?: string) => ({
      covers_until: at(minute),
      last_segment: segment(minute),
      ...(repository_id && { repository_id }),
    });
    expect(rolledBack(repository, catalog, shipped(13, ID))).toMatch(
      /ends at 2026-11-28T10:12.*had reached 2026-11-28T10:13/,
    );
    for (const fitting of [shipped(12, ID), shipped(13, 'repository-2'), shipped(13), undefined])
      expect(rolledBack(repository, catalog, fitting)).toBeUndefined();
  });

  it('is still readable without the note of how far it had reached', async () => {
    const { repository } = await firstBackup();
    const catalog = await readCatalog(repository);
    expect(rolledBack(repository, catalog, { damaged: '/keys/shipped.json' })).toMatch(
      /^\/keys\/shipped.json is damaged.* ends at 2026-11-28T10:12/,
    );
  });

  it('gets no proof of another id by the next write', async () => {
    const { key } = await firstBackup();
    const path = join(directory, 'florin-backup.json');
    const changed = { ...JSON.parse(readFileSync(path, 'utf8')), id: 'repository-2' };
    writeFileSync(path, JSON.stringify(changed));
    await expect(openToWrite(directory, key, ID)).rejects.toThrow(/of another installation/);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(changed);
  });
});
