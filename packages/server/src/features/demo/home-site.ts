import type { FastifyInstance } from 'fastify';
import { type Config, hasDemoShop } from '../../config/config.ts';
import { sharedStyle } from '../../http/pages/shared-style.ts';
import { sendPage } from '../../http/send-page.ts';
import { homePage } from './home-page.ts';

/** Registers the start page. */
export function registerHome(fastify: FastifyInstance, config: Config): void {
  const page = homePage({ base_url: config.public_url, has_shop: hasDemoShop(config) });
  const style = `${sharedStyle('shop.css')}\n${sharedStyle('home.css')}`;
  fastify.get('/home.css', (_request, reply) => reply.type('text/css').send(style));
  fastify.get('/', (_request, reply) => sendPage(reply, page));
}
