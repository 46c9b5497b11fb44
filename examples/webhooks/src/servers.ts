import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import * as express from './express.ts';
import * as fastify from './fastify.ts';
import * as hono from './hono.ts';

/** Creates a server per framework. The caller starts the server. */
export const servers: Readonly<Record<string, (secret: string) => Promise<Server>>> = {
  express: async (secret) => createServer(express.createApp(secret)),
  async fastify(secret) {
    const app = fastify.createApp(secret);
    await app.ready();
    return app.server;
  },
  hono: async (secret) => createServer(getRequestListener(hono.createApp(secret).fetch)),
};
