import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FormLocales } from '../../../http/pages/form-locale.ts';
import type { Page } from '../../../http/pages/page.ts';
import { sendPage } from '../../../http/send-page.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import type { Row } from '../../../platform/database/row.ts';
import { scopeOf } from '../../../platform/database/scope.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import type { FormTokens } from '../../checkout/form-tokens.ts';
import type { MountedRecord } from '../../checkout/mounted.ts';
import { languageOf } from '../../checkout/pages/language.ts';
import type { ClosedReason } from '../../merchants/status-checks.ts';
import {
  availabilityNow,
  type Checkouts,
  type Confirmation,
  closedReasonOf,
  knownPayerOf,
  linkOf,
  progressOf,
} from '../checkout.ts';
import {
  detailsPage,
  endedPage,
  type LinkView,
  linkCardPage,
  noProcessorPage,
  paidPage,
  suspendedPage,
  unknownPage,
  waitingPage,
} from '../pages/pages.ts';
import type { LinkPayer } from '../purchase.ts';
import type { CountStart } from '../starts.ts';
import { newPageKey, payerOf } from './payer.ts';
import { linkPathOf, localeOf, successUrl, viewOf } from './views.ts';

export interface LinkSiteOptions {
  readonly services: Services;
  readonly checkouts: Checkouts;
  readonly countStart: CountStart;
  readonly form_tokens: FormTokens;
  /** Signs references of begun payments, so that payers cannot name other payers' payments. */
  readonly signer: Signer;
  readonly locales: FormLocales;
}

/** Path parameters of a link, and of a payment that began over it. */
export interface LinkRoute {
  readonly Params: { readonly code: string; readonly checkout?: string };
}
type LinkRequest = FastifyRequest<LinkRoute>;

/** HTML page, redirect, or JSON for the page's script. */
type Answer = Page | { readonly location: string } | { readonly status: number };
type Handle = (options: LinkSiteOptions, link: Row, request: LinkRequest) => Promise<Answer>;

/** Calls `respond` with the link of the path. Answers 404 for an unknown link. */
export const createLinkHandler =
  (options: LinkSiteOptions, respond: Handle) =>
  async (request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const link = await linkOf(options.services, request.params.code);
    const answer = link ? await respond(options, link, request) : renderUnknown(options, request);
    if ('location' in answer) return reply.redirect(answer.location, 303);
    return 'html' in answer ? sendPage(reply, answer) : reply.status(answer.status).send({});
  };

const renderUnknown = ({ locales }: LinkSiteOptions, request: FastifyRequest): Page =>
  unknownPage(languageOf(localeOf(locales, request)));

/** The link ended, or its merchant was closed, since the request began. */
async function showEnded(
  { services, locales }: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
): Promise<Answer> {
  const view = await viewOf(services, link, localeOf(locales, request));
  const closed = await closedReasonOf(services, link);
  if (closed) return closedPages[closed](view);
  const availability = await availabilityNow(services, link);
  return endedPage(view, availability === 'open' ? 'expired' : availability);
}

const closedPages: Readonly<Record<ClosedReason, (view: LinkView) => Page>> = {
  merchant_held_back: suspendedPage,
  no_processor: noProcessorPage,
};

/** Shows the purchase and the form for the payer's details. A link of a customer leads to the card page instead. */
export async function showLink(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
): Promise<Answer> {
  const { services, locales } = options;
  const view = await viewOf(services, link, localeOf(locales, request));
  const closed = await closedReasonOf(services, link);
  if (closed) return closedPages[closed](view);
  const availability = await availabilityNow(services, link);
  if (availability !== 'open') return endedPage(view, availability);
  const payer = await knownPayerOf(services, link);
  return payer
    ? beginOrResume(options, link, request, payer)
    : detailsPage({ ...view, page_key: newPageKey() });
}

/** Redirects to the customer's open purchase. Begins one if there is none, except for `HEAD`, which must store nothing. */
async function beginOrResume(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
  payer: LinkPayer,
): Promise<Answer> {
  const id = await options.checkouts.findBegun(link, payer);
  if (id) return { location: purchasePath(options, link, id) };
  return request.method === 'HEAD' ? { status: 200 } : begin(options, link, request, payer);
}

/** Stores the payer's details and redirects to the card page. */
export async function beginCheckout(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
): Promise<Answer> {
  const { services, locales } = options;
  const locale = localeOf(locales, request);
  const { payer, field_errors } = payerOf(request.body, locale);
  if (link.customer_id) return showLink(options, link, request);
  if (Object.keys(field_errors).length > 0) {
    const { page_key, ...entered } = payer;
    return detailsPage({
      ...(await viewOf(services, link, locale)),
      page_key,
      entered,
      field_errors,
    });
  }
  return begin(options, link, request, payer);
}

/** Begins the purchase, and redirects to its card page. */
async function begin(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
  payer: LinkPayer,
): Promise<Answer> {
  const { checkouts, countStart } = options;
  await countStart(link, request.ip);
  const id = await checkouts.begin(link, payer, request.id);
  if (!id) return showEnded(options, link, request);
  return { location: purchasePath(options, link, id) };
}

const purchasePath = ({ signer }: LinkSiteOptions, link: Row, id: string): string =>
  `${linkPathOf(link)}/${id}.${signer.sign(signedText(link, id))}`;

const signedText = (link: Row, id: string): string => `${link.id} ${id}`;

/** Shows the card form or the payment's outcome. */
export async function showPurchase(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
): Promise<Answer> {
  const purchase = await namedCheckout(options, link, request);
  if (!purchase) return renderUnknown(options, request);
  const locale = localeOf(options.locales, request);
  const view = await viewOf(options.services, link, locale, purchase.row);
  if (progressOf(purchase) === 'open') {
    const closed = await closedReasonOf(options.services, link);
    if (closed) return closedPages[closed](view);
    const availability = await availabilityNow(options.services, link, purchase);
    if (availability !== 'open') return endedPage(view, availability);
  }
  return purchasePage(options, link, purchase, {
    ...view,
    here: `${view.path}/${request.params.checkout}`,
  });
}

/** Charges the begun payment. */
export async function confirm(
  options: LinkSiteOptions,
  link: Row,
  request: LinkRequest,
): Promise<Answer> {
  const purchase = await namedCheckout(options, link, request);
  if (!purchase) return { status: 404 };
  return { status: statuses[await options.checkouts.confirm(link, purchase, request.id)] };
}

const statuses: Readonly<Record<Confirmation, number>> = {
  confirmed: 200,
  declined: 409,
  gone: 410,
};

/**
 * Finds the payment of the path; undefined unless its reference is signed and the payment began
 * over the link.
 */
async function namedCheckout(
  { signer, checkouts }: LinkSiteOptions,
  link: Row,
  { params }: LinkRequest,
): Promise<MountedRecord | undefined> {
  const [id = '', signature = ''] = (params.checkout ?? '').split('.');
  if (!isUuid(id) || !signer.isSignatureOf(signedText(link, id), signature)) return undefined;
  return checkouts.findPurchase(link, id);
}

function purchasePage(
  { form_tokens }: LinkSiteOptions,
  link: Row,
  purchase: MountedRecord,
  { here, ...view }: LinkView & { readonly here: string },
): Page {
  const payment_id = purchase.row.id as string;
  const success_url = successUrl(link, purchase.table, payment_id);
  const progress = progressOf(purchase);
  if (progress === 'waiting') return waitingPage(view);
  if (progress === 'paid') {
    return paidPage({ ...view, success_url, reference: purchase.row.purchase_reference as string });
  }
  const holder_id = link.id as string;
  const grant = { scope: scopeOf(link), payment_id, holder_id };
  return linkCardPage({
    ...view,
    payment_id,
    has_details: !link.customer_id,
    grant: form_tokens.make(grant),
    confirm_path: `${here}/confirm`,
    onward: success_url ?? here,
  });
}
