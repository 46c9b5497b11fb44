/** Sends the same prebuilt bytes from the server's own HTTP site. Run as a process of its own. */
import { Buffer } from 'node:buffer';
import { createSite } from '@florin/server/http/site.ts';
import { createLogger } from '@florin/server/kernel/logger.ts';

const bytes = Buffer.alloc(Number(process.argv[2] ?? 1000), 'x');
const site = createSite(createLogger('warn'));
site.get('*', (_request, reply) =>
  reply.headers({ 'content-type': 'application/vnd.api+json', vary: 'Accept' }).send(bytes),
);
await site.listen({ port: 0, host: '127.0.0.1' });
const address = site.server.address();
process.send?.(typeof address === 'object' ? address?.port : 0);
process.on('disconnect', () => process.exit(0));
