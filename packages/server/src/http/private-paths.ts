import { type PublicPath, publicPaths } from '@florin/contract/variables.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { notFound } from '../jsonapi/problems.ts';
import { createSyncHook } from './hook.ts';
import { isForwarded } from './is-forwarded.ts';

/** Patterns of routes, not of addresses: an address can name its route in many encodings. */
const PATTERNS: Readonly<Record<PublicPath, RegExp>> = {
  docs: /^\/(?:docs|llms)(?:[/.*]|$)/,
  health: /^\/healthz\b/,
  metrics: /^\/metrics\b/,
};

/** Answers 404 to requests through a proxy for addresses that are not public. Register before the routes. */
export function registerPrivatePaths(
  fastify: FastifyInstance,
  { public_paths }: Pick<Config, 'public_paths'>,
): void {
  const hidden = publicPaths
    .filter((path) => !public_paths.includes(path))
    .map((path) => PATTERNS[path]);
  if (hidden.length === 0) return;
  fastify.addHook(
    'onRequest',
    createSyncHook(({ headers, routeOptions: { url = '' } }) => {
      if (hidden.some((pattern) => pattern.test(url)) && isForwarded(headers)) throw notFound();
    }),
  );
}
