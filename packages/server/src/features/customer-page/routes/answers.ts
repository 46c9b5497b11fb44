import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../../http/send-page.ts';
import type { Services } from '../../../services.ts';
import type { Grants } from '../../checkout/grants.ts';
import { CUSTOMER_PAGE_PATH } from '../../subscriptions/customer-links/customer-link.ts';
import type { Visit } from '../open.ts';
import { faultPage } from '../pages/fault-page.ts';
import type { Speech } from '../pages/speech.ts';

export interface CustomerSiteOptions {
  readonly services: Services;
  readonly grants: Grants;
}

/** Answers a request with a valid link. */
export type CustomerPageHandler = (
  came: Came,
  request: FastifyRequest<CustomerRoute>,
  reply: FastifyReply,
) => Promise<FastifyReply>;

/** A visit, its language and its formats. */
export interface Came {
  readonly visit: Visit;
  readonly token: string;
  readonly speech: Speech;
  /** The address's language, for links. */
  readonly query: string;
}

export interface CustomerRoute {
  Params: { token: string; id?: string; action?: string };
  Querystring: Readonly<Record<string, unknown>>;
}

export type Answering = (
  kind: 'view' | 'change',
  answer: CustomerPageHandler,
) => (request: FastifyRequest<CustomerRoute>, reply: FastifyReply) => Promise<FastifyReply>;

/** 403, with a link back. */
export const refuse = (came: Came, reply: FastifyReply): FastifyReply => {
  const back = `${pathOf(came)}${came.query}`;
  return sendPage(reply, faultPage(came.speech, 'forbidden', 403, back));
};

export const pathOf = ({ token }: Came): string => `${CUSTOMER_PAGE_PATH}${token}`;
