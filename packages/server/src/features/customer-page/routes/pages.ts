import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../../../http/send-page.ts';
import type { Services } from '../../../services.ts';
import { sendLogo } from '../../documents/logo/send.ts';
import { findOrIssueDocument } from '../../documents/read.ts';
import { sendDocument } from '../../documents/routes.ts';
import { CUSTOMER_PAGE_PATH } from '../../subscriptions/customer-links/customer-link.ts';
import { renderCancelPage } from '../pages/cancel-page.ts';
import { renderCardPage } from '../pages/card-page.ts';
import { renderFaultPage } from '../pages/fault-page.ts';
import { renderReceiptPage } from '../pages/receipt-page.ts';
import { renderSubscriptionPage } from '../pages/subscription-page.ts';
import type { PageForms, SubscriptionView } from '../pages/view.ts';
import { readPageRecords, readReceipt } from '../read.ts';
import {
  type CustomerPageHandler,
  type CustomerRoute,
  type CustomerSiteOptions,
  type PageResponder,
  type PageVisit,
  pathOf,
  refuseVisit,
} from './answers.ts';
import { createChangeHandler } from './changes.ts';
import { createHiddenFields } from './forms.ts';
import { noticeOf, OUTCOME_PARAMETER } from './notices.ts';
import { receiptView, subscriptionView } from './view.ts';

type CustomerRequest = FastifyRequest<CustomerRoute>;

interface PagesOptions extends CustomerSiteOptions {
  readonly respond: PageResponder;
}

const SDK_URL = '/v1/florin.js';

/** Registers the pages behind a customer's link, and their forms. */
export function registerCustomerPages(fastify: FastifyInstance, options: PagesOptions): void {
  const { services, respond } = options;
  const page = `${CUSTOMER_PAGE_PATH}:token`;
  const viewPage = (handler: CustomerPageHandler) => respond('view', handler);
  fastify.get<CustomerRoute>(
    page,
    viewPage((page_visit, request, reply) => showPage(services, page_visit, request, reply)),
  );
  fastify.get<CustomerRoute>(
    `${page}/cancel`,
    viewPage((page_visit, _request, reply) => confirmCancel(services, page_visit, reply)),
  );
  fastify.get<CustomerRoute>(
    `${page}/card`,
    viewPage((page_visit, _request, reply) => askForCard(options, page_visit, reply)),
  );
  fastify.get<CustomerRoute>(
    `${page}/logo`,
    viewPage(({ visit }, _request, reply) =>
      sendLogo(services.reads, visit.link.scope.merchant_id, reply),
    ),
  );
  fastify.get<CustomerRoute>(`${page}/receipts/:id`, viewPage(showReceipt));
  fastify.get<CustomerRoute>(`${page}/receipts/:id/pdf`, viewPage(sendReceipt));
  fastify.post<CustomerRoute>(`${page}/:action`, respond('change', createChangeHandler(services)));
}

const formsOf = ({ customer_links }: Services, page_visit: PageVisit): PageForms => ({
  path: pathOf(page_visit),
  query: page_visit.query,
  hidden: createHiddenFields(customer_links, page_visit.token, page_visit.visit.subscription),
});

const viewOf = async ({ visit }: PageVisit): Promise<SubscriptionView> =>
  subscriptionView(visit, await readPageRecords(visit));

async function showPage(
  services: Services,
  page_visit: PageVisit,
  { query }: CustomerRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await viewOf(page_visit);
  const notice = noticeOf(page_visit.translator, view, query[OUTCOME_PARAMETER]);
  return sendPage(
    reply,
    renderSubscriptionPage(page_visit.translator, view, formsOf(services, page_visit), notice),
  );
}

async function confirmCancel(
  services: Services,
  page_visit: PageVisit,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await viewOf(page_visit);
  const { actions } = view;
  if (!actions.has('cancel_later') && !actions.has('cancel_now'))
    return refuseVisit(page_visit, reply);
  return sendPage(
    reply,
    renderCancelPage(page_visit.translator, view, formsOf(services, page_visit)),
  );
}

async function askForCard(
  { services, form_tokens }: CustomerSiteOptions,
  page_visit: PageVisit,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await viewOf(page_visit);
  if (!view.actions.has('change_card')) return refuseVisit(page_visit, reply);
  const { scope, subscription_id, epoch } = page_visit.visit.link;
  const [payment_id, holder_id] = [subscription_id, subscription_id];
  const grant = form_tokens.make({ scope, payment_id, holder_id, customer_links_epoch: epoch });
  const form = { sdk_url: SDK_URL, grant, subscription_id };
  return sendPage(
    reply,
    renderCardPage(page_visit.translator, view, formsOf(services, page_visit), form),
  );
}

const showReceipt: CustomerPageHandler = async ({ visit, translator }, { params }, reply) => {
  const receipt = await readReceipt(visit, params.id ?? '');
  if (!receipt) return sendPage(reply, renderFaultPage(translator, 'gone', 404));
  return sendPage(reply, renderReceiptPage(translator, receiptView(visit, receipt)));
};

/** Sends the charge's document as PDF, which the first download issues. */
const sendReceipt: CustomerPageHandler = async ({ visit, translator }, { params }, reply) => {
  const { services, link } = visit;
  const receipt = await readReceipt(visit, params.id ?? '');
  const document =
    receipt &&
    (await findOrIssueDocument(services, 'payments', link.scope, receipt.charge.id as string));
  if (!document) return sendPage(reply, renderFaultPage(translator, 'gone', 404));
  return sendDocument(services, document, reply);
};
