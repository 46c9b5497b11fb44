import { readFileSync } from 'node:fs';
import { statusOf } from '@florin/contract/errors.ts';
import { createLru } from '@florin/contract/lru.ts';
import type { FastifyInstance } from 'fastify';
import { createFixedFile, sendFixedFile } from '../../../http/fixed-file.ts';
import { sharedStyle } from '../../../http/pages/shared-style.ts';
import { parseForms, sendPage } from '../../../http/send-page.ts';
import { knownError, report } from '../../../http/site.ts';
import { asProblemError } from '../../../jsonapi/problems.ts';
import { languageOf } from '../../checkout/pages/language.ts';
import { TooManyTriesError } from '../../checkout/tries.ts';
import { LINK_PAGE_PATH } from '../behaviour.ts';
import { linkAssets } from '../pages/frame.ts';
import { failedPage, unavailablePage } from '../pages/pages.ts';
import { qrCode } from '../pages/qr-code.ts';
import {
  beginCheckout,
  confirm,
  createLinkHandler,
  type LinkRoute,
  type LinkSiteOptions,
  showLink,
  showPurchase,
} from './answers.ts';
import { registerLinkLogo } from './logo.ts';
import { localeOf } from './views.ts';

/** Maximum number of cached QR codes. */
const QR_CODES_MAX = 500;
const QR_HEADERS = {
  'content-type': 'image/svg+xml',
  'content-security-policy': "default-src 'none'",
  'cache-control': 'public, max-age=86400',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Pages of payment links, without authentication: a Fastify plugin with its own form parser and
 * error pages.
 */
export async function registerLinks(
  fastify: FastifyInstance,
  options: LinkSiteOptions,
): Promise<void> {
  parseForms(fastify);
  registerErrors(fastify, options);
  registerAssets(fastify);
  registerQrCodes(fastify, options);
  registerLinkLogo(fastify, options.services);
  const page = `${LINK_PAGE_PATH}:code`;
  fastify.get<LinkRoute>(page, createLinkHandler(options, showLink));
  fastify.post<LinkRoute>(page, createLinkHandler(options, beginCheckout));
  fastify.get<LinkRoute>(`${page}/:checkout`, createLinkHandler(options, showPurchase));
  fastify.post<LinkRoute>(`${page}/:checkout/confirm`, createLinkHandler(options, confirm));
}

function registerErrors(fastify: FastifyInstance, { services, locales }: LinkSiteOptions): void {
  fastify.setErrorHandler((error, request, reply) => {
    const language = languageOf(localeOf(locales, request));
    if (error instanceof TooManyTriesError) {
      reply.header('retry-after', String(error.retry_after_seconds));
      return sendPage(reply, unavailablePage(language));
    }
    const { problems, headers } = asProblemError(knownError(error));
    if (problems.some(({ code }) => code === 'internal')) report(services.logger, error, request);
    return sendPage(reply.headers(headers), failedPage(language, statusOf(problems)));
  });
}

function registerAssets(fastify: FastifyInstance): void {
  const assetPath = (name: string): string =>
    readFileSync(new URL(`../pages/assets/${name}`, import.meta.url), 'utf8');
  const nosniff = { 'x-content-type-options': 'nosniff' };
  const style = createFixedFile(`${sharedStyle('shop.css')}\n${assetPath('link.css')}`, {
    'content-type': 'text/css; charset=utf-8',
    ...nosniff,
  });
  const script = createFixedFile(assetPath('link.js'), {
    'content-type': 'text/javascript; charset=utf-8',
    ...nosniff,
  });
  fastify.get(linkAssets.style, async (request, reply) => sendFixedFile(request, reply, style));
  fastify.get(linkAssets.script, async (request, reply) => sendFixedFile(request, reply, script));
}

function registerQrCodes(fastify: FastifyInstance, options: LinkSiteOptions): void {
  const qrCodes = createLru<string>(QR_CODES_MAX);
  fastify.get<LinkRoute>(
    `${LINK_PAGE_PATH}:code/qr.svg`,
    createLinkHandler(options, async (_options, { url }) => {
      const address = url as string;
      const picture = qrCodes.get(address) ?? qrCode(address);
      qrCodes.set(address, picture);
      return { status: 200, headers: QR_HEADERS, html: picture };
    }),
  );
}
