import { expect, it } from 'vitest';
import { type FileEntry, findSecretsKeyFaults } from './key-files.ts';

const UID = 991;
const ROOT_ENTRY = { uid: 0, mode: 0o755 };
const SAFE: Readonly<Record<string, FileEntry>> = {
  '/': ROOT_ENTRY,
  '/srv': ROOT_ENTRY,
  '/srv/apps': ROOT_ENTRY,
  '/srv/apps/florin': { uid: UID, mode: 0o700 },
  '/srv/apps/florin/secrets.key': { uid: UID, mode: 0o600 },
};

function problemsOf(changes: Readonly<Record<string, FileEntry | undefined>>): string[] {
  const entries = { ...SAFE, ...changes };
  const statSync = (path: string): FileEntry => {
    const entry = entries[path];
    if (entry) return entry;
    throw new Error('ENOENT');
  };
  const tools = { statSync, realpathSync: (path: string) => path, readdirSync: () => [] };
  return findSecretsKeyFaults(tools, '/srv/apps/florin', UID).map(({ problem }) => problem);
}

it('a key that only its user reads, in directories of this user and root, has no faults', () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ '/srv/apps/florin/secrets.key': undefined })).toEqual([]);
});

it.each<[string, string, FileEntry, string]>([
  ['directory', '/srv/apps/florin', { uid: 992, mode: 0o700 }, 'belongs to another user (992)'],
  ['grandparent', '/srv', { uid: 992, mode: 0o755 }, 'belongs to another user (992)'],
  ['directory', '/srv/apps/florin', { uid: UID, mode: 0o770 }, 'Other users may replace'],
  ['parent', '/srv/apps', { uid: 0, mode: 0o757 }, 'Other users may replace'],
])('a %s %s that others own or write is a fault', (_name, path, entry, problem) => {
  expect(problemsOf({ [path]: entry })).toEqual([expect.stringContaining(problem)]);
});

it.each<[string, string, FileEntry]>([
  ['a sticky directory such as /tmp', '/srv', { uid: 0, mode: 0o1777 }],
  ['a group above, such as the own one of a person', '/srv/apps', { uid: UID, mode: 0o775 }],
])('%s is no fault', (_name, path, entry) => {
  expect(problemsOf({ [path]: entry })).toEqual([]);
});
