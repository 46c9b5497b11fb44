import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from './pages.ts';

const FOLDER = join(import.meta.dirname, '../pages');

const shots = globSync('**/shots.json', { cwd: FOLDER }).flatMap(
  (file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { path: string }[],
);

/** `/operator/merchants/{merchants}?view=all` is a picture of `operator/merchants/$id`. */
const isOf = (page: string, shot: string): boolean => {
  const parts = page.split('/');
  const names = shot.replace(/^\/|\?.*$/g, '').split('/');
  return (
    parts.length === names.length &&
    parts.every((part, at) => part.startsWith('$') || part === names[at])
  );
};

/** Pages of records that the demo shop does not have. */
const WITHOUT_RECORD = ['records/payouts/$id'];

it.each(pages.map(({ path }) => [path]).filter(([path]) => !WITHOUT_RECORD.includes(path)))(
  'the page %j has a picture',
  (path) => {
    expect(shots.filter((shot) => isOf(path, shot.path))).not.toEqual([]);
  },
);
