/** Pseudo-random numbers from a seed (mulberry32). */
export interface Random {
  /** A random integer from 0 to `below` - 1. */
  upTo(below: number): number;
  chance(probability: number): boolean;
  oneOf<T>(values: readonly T[]): T;
}

const TWO_TO_32 = 2 ** 32;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
  const upTo = (below: number): number => Math.floor(next() * below);
  return {
    upTo,
    chance: (probability) => next() < probability,
    oneOf: <T>(values: readonly T[]): T => values[upTo(values.length)] as T,
  };
}
