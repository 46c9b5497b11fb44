import { parseArgs } from 'node:util';
import { patternsOf, webhookCodes } from '@florin/contract/events.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { accessOf, accessOptions, httpUrl } from '../api/access.ts';
import { createClient } from '../api/client.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { listen } from '../listen/listen.ts';
import { openMemory } from '../listen/memory.ts';

export const LISTEN_USAGE =
  '       npm run florin -- listen --forward-to URL [--events CODE,…] [--from now|beginning|EVENT] [--secret SECRET] [--key KEY] [--host URL]';

export interface ListenContext {
  readonly settings: AccessSettings;
  readonly say: (sentence: string) => void;
  /** Hears when it shall end. */
  readonly signal: AbortSignal;
  readonly poll_ms?: number;
}

/** Forwards the events of a running Florin to a receiver of webhooks, signed as deliveries are. Resolves with the exit code. */
export async function listenCommand(words: string[], context: ListenContext): Promise<number> {
  const { settings, say } = context;
  const given = parse(words);
  const url = httpUrl(given['forward-to'], '--forward-to');
  const patterns = patternsFrom(given.events ?? '*');
  const access = accessOf(given, settings);
  const memory = openMemory(settings.dataDir, access, url.href, given.secret);
  say(`Forwards events of ${access.base_url} to ${url.href}. Their secret is ${memory.secret}`);
  const receiver = { url, secret: memory.secret };
  const api = createClient(access);
  await listen({ ...context, api, memory, receiver, patterns, from: given.from });
  return 0;
}

function parse(words: string[]) {
  const text = { type: 'string' } as const;
  const options = { 'forward-to': text, events: text, from: text, secret: text, ...accessOptions };
  try {
    const { values } = parseArgs({ args: words, options });
    const { 'forward-to': url, ...others } = values;
    if (url) return { 'forward-to': url, ...others };
  } catch {
    // What cannot be parsed is answered like what is missing.
  }
  throw new PlainFailure(`Usage:\n${LISTEN_USAGE}`);
}

/** Throws where one stands for no event that there is. */
function patternsFrom(list: string): string[] {
  const patterns = list.split(',').map((pattern) => pattern.trim());
  const codes = webhookCodes(resources);
  const known = new Set([...codes, ...patternsOf(codes)]);
  if (patterns.every((pattern) => known.has(pattern))) return patterns;
  throw new PlainFailure(
    `--events must be codes, or wildcards such as transaction.payment_demands.*, with commas between them. The codes are:\n${codes.join('\n')}`,
  );
}
