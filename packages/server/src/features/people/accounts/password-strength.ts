import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/**
 * Fewest guesses that a new password must take, by the estimate of zxcvbn with its lists of breached passwords. With the
 * limit of guesses, an attacker needs thousands of years.
 */
export const GUESSES_NEEDED = 1e8;
/** Characters that are estimated: the time grows with their square, to 30 ms for this many. */
const CHARACTERS_MAX = 32;

let estimator: ZxcvbnFactory | undefined;

/** Whether a password is breached, or is guessed soon. Works offline. The first call loads the lists, in about 25 ms. */
export function isGuessable(password: string, email: string): boolean {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const known = ['florin', email, ...email.split(/[^\p{L}\p{N}]+/u).filter(Boolean)];
  return estimator.check(password.slice(0, CHARACTERS_MAX), known).guesses < GUESSES_NEEDED;
}
