import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { paidFor } from './paths.ts';
import type { CanaryStand } from './stand.ts';

const FLORIN = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'main.ts');
/** Arguments of `florin vault rotate`. */
const ROTATIONS = [['kek'], ['seal', '--now'], ['epoch'], ['root']];

/**
 * Rotates keys with the command until the work has ended; each kind at least once. Returns the number of rotations.
 */
export async function rotateDuring(stand: CanaryStand, work: Promise<unknown>): Promise<number> {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  done.catch(() => {});
  let count = 0;
  for (; !over || count < ROTATIONS.length; count++) {
    const words = ['vault', 'rotate', ...(ROTATIONS[count % ROTATIONS.length] as string[])];
    // Rejects if the command exits with a code other than 0.
    await promisify(execFile)(process.execPath, [FLORIN, ...words], {
      env: { ...process.env, FLORIN_DATA: stand.dataDir },
    });
  }
  await done;
  return count;
}

/** Pays with these cards, several at a time. Returns the outcomes. */
export async function payAll(
  stand: CanaryStand,
  cards: readonly { readonly number: string; readonly cvv: string }[],
  at_once: number,
): Promise<string[]> {
  const waiting = [...cards];
  const ends: string[] = [];
  const worker = async (): Promise<void> => {
    for (let card = waiting.pop(); card; card = waiting.pop()) {
      ends.push(await paidFor(stand, card));
    }
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  return ends;
}
