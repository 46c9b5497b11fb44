import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext, WriteInput } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour } from '../records/plain.ts';
import { checkBirthDate, maskedNumber } from './identity.ts';
import { sealIdentification } from './seal-identification.ts';

/**
 * Stores a person's identity document, sealed: the full number for the review, a masked number for display.
 */
export function personalIdentificationBehaviour(services: Services, model: Model): Behaviour {
  const { create } = plainBehaviour(services, model);
  return {
    async create(ctx, input, row) {
      refuseOtherMerchant(ctx, input);
      if (row.dob) checkBirthDate(row.dob, ctx.now());
      return create(ctx, input, sealIdentification(services.sealer, withNumberMasked(row)));
    },
  };
}

/** Throws if a client names another merchant. The caller's merchant is stored in any case. */
function refuseOtherMerchant({ scope }: RequestContext, { relationships }: WriteInput): void {
  const { merchant } = relationships;
  if (merchant === undefined || merchant === scope.merchant_id) return;
  throw problem(
    'relationship_not_found',
    'A key creates records of its own merchant only. Leave the merchant out.',
    { pointer: '/data/relationships/merchant' },
  );
}

const withNumberMasked = (row: Row): Row =>
  row.id_number
    ? { ...row, id_number: maskedNumber(row.id_number), id_number_full: row.id_number }
    : row;
