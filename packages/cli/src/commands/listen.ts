import { parseArgs } from 'node:util';
import { patternsOf, webhookCodes } from '@florin/contract/events.ts';
import { findNearest } from '@florin/contract/nearest.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { accessOf, accessOptions, httpUrl } from '../api/access.ts';
import { createClient } from '../api/client.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { listen } from '../listen/listen.ts';
import { openListenerState } from '../listen/stored-position.ts';

export const LISTEN_USAGE = [
  '       npm run florin -- listen --forward-to URL [--events CODE,…] [--from now|beginning|EVENT] [--secret SECRET] [--key KEY] [--host URL]',
  '           forwards events to a webhook receiver; retries while the receiver does not respond',
  '           --from    now, the first event, or after the event with this id; default: the last position',
  '           --secret  signs the deliveries; default: a generated secret, printed and stored',
  '           --key     a secret key; default: FLORIN_SECRET_KEY, then the sandbox key of this checkout.',
  '                     The live key is live.secret_key in credentials.json of the data directory',
].join('\n');

export interface ListenContext {
  readonly settings: AccessSettings;
  readonly print: (sentence: string) => void;
  /** Signal that ends the command. */
  readonly signal: AbortSignal;
  readonly poll_ms?: number;
}

/** Forwards events of a running Florin to a webhook receiver, signed like deliveries. Resolves with the exit code. */
export async function listenCommand(words: string[], context: ListenContext): Promise<number> {
  const { settings, print } = context;
  const options = parse(words);
  const url = httpUrl(options['forward-to'], '--forward-to');
  const patterns = patternsFrom(options.events ?? '*');
  const access = accessOf(options, settings);
  const state = openListenerState(settings.dataDir, access, url.href, options.secret);
  print(
    `Forwarding events of ${access.base_url} to ${url.href}. The signing secret is ${state.secret}`,
  );
  const receiver = { url, secret: state.secret };
  const api = createClient(access);
  await listen({ ...context, api, state, receiver, patterns, from: options.from });
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
    // Invalid arguments get the same message as missing arguments.
  }
  throw new PlainFailure(`Usage:\n${LISTEN_USAGE}`);
}

/** Throws if a pattern matches no event. */
function patternsFrom(list: string): string[] {
  const patterns = list.split(',').map((pattern) => pattern.trim());
  const codes = webhookCodes(resources);
  const knownPatterns = [...codes, ...patternsOf(codes)];
  const unknownPattern = patterns.find((pattern) => !knownPatterns.includes(pattern));
  if (unknownPattern === undefined) return patterns;
  const nearestPatterns = findNearest(unknownPattern, knownPatterns).map((name) => `\n  ${name}`);
  throw new PlainFailure(
    `--events must be codes or wildcards such as transaction.payment_demands.*, separated by commas: value ${patterns.indexOf(unknownPattern) + 1} matches no event. ${nearestPatterns.length > 0 ? `The nearest are:${nearestPatterns.join('')}\n` : ''}List all events with npm run florin -- trigger --list.`,
  );
}
