/** Upper bound for any server: all responses are the same prebuilt bytes. Runs as a separate process. */
import { Buffer } from 'node:buffer';
import Fastify from 'fastify';

const bytes = Buffer.alloc(Number(process.argv[2] ?? 1000), 'x');
const fastify = Fastify();
fastify.get('*', (_request, reply) => reply.type('application/vnd.api+json').send(bytes));
await fastify.listen({ port: 0, host: '127.0.0.1' });
const address = fastify.server.address();
process.send?.(typeof address === 'object' ? address?.port : 0);
process.on('disconnect', () => process.exit(0));
