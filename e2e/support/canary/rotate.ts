import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { payWithCard } from './paths.ts';
import type { CanaryTestbed } from './testbed.ts';

const FLORIN = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'main.ts');
/** Arguments of `florin vault rotate`. */
const ROTATIONS = [['kek'], ['seal', '--now'], ['epoch'], ['root']];

/**
 * Rotates keys with the command until the work has ended; each kind at least once. Returns the number of rotations.
 */
export async function rotateDuring(
  testbed: CanaryTestbed,
  work: Promise<unknown>,
): Promise<number> {
  let isOver = false;
  const workEnd = work.finally(() => {
    isOver = true;
  });
  workEnd.catch(() => {});
  let count = 0;
  for (; !isOver || count < ROTATIONS.length; count++) {
    const args = ['vault', 'rotate', ...(ROTATIONS[count % ROTATIONS.length] as string[])];
    // Rejects if the command exits with a code other than 0.
    await promisify(execFile)(process.execPath, [FLORIN, ...args], {
      env: { ...process.env, FLORIN_DATA: testbed.dataDir },
    });
  }
  await workEnd;
  return count;
}

/** Pays with these cards, several at a time. Returns the outcomes. */
export async function payAll(
  testbed: CanaryTestbed,
  cards: readonly { readonly number: string; readonly cvv: string }[],
  concurrency: number,
): Promise<string[]> {
  const remainingCards = [...cards];
  const outcomes: string[] = [];
  const payRemainingCards = async (): Promise<void> => {
    for (let card = remainingCards.pop(); card; card = remainingCards.pop()) {
      outcomes.push(await payWithCard(testbed, card));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, payRemainingCards));
  return outcomes;
}
