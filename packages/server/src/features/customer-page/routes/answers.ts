import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../../http/send-page.ts';
import type { Services } from '../../../services.ts';
import type { FormTokens } from '../../checkout/form-tokens.ts';
import { CUSTOMER_PAGE_PATH } from '../../subscriptions/customer-links/customer-link.ts';
import type { Visit } from '../open.ts';
import { renderFaultPage } from '../pages/fault-page.ts';
import type { Translator } from '../pages/translator.ts';

export interface CustomerSiteOptions {
  readonly services: Services;
  readonly form_tokens: FormTokens;
}

/** Handles a request with a valid link. */
export type CustomerPageHandler = (
  page_visit: PageVisit,
  request: FastifyRequest<CustomerRoute>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** A visit with the page's language and formats. */
export interface PageVisit {
  readonly visit: Visit;
  readonly token: string;
  readonly translator: Translator;
  /** Query string with the requested language, for the page's links. */
  readonly query: string;
}

export interface CustomerRoute {
  Params: { token: string; id?: string; action?: string };
  Querystring: Readonly<Record<string, unknown>>;
}

export type PageResponder = (
  kind: 'view' | 'change',
  answer: CustomerPageHandler,
) => (request: FastifyRequest<CustomerRoute>, reply: FastifyReply) => Promise<FastifyReply>;

/** Responds 403 with a link back to the subscription. */
export const refuseVisit = (page_visit: PageVisit, reply: FastifyReply): FastifyReply => {
  const backUrl = `${pathOf(page_visit)}${page_visit.query}`;
  return sendPage(reply, renderFaultPage(page_visit.translator, 'forbidden', 403, backUrl));
};

export const pathOf = ({ token }: PageVisit): string => `${CUSTOMER_PAGE_PATH}${token}`;
