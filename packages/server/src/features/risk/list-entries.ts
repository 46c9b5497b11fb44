import { problem } from '@florin/contract/errors.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { RiskListKind } from '@florin/contract/risk/lists.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { checkText } from '../../jsonapi/parse-document/text-value.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour, updaterOf } from '../records/plain.ts';
import { removeRecord } from './removal.ts';
import { sameEntry } from './sql.ts';

/**
 * Entries of block and allow lists. Clients name a card by its payment method; rules compare its
 * fingerprint.
 */
export function riskListEntryBehaviour(services: Services, model: Model): Behaviour {
  const baseBehaviour = plainBehaviour(services, model);
  const update = updaterOf(services, model);
  return {
    async create(ctx, input, record) {
      const row = { ...record, ...(await comparedBy(services, ctx, record)) };
      await refuseDuplicate(services, row);
      return baseBehaviour.create(ctx, input, row);
    },
    actions: { remove: (ctx, id) => removeRecord(update, ctx, id) },
  };
}

/**
 * Throws 422 for a value that is already in the list. Concurrent duplicates may pass, which is
 * harmless.
 */
async function refuseDuplicate({ db }: Services, entry: Row): Promise<void> {
  const id = await sameEntry(db, entry);
  if (!id) return;
  const detail = 'An entry of this list already has this value. Remove that entry first.';
  const source = entry.kind === 'card' ? METHOD : VALUE;
  throw problem('already_listed', detail, source, { meta: { risk_list_entry: id } });
}

const VALUE = { pointer: '/data/attributes/value' };
const METHOD = { pointer: '/data/relationships/payment_method' };

/**
 * Adds the value that rules compare. If the payment method does not exist, the entry stays without
 * this value and storing it fails.
 */
async function comparedBy({ db }: Services, { scope }: RequestContext, record: Row): Promise<Row> {
  const { payment_method_id: paymentMethodId } = record;
  const method = paymentMethodId
    ? await findRow(db, 'payment_methods', scope, paymentMethodId)
    : undefined;
  if (paymentMethodId && !method) return { subject: '' };
  return record.kind === 'card' ? cardColumns(record, method) : valueColumns(record, method);
}

function cardColumns({ value }: Row, method: Row | undefined): Row {
  if (value)
    throw problem('invalid', 'An entry of the kind card takes payment_method and no value.', VALUE);
  if (!method)
    throw problem(
      'blank',
      'An entry of the kind card needs the relationship payment_method.',
      METHOD,
    );
  return { subject: method.card_fingerprint as string };
}

const fieldByKind: Readonly<Record<Exclude<RiskListKind, 'card'>, Field>> = {
  email: { type: 'email' },
  email_domain: { type: 'string', pattern: /^[^@\s]+\.[^@\s]+$/ },
  bin: { type: 'string', pattern: /^[0-9]{6}$/ },
  country: { type: 'country' },
};

/** Value of an entry for display and for comparison. */
function valueColumns({ kind, value }: Row, method: Row | undefined): Row {
  if (method)
    throw problem('invalid', 'Only an entry of the kind card takes payment_method.', METHOD);
  if (!value) throw problem('blank', `An entry of the kind ${kind} needs a value.`, VALUE);
  const checkedValue = checkText(fieldByKind[kind as keyof typeof fieldByKind], value);
  if ('flaw' in checkedValue) {
    const [code, predicate] = checkedValue.flaw;
    throw problem(code, `value ${predicate}.`, VALUE);
  }
  const isCode = kind === 'country';
  return {
    value: checkedValue.value,
    subject: isCode ? checkedValue.value : checkedValue.value.toLowerCase(),
  };
}
