import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceHash } from '../../../scripts/bundles/source-hash.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
/** Files that the site is made from. */
const SOURCES = [
  'docs/{pages,samples,shots,src,.vitepress}/**/*',
  'packages/contract/src/**/*.ts',
  'packages/server/src/{jsonapi,http/health}/**/*.ts',
  'packages/hosted-fields/src/locales/en.json',
  '{ARCHITECTURE,CHANGELOG}.md',
  'package-lock.json',
];

/** Whether the site in a folder was built from the current sources. */
export function isSiteCurrent(folder: string): boolean {
  const path = stampPath(folder);
  return existsSync(path) && readFileSync(path, 'utf8') === sourceStamp();
}

/** Identifies the current sources. */
export const sourceStamp = (): string => sourceHash(REPOSITORY, SOURCES);

/** Records in a built site which sources it was made from. */
export const writeStamp = (folder: string, stamp: string): void =>
  writeFileSync(stampPath(folder), stamp);

const stampPath = (folder: string): string => join(folder, '.stamp');
