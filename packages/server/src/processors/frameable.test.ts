import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { forbidsFrames, isForbidden } from './frameable.ts';

it.each([
  [undefined, undefined, false],
  ['DENY', undefined, true],
  ['SameOrigin', undefined, true],
  ['ALLOW-FROM https://shop.example', undefined, false],
  [undefined, "default-src 'self'; frame-ancestors 'none'", true],
  [undefined, "frame-ancestors 'self'; script-src 'self'", true],
  [undefined, 'frame-ancestors https: http:', false],
  ['DENY', 'frame-ancestors *', false],
  [undefined, "script-src 'none'", false],
])('X-Frame-Options %s and the policy %s forbid frames: %s', (options, policy, expected) => {
  expect(isForbidden(options, policy)).toBe(expected);
});

it('requests the page itself, also below localhost, and treats no response as refused', async () => {
  const server = createServer((_, response) =>
    response.writeHead(405, { 'x-frame-options': 'DENY' }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await forbidsFrames(`http://acs.localhost:${port}/challenge`)).toBe(true);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await forbidsFrames(`http://acs.localhost:${port}/challenge`)).toBe(false);
});
