import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeTarget } from './backup-target.ts';
import { lateBackup } from './late-backup.ts';

const SHIPPED = Date.parse('2026-11-28T10:00:00Z');
const MINUTE_MS = 60_000;
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'florin-late-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('an installation without a backup is never late', () => {
  expect(lateBackup(dataDir, SHIPPED)).toBeUndefined();
});

it.each([
  [9, undefined],
  [11, 'The log of the backup in /mnt/backup ends at 2026-11-28T10:00:00.000Z.'],
])('%i minutes after the last shipment', async (minutes, expected) => {
  mkdirSync(join(dataDir, 'backup'));
  await storeTarget(dataDir, { directory: '/mnt/backup', key_file: '/key', repository_id: 'id' });
  const state = { covers_until: '2026-11-28T10:00:00Z', last_segment: '' };
  writeFileSync(join(dataDir, 'backup', 'shipped.json'), JSON.stringify(state));
  expect(lateBackup(dataDir, SHIPPED + minutes * MINUTE_MS)).toBe(expected);
});

it('a damaged note of the backup’s place is named', () => {
  mkdirSync(join(dataDir, 'backup'));
  const note = join(dataDir, 'backup', 'target.json');
  writeFileSync(note, '{');
  expect(lateBackup(dataDir, SHIPPED)).toContain(note);
});

it('a damaged note is named', async () => {
  await storeTarget(dataDir, { directory: '/mnt/backup', key_file: '/key', repository_id: 'id' });
  const note = join(dataDir, 'backup', 'shipped.json');
  writeFileSync(note, '');
  expect(lateBackup(dataDir, SHIPPED)).toContain(`${note} is damaged`);
});
