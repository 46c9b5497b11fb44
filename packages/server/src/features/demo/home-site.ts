import type { FastifyInstance } from 'fastify';
import { type Config, servesDemoShop } from '../../config/config.ts';
import { sharedStyle } from '../../http/pages/shared-style.ts';
import { sendPage } from '../../http/send-page.ts';
import { renderHomePage } from './home-page.ts';

/** Registers the start page. */
export function registerHome(fastify: FastifyInstance, config: Config): void {
  const page = renderHomePage({ base_url: config.public_url, has_shop: servesDemoShop(config) });
  const style = `${sharedStyle('shop.css')}\n${sharedStyle('home.css')}`;
  fastify.get('/home.css', (_request, reply) => reply.type('text/css').send(style));
  fastify.get('/', (_request, reply) => sendPage(reply, page));
}
