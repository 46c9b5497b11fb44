import { readFileSync } from 'node:fs';
import { statusOf } from '@florin/contract/errors.ts';
import { LOCALE_PARAMETER } from '@florin/contract/protocol/frame.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFixedFile, type FixedFile, sendFixedFile } from '../../../http/fixed-file.ts';
import { type FormLocale, type FormLocales, pickLocale } from '../../../http/pages/form-locale.ts';
import { sharedStyle } from '../../../http/pages/shared-style.ts';
import { parseForms, sendPage } from '../../../http/send-page.ts';
import { knownError, report } from '../../../http/site.ts';
import { asProblemError } from '../../../jsonapi/problems.ts';
import { allTextsIn } from '../../../platform/texts/texts.ts';
import { openVisit } from '../open.ts';
import { CARD_SCRIPT_URL } from '../pages/card-page.ts';
import { type Fault, renderFaultPage } from '../pages/fault-page.ts';
import { STYLE_URL } from '../pages/frame.ts';
import { createTranslator } from '../pages/translator.ts';
import type { CustomerPageHandler, CustomerRoute, CustomerSiteOptions } from './answers.ts';
import { createCustomerLimits } from './limits.ts';
import { registerCustomerPages } from './pages.ts';

/** Plugin of the customer pages: routes, form parser, rate limits and error pages. */
export async function registerCustomerSite(
  fastify: FastifyInstance,
  options: CustomerSiteOptions,
): Promise<void> {
  const { services } = options;
  const locales = loadLocales();
  const limits = createCustomerLimits(services.config.monotonic_ms);
  parseForms(fastify);
  fastify.setErrorHandler((error, request, reply) => {
    const { problems, headers } = asProblemError(knownError(error));
    if (problems.some(({ code }) => code === 'internal')) report(services.logger, error, request);
    const status = statusOf(problems);
    const fault = status === 403 ? 'forbidden' : 'broken';
    return sendFault(reply.headers(headers), localeOf(locales, request), fault, status);
  });
  registerAssets(fastify);

  const handlerFor =
    (kind: 'view' | 'change', answer: CustomerPageHandler) =>
    async (request: FastifyRequest<CustomerRoute>, reply: FastifyReply) => {
      const locale = localeOf(locales, request);
      const waitSeconds = limits.waitFor(kind, request.ip);
      if (waitSeconds !== undefined)
        return sendFault(reply.header('retry-after', String(waitSeconds)), locale, 'busy', 429);
      const { token } = request.params;
      const visit = await openVisit(services, token);
      if (typeof visit === 'string')
        return sendFault(reply, locale, 'gone', visit === 'over' ? 410 : 404);
      const translator = createTranslator(locale, visit.subscription.billing_timezone as string);
      return answer({ visit, token, translator, query: queryOf(request) }, request, reply);
    };
  registerCustomerPages(fastify, { ...options, respond: handlerFor });
}

/** Sends an error page. Uses UTC, since error pages have no dates. */
const sendFault = (
  reply: FastifyReply,
  locale: FormLocale,
  fault: Fault,
  status: number,
): FastifyReply => sendPage(reply, renderFaultPage(createTranslator(locale, 'UTC'), fault, status));

const requestedLocale = ({ query }: FastifyRequest): string => {
  const requestedTag = (query as Readonly<Record<string, unknown>>)[LOCALE_PARAMETER];
  return typeof requestedTag === 'string' ? requestedTag : '';
};

const localeOf = (locales: FormLocales, request: FastifyRequest): FormLocale =>
  pickLocale(locales, requestedLocale(request), request.headers['accept-language'] ?? '');

/** Query string with a well-formed language parameter; empty without one. */
function queryOf(request: FastifyRequest): string {
  const requestedTag = requestedLocale(request);
  return /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/.test(requestedTag)
    ? `?${LOCALE_PARAMETER}=${requestedTag}`
    : '';
}

const FOLDER = new URL('../pages/locales/', import.meta.url);

const loadLocales = (): FormLocales =>
  new Map([...allTextsIn(FOLDER)].map(([tag, texts]) => [tag.toLowerCase(), { tag, texts }]));

function registerAssets(fastify: FastifyInstance): void {
  const files: Readonly<Record<string, FixedFile>> = {
    [STYLE_URL]: assetOf(`${sharedStyle('shop.css')}\n${textOf('customer-page.css')}`, 'text/css'),
    [CARD_SCRIPT_URL]: assetOf(textOf('customer-card.js'), 'text/javascript'),
  };
  for (const [url, file] of Object.entries(files)) {
    fastify.get(url, async (request, reply) => sendFixedFile(request, reply, file));
  }
}

const textOf = (name: string): string =>
  readFileSync(new URL(`../pages/assets/${name}`, import.meta.url), 'utf8');

const assetOf = (text: string, type: string): FixedFile =>
  createFixedFile(text, {
    'content-type': `${type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  });
