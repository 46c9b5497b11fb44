import { placeholders } from '@florin/contract/protocol/vault.ts';
import { isObject } from '../http/input.ts';
import type { CardSecrets } from './secrets.ts';

/** Deepest nesting of a body, so that walking it cannot exhaust the stack. */
export const BODY_DEPTH_MAX = 32;

const DROPPED = Symbol('dropped');

type Filler = ReadonlyMap<string, string | undefined>;

/**
 * A deep copy of `body` with the placeholders replaced. One that has no value falls away with its
 * member. Throws a `RangeError` for a body that is nested too deeply.
 */
export function fillPlaceholders(body: unknown, secrets: CardSecrets): unknown {
  const filler: Filler = new Map([
    [placeholders.pan, secrets.pan],
    [placeholders.cvv, secrets.cvv],
    [placeholders.expiry_month, secrets.expiry_month],
    [placeholders.expiry_year, secrets.expiry_year],
  ]);
  const filled = fill(body, filler, BODY_DEPTH_MAX);
  return filled === DROPPED ? undefined : filled;
}

function fill(value: unknown, filler: Filler, depth: number): unknown {
  if (typeof value === 'string') return filler.has(value) ? (filler.get(value) ?? DROPPED) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) throw new RangeError('The body is nested too deeply.');
  if (Array.isArray(value)) {
    return value.map((item) => fill(item, filler, depth - 1)).filter((item) => item !== DROPPED);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, fill(member, filler, depth - 1)] as const)
      .filter(([, member]) => member !== DROPPED),
  );
}
