import { PlainFailure } from '../kernel/plain-failure.ts';

/** Scripts by name, with the address that has their hash in it (`/v1/sri.json`). */
export type Pins = Readonly<Record<string, Pin>>;

interface Pin {
  readonly url: string;
  readonly integrity: string;
}

/** Several times as many as there are. */
const PINS_MAX = 16;
const NAME = /^[\w.-]{1,64}$/;
const PATH = /^\/[\w.-]{1,64}\/[\w.-]{1,64}$/;
const INTEGRITY = /^sha384-[\w+/]{1,64}$/;

/**
 * Reads `sri.json`, served or kept. Throws `PlainFailure` where it is none. What it lets through can be printed to a
 * terminal, and leads nowhere but to the origin that it came from.
 */
export function readPins({ body }: { readonly body: Buffer }): Pins {
  try {
    const pins = JSON.parse(body.toString()) as Pins;
    const entries = Object.entries(pins);
    if (entries.length > 0 && entries.length <= PINS_MAX && entries.every(isPin)) return pins;
  } catch {
    // What is no JSON is no list of scripts either.
  }
  throw new PlainFailure('There is no list of scripts (sri.json) that can be read.');
}

const isPin = ([name, { url, integrity }]: [string, Pin]): boolean =>
  NAME.test(name) && PATH.test(url) && INTEGRITY.test(integrity);
