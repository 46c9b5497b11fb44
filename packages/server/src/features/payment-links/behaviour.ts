import { randomBytes } from 'node:crypto';
import { paymentLinkMachine } from '@florin/contract/machines/payment-link.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { requireProcessor } from '../merchants/processor.ts';
import { checkCurrency } from '../payments/create.ts';
import {
  changedItems,
  checkPurchase,
  withCurrencies,
  withLineItems,
} from '../payments/line-items.ts';
import { requireRoute } from '../payments/require-route.ts';
import { createCreator } from '../records/creator.ts';
import { referencesOf, updaterOf } from '../records/plain.ts';
import { conditionsOf, type UpdateItem } from '../records/updater.ts';
import { checkAmount } from '../risk/amounts.ts';
import { checkLink, decideExpire, decideUpdate } from './decide.ts';

/** Path of link pages, on the origin of the payment form. */
export const LINK_PAGE_PATH = '/l/';
/** 16 bytes: 128 unguessable bits. */
const CODE_BYTES = 16;

/** Creates, updates and expires links for the interface. `uses.ts` counts their payments. */
export function paymentLinkBehaviour(services: Services, model: Model): Behaviour {
  const create = createCreator(services, model.table);
  const update = updaterOf(services, model);
  return {
    async create(ctx, _input, record) {
      requireProcessor(services, ctx.scope);
      checkCurrency(ctx, record.amount_currency as string);
      checkAmount(ctx, record);
      checkLink(record, ctx.scope.mode, ctx.now());
      const row = { ...withLineItems(record, ctx.now()), ...newColumns(services) };
      checkPurchase(row);
      await requireRoute(services, { ...row, ...ctx.scope });
      const { merchant_id } = ctx.scope;
      await services.directory?.enterLink({ value: row.code as string, merchant_id });
      const { idempotency } = ctx;
      return create({
        record: { row, events: [], idempotency },
        references: referencesOf(model, row),
      });
    },
    update: (ctx, id, _input, sent) => {
      const columns = withCurrencies(sent);
      const decide: UpdateItem['decide'] = (row, now, changed) =>
        decideUpdate(ctx, row, changedItems(row, changed, now), now);
      return update({ ...conditionsOf(ctx, id), columns, decide });
    },
    actions: {
      expire: (ctx, id) => update({ ...conditionsOf(ctx, id), decide: decideExpire }),
    },
    comparedRow: withCurrencies,
  };
}

function newColumns({ config }: Services): Row {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const url = `${config.pay_url}${LINK_PAGE_PATH}${code}`;
  return { code, url, qr_svg_url: `${url}/qr.svg`, status: paymentLinkMachine.initial };
}
