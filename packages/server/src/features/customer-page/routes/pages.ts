import type { FastifyInstance } from 'fastify';
import { sendPage } from '../../../http/send-page.ts';
import type { Services } from '../../../services.ts';
import { CUSTOMER_PAGE_PATH } from '../../subscriptions/customer-links/customer-link.ts';
import { cancelPage } from '../pages/cancel-page.ts';
import { cardPage } from '../pages/card-page.ts';
import { faultPage } from '../pages/fault-page.ts';
import { receiptPage } from '../pages/receipt-page.ts';
import { subscriptionPage } from '../pages/subscription-page.ts';
import type { PageForms, SubscriptionView } from '../pages/view.ts';
import { readReceipt, readSurroundings } from '../read.ts';
import {
  type Answering,
  type Came,
  type CustomerPageHandler,
  type CustomerRoute,
  type CustomerSiteOptions,
  pathOf,
  refuse,
} from './answers.ts';
import { changing } from './changes.ts';
import { hiddenFields } from './forms.ts';
import { noticeOf, OUTCOME_PARAMETER } from './notices.ts';
import { receiptView, subscriptionView } from './view.ts';

interface PagesOptions extends CustomerSiteOptions {
  readonly answering: Answering;
}

const SDK_URL = '/v1/florin.js';

/** Pages behind a customer's link, and their forms. */
export function registerCustomerPages(fastify: FastifyInstance, options: PagesOptions): void {
  const { services, answering } = options;
  const page = `${CUSTOMER_PAGE_PATH}:token`;
  fastify.get<CustomerRoute>(page, answering('view', show(services)));
  fastify.get<CustomerRoute>(`${page}/cancel`, answering('view', askAgain(services)));
  fastify.get<CustomerRoute>(`${page}/card`, answering('view', askForCard(options)));
  fastify.get<CustomerRoute>(`${page}/receipts/:id`, answering('view', giveReceipt));
  fastify.post<CustomerRoute>(`${page}/:action`, answering('change', changing(services)));
}

const formsOf = ({ customer_links }: Services, came: Came): PageForms => ({
  path: pathOf(came),
  query: came.query,
  hidden: hiddenFields(customer_links, came.token, came.visit.subscription),
});

const viewOf = async ({ visit }: Came): Promise<SubscriptionView> =>
  subscriptionView(visit, await readSurroundings(visit));

const show =
  (services: Services): CustomerPageHandler =>
  async (came, { query }, reply) => {
    const view = await viewOf(came);
    const notice = noticeOf(came.speech, view, query[OUTCOME_PARAMETER]);
    return sendPage(reply, subscriptionPage(came.speech, view, formsOf(services, came), notice));
  };

const askAgain =
  (services: Services): CustomerPageHandler =>
  async (came, _request, reply) => {
    const view = await viewOf(came);
    const { actions } = view;
    if (!actions.has('cancel_later') && !actions.has('cancel_now')) return refuse(came, reply);
    return sendPage(reply, cancelPage(came.speech, view, formsOf(services, came)));
  };

const askForCard =
  ({ services, grants }: PagesOptions): CustomerPageHandler =>
  async (came, _request, reply) => {
    const view = await viewOf(came);
    if (!view.actions.has('change_card')) return refuse(came, reply);
    const { scope, subscription_id, epoch } = came.visit.link;
    const [payment_id, holder_id] = [subscription_id, subscription_id];
    const grant = grants.make({ scope, payment_id, holder_id, customer_links_epoch: epoch });
    const form = { sdk_url: SDK_URL, grant, subscription_id };
    return sendPage(reply, cardPage(came.speech, view, formsOf(services, came), form));
  };

const giveReceipt: CustomerPageHandler = async ({ visit, speech }, { params }, reply) => {
  const receipt = await readReceipt(visit, params.id ?? '');
  if (!receipt) return sendPage(reply, faultPage(speech, 'gone', 404));
  return sendPage(reply, receiptPage(speech, receiptView(visit, receipt)));
};
