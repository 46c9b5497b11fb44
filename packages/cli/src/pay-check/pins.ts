import { PlainFailure } from '../kernel/plain-failure.ts';

/** Scripts by name, with the address that contains their hash (`/v1/sri.json`). */
export type Pins = Readonly<Record<string, Pin>>;

interface Pin {
  readonly url: string;
  readonly integrity: string;
}

/** Limit for untrusted files, several times the actual number of scripts. */
const PINS_MAX = 16;
const NAME = /^[\w.-]{1,64}$/;
const PATH = /^\/[\w.-]{1,64}\/[\w.-]{1,64}$/;
const INTEGRITY = /^sha384-[\w+/]{1,64}$/;

/**
 * Parses `sri.json`, served or stored. Accepted values are safe to print to a terminal and stay within their origin.
 * Throws `PlainFailure` if the file is invalid.
 */
export function readPins({ body }: { readonly body: Buffer }): Pins {
  try {
    const pins = JSON.parse(body.toString()) as Pins;
    const entries = Object.entries(pins);
    if (entries.length > 0 && entries.length <= PINS_MAX && entries.every(isPin)) return pins;
  } catch {
    // Invalid JSON is reported like an invalid list.
  }
  throw new PlainFailure('The list of scripts (sri.json) is missing or unreadable.');
}

const isPin = ([name, { url, integrity }]: [string, Pin]): boolean =>
  NAME.test(name) && PATH.test(url) && INTEGRITY.test(integrity);
